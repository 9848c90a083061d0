// Lists of document numbers, as the indexes of articles keep them: where one stands, and the best by score.

/** Adds the number to the list of a key. */
export function pushTo<K>(lists: Map<K, number[]>, key: K, number: number): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [number])
  else list.push(number)
}

/** The index of the first number of an ascending list that is at least `min`; its length without one. */
export function lowerBound(ascending: readonly number[], min: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] ?? 0) < min) low = middle + 1
    else high = middle
  }
  return low
}

/** The numbers with the highest scores above 0, best first; of equal ones the first. */
export function highest(
  numbers: Iterable<number>,
  scores: Float64Array | Float32Array,
  max: number,
): number[] {
  const found: number[] = []
  for (const number of numbers) {
    const score = scores[number] ?? 0
    if (score === 0 || (found.length === max && score <= (scores[found.at(-1) ?? 0] ?? 0))) continue
    const rank = found.findIndex((other) => (scores[other] ?? 0) < score)
    found.splice(rank === -1 ? found.length : rank, 0, number)
    found.length = Math.min(found.length, max)
  }
  return found
}
