// The conversations of the view Ask, each with one target.
import { type Conversation, UsageError } from '../library/index.ts'
import type { Asked } from './api.ts'
import type { Reservation } from './budget.ts'

/** Each holds connections, and its sandbox: beyond this number the one that was silent longest ends. */
const MAX_OPEN = 8
const MAX_ATTEMPTS = 10

export interface Asking {
  readonly target: string
  readonly conversation: string | null
  readonly message: string
}

export interface Account {
  readonly reserve: (target: string, wanted: number) => Reservation
  readonly end: (reserved: Reservation) => void
}

export class Conversations {
  readonly #open: (target: string) => Promise<Conversation>
  readonly #account: Account
  readonly #known = new Map<string, { readonly target: string; readonly conversation: Conversation }>()
  /** One question at a time: its calls are reserved until it has ended. */
  #asking: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(open: (target: string) => Promise<Conversation>, account: Account) {
    this.#open = open
    this.#account = account
  }

  async ask(request: Asking): Promise<Asked> {
    const asked = this.#asking.then(async () => this.#ask(request))
    this.#asking = asked.catch(() => undefined)
    return asked
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { conversation } of this.#known.values()) await conversation.close()
    // One that is being opened sends nothing any more.
    await this.#asking
  }

  async #ask({ target, conversation: id, message }: Asking): Promise<Asked> {
    const known = id === null ? undefined : this.#known.get(id)
    // A fresh one would answer without the questions before it, or as another target.
    if (id !== null && known?.target !== target)
      throw new UsageError('This conversation has ended. Start a new one.')
    const reserved = this.#account.reserve(target, MAX_ATTEMPTS)
    try {
      const { conversation } = known ?? { conversation: await this.#open(target) }
      const before = conversation.calls()
      const name = id ?? crypto.randomUUID()
      // The order of the map is that of the last questions.
      this.#known.delete(name)
      this.#known.set(name, { target, conversation })
      const [oldest] = this.#known.keys()
      if (this.#known.size > MAX_OPEN && oldest !== undefined) await this.#end(oldest)
      try {
        if (this.#isClosed) throw new UsageError('The workbench ends.')
        return { conversation: name, turn: await conversation.ask(message, reserved.max) }
      } catch (error) {
        // No page has heard of it.
        if (id === null) await this.#end(name)
        throw error
      } finally {
        reserved.made = conversation.calls() - before
      }
    } finally {
      this.#account.end(reserved)
    }
  }

  async #end(id: string): Promise<void> {
    const open = this.#known.get(id)
    this.#known.delete(id)
    await open?.conversation.close()
  }
}
