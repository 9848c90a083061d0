// The known name that a misspelt one was meant to be.

/** The nearest of the names within a third of the word's length, at most two slips away. */
export function suggest(word: string, names: readonly string[]): string | undefined {
  const most = Math.min(2, Math.floor(word.length / 4))
  return names
    .map((name) => ({ name, slips: countSlips(word, name) }))
    .filter(({ slips }) => slips <= most)
    .toSorted((a, b) => a.slips - b.slips)[0]?.name
}

/** Letters dropped, added, changed, or swapped with their neighbour (optimal string alignment). */
function countSlips(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost)
      row.push(swapped ? Math.min(least, (before[j - 2] ?? 0) + 1) : least)
    }
    before = last
    last = row
  }
  return last[b.length] ?? a.length
}
