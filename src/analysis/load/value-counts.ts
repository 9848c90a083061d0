// Counts of values that the endpoint chooses: as many different ones as a report can show, the others together.

/** Under this name stand those that came after the list was full. */
const OTHERS = '(others)'

export interface ValueCounts {
  add(value: string, count?: number): void
  addAll(other: ValueCounts): void
  entries(): Iterable<[string, number]>
  /** Most frequent first, then by value. */
  finish(): Record<string, number>
}

/** An endpoint may answer with a new value each time: what is counted must not grow with the calls. */
export function createValueCounts(most = 100): ValueCounts {
  const counts = new Map<string, number>()
  const add = (value: string, count = 1): void => {
    const name = counts.has(value) || counts.size < most ? value : OTHERS
    counts.set(name, (counts.get(name) ?? 0) + count)
  }
  return {
    add,
    addAll: (other) => {
      for (const [value, count] of other.entries()) add(value, count)
    },
    entries: () => counts.entries(),
    finish: () =>
      Object.fromEntries([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : a > b ? 1 : 0))),
  }
}
