// A cell's text as a message may show it: quoted, on one line, not too long, with nothing invisible in it.
import { digits } from '../domain/text.ts'

const LONGEST = 60

/** `"text"`; control and format characters as `\u{…}`, what is over 60 characters as `…`. */
export function excerpt(text: string): string {
  // Cut between characters, not within a surrogate pair.
  const head = text.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '')
  const short = text.length > LONGEST ? `${head}…` : text
  return `"${short.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, escape)}"`
}

function escape(character: string): string {
  if (character === '\n') return '\\n'
  if (character === '\t') return '\\t'
  return `\\u{${character.codePointAt(0)?.toString(16)}}`
}

/** `"a", "b" and 3 more`. */
export function excerptList(texts: readonly string[], most = 12): string {
  const shown = texts.slice(0, most).map(excerpt).join(', ')
  return texts.length > most ? `${shown} and ${digits(texts.length - most)} more` : shown
}
