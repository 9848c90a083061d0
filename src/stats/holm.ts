// Many verdicts at once: p-values adjusted so that one false alarm among all stays rare.

/**
 * Adjusted p-values in the order given: reject where one is at most the level for the whole family. Step-down,
 * valid whatever the dependence. Source: Holm 1979, "A Simple Sequentially Rejective Multiple Test Procedure";
 * adjusted form as in R's `p.adjust(p, "holm")` (Wright 1992).
 */
export function holm(pValues: readonly number[]): number[] {
  const ascending = pValues.map((p, place) => ({ p, place })).sort((a, b) => a.p - b.p)
  const adjusted = Array.from(pValues, () => 1)
  let largest = 0
  for (const [rank, { p, place }] of ascending.entries()) {
    largest = Math.max(largest, Math.min(1, (pValues.length - rank) * p))
    adjusted[place] = largest
  }
  return adjusted
}
