// The turns of a run in the order of the set, each joined with its answer; and helpers for lists of turns.
import type { JournalRecord, Position } from '../domain/journal.ts'
import type { TurnRecord } from '../domain/turn.ts'
import type { Model } from './fold.ts'
import { threadKey } from './questions.ts'
import { countUsage } from './quota.ts'

/**
 * `pick` reads a record from its position in the journal, so that answers are not kept in memory. Skips turns
 * whose question is lost.
 */
export function* turnRecords(
  { slots, questions }: Pick<Model, 'slots' | 'questions'>,
  pick: (position: Position) => JournalRecord,
): Generator<TurnRecord> {
  for (const slot of slots) {
    const { index, repeat, outcome, contextLost, rateLimited } = slot
    const question = questions[index]
    if (question === undefined) continue
    const last = outcome === undefined || outcome === 'skipped' ? undefined : slot.last
    const record = last && pick(last.position)
    const { result, serviceMs } = record?.kind === 'result' ? record : {}
    const answered = { outcome, result, serviceMs, waitMs: last && slot.waitMs, contextLost }
    yield { index, question, repeat, ...answered, usage: countUsage(slot), rateLimited }
  }
}

/**
 * Turns that a resume sends. A conversation with an attempt of unknown result starts again. A new sandbox
 * (`forgets`) knows none of them, which the first call in each shows.
 */
export function turnsLeft({ questions, slots, confirming }: Model, forgets: boolean): number {
  const threads = groupBy([...slots, ...confirming], ({ index, repeat }) => {
    const question = questions[index]
    return question === undefined ? '' : `${threadKey(question)} ${repeat}`
  })
  return [...threads.values()].reduce((sum, turns) => {
    const open = turns.filter(({ outcome }) => outcome === undefined).length
    if (open > 0 && turns.some(({ dangling }) => dangling)) return sum + turns.length
    return sum + (forgets && 0 < open && open < turns.length ? turns.length + 1 : open)
  }, 0)
}

/** Keeps the order of keys and of items. */
export function groupBy<T>(items: Iterable<T>, keyOf: (item: T) => string): Map<string, [T, ...T[]]> {
  const groups = new Map<string, [T, ...T[]]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

/** Null if `whole` is 0: missing is not zero. */
export const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)
