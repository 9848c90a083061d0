// Ranges of numbers as patterns: what the program refuses by them, an editor that knows the schema of the config file marks.

/** Of numbers that are written without a sign: another than 0. */
export const NOT_ZERO = String.raw`(?=[\d.]*[1-9])`

/** Of a number without a sign, to stand before its own pattern: less than `end`, a whole number from 1 on. */
export const below = (end: number): string => `(?=${wholeBelow(end)})`

/** The same, or just as much. */
export const atMost = (most: number): string =>
  String.raw`(?=${wholeBelow(most)}|0*${most}(?:\.0+)?(?![.\d]))`

/** The digits before the point; there may be none. */
function wholeBelow(end: number): string {
  const digits = Array.from(String(end), Number)
  const shorter = digits.length > 1 ? [String.raw`[1-9]\d{0,${digits.length - 2}}`] : []
  // As long, and the same up to a place where they have less.
  const asLong = digits.flatMap((digit, place) => {
    const least = place === 0 ? 1 : 0
    if (digit <= least) return []
    const rest = digits.length - place - 1
    return [
      digits.slice(0, place).join('') + `[${least}-${digit - 1}]` + (rest > 0 ? String.raw`\d{${rest}}` : ''),
    ]
  })
  const lesser = [...shorter, ...asLong]
  return `0*${lesser.length > 0 ? `(?:${lesser.join('|')})?` : ''}` + String.raw`(?!\d)`
}
