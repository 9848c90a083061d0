// Times as the journal writes them: what `String` gives, without its search for the shortest digits of a fraction.

/** The thousandths of a millisecond as they stand behind the whole ones; none for 0. */
const FRACTIONS = Array.from({ length: 1000 }, (_, thousandths) => String(thousandths / 1000).slice(1))
const MILLISECONDS = Array.from({ length: 1000 }, (_, ms) => String(ms).padStart(3, '0'))

/** From here on seconds are told apart: a moment of the wall clock shares its own with thousands of others. */
const MANY_MS = 1e9
const MOST_MS = 1e13
let [lastSecond, lastSecondText] = [-1, '']

/** The same text as `JSON.stringify`, of any number; quick for those of at most three decimals, as times are kept. */
export function numberText(value: number): string {
  const whole = Math.floor(value)
  const thousandths = Math.round((value - whole) * 1000)
  // Only where these digits are the number's own: further ones are not left out, nor is -0 or what is no number.
  if (!(whole >= 0 && whole < MOST_MS) || thousandths > 999 || whole + thousandths / 1000 !== value)
    return JSON.stringify(value)
  const fraction = FRACTIONS[thousandths] ?? ''
  if (whole < MANY_MS) return `${whole}${fraction}`
  const second = Math.floor(whole / 1000)
  if (second !== lastSecond) {
    lastSecond = second
    lastSecondText = String(second)
  }
  return `${lastSecondText}${MILLISECONDS[whole - second * 1000] ?? ''}${fraction}`
}
