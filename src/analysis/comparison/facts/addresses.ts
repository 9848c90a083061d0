// Where to go and whom to reach: web and mail addresses, phone numbers and extensions.
import { BEGINS } from './places.ts'
import { END, START, trailing, type FactRule } from './rule.ts'

const TOP_LEVEL = 'com|org|net|de|at|ch|eu|uk|io|dev|app|info|local|internal|example|test'
const REST = `[^\\s<>"'()\\[\\]{}|\\\\^]*`

/** Scheme and host in small letters, no slash at the end of the path; an address without its scheme is taken for https. */
function addressOf(text: string): string {
  const trimmed = text.slice(0, text.length - trailing(text))
  const [, scheme = 'https://', host = '', rest = ''] = /^([a-z]+:\/\/)?([^/?#]*)(.*)$/isu.exec(trimmed) ?? []
  return `${scheme.toLowerCase()}${host.toLowerCase()}${rest.endsWith('/') && !/[?#]/.test(rest) ? rest.slice(0, -1) : rest}`
}

export const addressRules: readonly FactRule[] = [
  {
    kind: 'email',
    where: { begins: BEGINS.address, words: [] },
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}._%+-])(?:mailto:)?([\\p{L}\\p{N}._%+-]{1,64}@[\\p{L}\\p{N}-]{1,63}(?:\\.[\\p{L}\\p{N}-]{1,63}){1,8})`,
      'iuy',
    ),
    read: ([, address = '']) => [address.toLowerCase()],
  },
  {
    kind: 'url',
    where: { begins: BEGINS.address, words: [] },
    pattern: new RegExp(
      `${START}(?:(?:https?|ftp)://${REST}|www\\.${REST}|(?:[a-z0-9][a-z0-9-]{0,62}\\.){1,5}(?:${TOP_LEVEL})(?![\\p{L}\\p{N}-]|\\.[a-z])(?:[/?#]${REST})?)`,
      'iuy',
    ),
    read: ([match = '']) => [addressOf(match)],
  },
  {
    kind: 'extension',
    where: { begins: BEGINS.lettered, words: ['ext', 'durchwahl', 'nebenstelle', 'dw'] },
    pattern: new RegExp(
      `${START}(?:(?:ext(?:ension)?|durchwahl|nebenstelle|dw)\\.?:?\\s?(?:number |no\\. ?|nr\\. ?|nummer )?|x)(\\d{2,6})${END}`,
      'iuy',
    ),
    read: ([, digits = '']) => [digits],
  },
]

/** After dates and times, which look alike. */
export const phoneRule: FactRule = {
  kind: 'phone',
  where: { begins: BEGINS.phone | BEGINS.digit, words: [] },
  pattern: /(?<![\p{L}\p{N}.,+])(?:\+\d{1,3}|\(?0\d{1,5}\)?)(?:[ /()-]{1,3}\d{1,10}){1,6}(?![\p{L}\p{N}])/uy,
  read: ([match = '']) => {
    const digits = match.replace('(0)', '').replaceAll(/[^\d+]/g, '')
    return digits.length < 6 ? undefined : [digits]
  },
}
