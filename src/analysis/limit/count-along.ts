// Counts the moments of a list up to others that move on in small steps, and now and then back.

/** `sorted`: ascending. How many of them are no greater than the moment. */
export function countUpTo(sorted: Float64Array): (moment: number) => number {
  let count = 0
  return (moment) => {
    while (count < sorted.length && (sorted[count] ?? 0) <= moment) count += 1
    while (count > 0 && (sorted[count - 1] ?? 0) > moment) count -= 1
    return count
  }
}
