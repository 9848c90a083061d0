// Formats that give a row to each message: a question is held until no row can add to it any more.
import { excerpt } from '../excerpt.ts'
import type { ImportContext } from './importer.ts'
import { writePhrases } from './our-cells.ts'

interface HeldQuestion {
  readonly line: number
  readonly thread: string
  readonly message: string
  readonly answers: string[]
  readonly excluded: string[]
  readonly notes: string[]
  /** Cells of further columns. */
  readonly more: readonly string[]
  length: number
}

/** What may stand behind one question; over this it is no answer but a file whose rows do not begin a new one. */
const MOST_CHARACTERS = 200_000

/** Its records: thread, message, reference answer, what must not be in it, note, then `more`. */
export const CONVERSATION_COLUMNS = [
  'thread',
  'message',
  'expect_answer',
  'expect_not_contains',
  'note',
] as const

export class Conversation {
  readonly #context: ImportContext
  #held: HeldQuestion | undefined

  constructor(context: ImportContext) {
    this.#context = context
  }

  /** A new question: the one before is whole. */
  ask(line: number, thread: string, message: string, more: readonly string[] = []): void {
    this.end()
    this.#held = { line, thread, message, answers: [], excluded: [], notes: [], more, length: 0 }
  }

  /** Adds to the question at hand; false where there is none. */
  add(kind: 'answers' | 'excluded' | 'notes', text: string, line: number): boolean {
    const held = this.#held
    if (held === undefined) return false
    held.length += text.length
    if (held.length <= MOST_CHARACTERS) held[kind].push(text)
    else if (held.length - text.length <= MOST_CHARACTERS)
      this.#context.fail({
        line,
        message: `what is expected of ${excerpt(held.message)} in line ${held.line} is over ${MOST_CHARACTERS} characters; is a question missing between these rows?`,
      })
    return true
  }

  /** Nothing belongs to the question at hand any more. */
  end(): void {
    const held = this.#held
    this.#held = undefined
    if (held === undefined) return
    const { line, thread, message, answers, excluded, notes, more } = held
    if (answers.length > 0) this.#context.account.mapped('reference answer')
    if (excluded.length > 0) this.#context.account.mapped('answer that must not be')
    this.#context.emit({
      line,
      cells: [thread, message, answers.join('\n'), writePhrases(excluded), notes.join('\n'), ...more],
    })
  }
}
