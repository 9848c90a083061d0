// The account of an import: what was mapped, what was lost, what means something else here; each kind with its count.
import { digits } from '../../domain/digits.ts'

interface Entry {
  count: number
  /** Where it was first met. */
  readonly line: number
}

/** A kind of thing that was lost, or changed its meaning, in the singular; and why, in a few words. */
export interface Reason {
  readonly what: string
  readonly why: string
}

export interface AccountLine {
  readonly line?: number
  readonly message: string
}

/** Kinds come from fixed lists, never from the cells: the account of a million rows is as long as that of ten. */
export class Account {
  #questions = 0
  readonly #mapped = new Map<string, number>()
  readonly #lost = new Map<Reason, Entry>()
  readonly #changed = new Map<Reason, Entry>()

  /** No question was handed on. */
  get isEmpty(): boolean {
    return this.#questions === 0
  }

  addQuestion(): void {
    this.#questions += 1
  }

  /** Kept with its meaning, or near it: "contains". */
  mapped(what: string): void {
    this.#mapped.set(what, (this.#mapped.get(what) ?? 0) + 1)
  }

  lost(reason: Reason, line: number): void {
    count(this.#lost, reason, line)
  }

  /** Mapped, but looser, stricter, or otherwise not the same. */
  changed(reason: Reason, line: number): void {
    count(this.#changed, reason, line)
  }

  /** One line that says all in numbers, then one for each kind that was lost or changed, with its reason. */
  lines(title: string): AccountLine[] {
    const lost = [...this.#lost].map(([{ what }, entry]) => `${what} ${digits(entry.count)}`)
    const parts = [
      `read as ${title}: ${digits(this.#questions)} ${this.#questions === 1 ? 'question' : 'questions'}`,
      ...listPart(
        'mapped',
        [...this.#mapped].map(([what, number]) => `${what} ${digits(number)}`),
      ),
      ...listPart('lost', lost),
    ]
    return [
      { message: parts.join('; ') },
      ...[...this.#lost, ...this.#changed].map(([{ what, why }, entry]) => ({
        line: entry.line,
        message: `${what} (${digits(entry.count)}): ${why}`,
      })),
    ]
  }
}

function count(entries: Map<Reason, Entry>, reason: Reason, line: number): void {
  const entry = entries.get(reason)
  if (entry === undefined) entries.set(reason, { count: 1, line })
  else entry.count += 1
}

const listPart = (name: string, items: readonly string[]): string[] =>
  items.length === 0 ? [] : [`${name}: ${items.join(', ')}`]
