// The conversations of the view Ask: one for each target.
import { type Conversation, UsageError } from '../library/index.ts'
import type { Asked } from './api.ts'
import type { Budget } from './budget.ts'

const MAX_ATTEMPTS = 10

export interface Asking {
  readonly target: string
  readonly conversation: string | null
  readonly message: string
}

export class Conversations {
  readonly #start: (target: string) => Promise<Conversation>
  readonly #budget: Budget
  /** By target: each holds connections, and its sandbox, so that a new one ends the one before. */
  readonly #open = new Map<string, { readonly id: string; readonly conversation: Conversation }>()
  /** One question at a time: its calls are reserved until it has ended. */
  #asking: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(start: (target: string) => Promise<Conversation>, budget: Budget) {
    this.#start = start
    this.#budget = budget
  }

  async ask(request: Asking): Promise<Asked> {
    const asked = this.#asking.then(async () => this.#ask(request))
    this.#asking = asked.catch(() => undefined)
    return asked
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { conversation } of this.#open.values()) await conversation.close()
    // One that is being opened sends nothing any more.
    await this.#asking
  }

  async #ask({ target, conversation: id, message }: Asking): Promise<Asked> {
    const known = this.#open.get(target)
    // A fresh one would answer without the questions before it.
    if (id !== null && known?.id !== id) throw new UsageError('This conversation has ended. Start a new one.')
    const reserved = this.#budget.reserve(target, MAX_ATTEMPTS, 1)
    try {
      const asked =
        known?.id === id ? known : { id: crypto.randomUUID(), conversation: await this.#start(target) }
      const { conversation } = asked
      if (asked !== known) await known?.conversation.close()
      this.#open.set(target, asked)
      const before = conversation.calls()
      try {
        if (this.#isClosed) throw new UsageError('The workbench ends.')
        return { conversation: asked.id, turn: await conversation.ask(message, reserved.max) }
      } catch (error) {
        // No page has heard of it.
        if (id === null) {
          this.#open.delete(target)
          await conversation.close()
        }
        throw error
      } finally {
        reserved.made = conversation.calls() - before
      }
    } finally {
      this.#budget.end(reserved)
    }
  }
}
