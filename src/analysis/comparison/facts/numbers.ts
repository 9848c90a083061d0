// Numbers as people write them in digits, English or German, and their one normal form.
import { BEGINS } from './places.ts'

/** Thousands apart by comma, dot, apostrophe or space, or not at all; decimals after a comma or a dot. A minus sign has a space before it. */
export const DIGITS = `(?:(?<![^\\s(])-)?(?:\\d{1,3}(?:[ ,.']\\d{3}(?!\\d)){1,6}(?:[.,]\\d{1,9}(?!\\d))?|\\d+(?:[.,]\\d+)?)`
/** What `DIGITS` begins with. */
export const DIGITS_BEGIN = BEGINS.digit | BEGINS.minus
/** What stands between the two numbers of a range, or between alternatives. */
export const RANGE = `(?: ?- ?| to | bis | and | und | or | oder )`

/**
 * "1,200" and "1.200" to "1200", "1.200,50" to "1200.5". One separator with three digits after it
 * parts thousands: which language the answer has is not known. Leading zeros stay: "0800" is no quantity.
 */
export function readNumber(text: string): string {
  const compact = text.replaceAll(/[ ']/g, '')
  const last = Math.max(compact.lastIndexOf('.'), compact.lastIndexOf(','))
  if (last === -1) return compact
  const separators = compact.replaceAll(/\d/g, '')
  const isMixed = separators.includes('.') && separators.includes(',')
  const isGrouped = /^-?[1-9]\d{0,2}(?:[.,]\d{3})+$/.test(compact)
  if (!isMixed && isGrouped) return compact.replaceAll(/[.,]/g, '')
  const whole = compact.slice(0, last).replaceAll(/[.,]/g, '')
  const decimals = compact.slice(last + 1).replace(/0+$/, '')
  return decimals === '' ? whole : `${whole}.${decimals}`
}

/** `factor` times the number; a number beyond exact arithmetic stays as it is written, with its factor. */
export function scale(number: string, factor: number): string {
  if (factor === 1) return number
  if (number.length > 12) return `${number}*${factor}`
  return String(Math.round(Number(number) * factor * 1e6) / 1e6)
}
