// A share of counts.

/** `null` without a denominator: missing is not zero. */
export function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}
