// What is left of a run; and helpers for lists of turns.
import type { Model } from './fold.ts'
import { threadKey } from './questions.ts'

/**
 * Lists what a resume sends. A conversation with an attempt of unknown result starts again, and so does each
 * that a new sandbox (`forgets`) does not know.
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

/** Returns null if `whole` is 0: missing is not zero. */
export const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)
