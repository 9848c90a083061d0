// How two answers differ, short, in Markdown: words that went are struck out, words that came stand in their place.
import { plain } from './markdown.ts'
import type { DiffPart } from './word-diff/parts.ts'

const MOST_PARTS = 12
const MOST_OF_PART = 160
/** Of what did not change, on either side of a change. */
const MOST_WORDS_AROUND = 6

/** One line, safe; about two thousand signs at most. */
export function markdownDiff(parts: readonly DiffPart[]): string {
  const shown = parts.slice(0, MOST_PARTS).map((part, place) => {
    const isSame = part.kind === 'same'
    return mark(part, isSame ? around(part.text, place > 0, place < parts.length - 1) : part.text)
  })
  return [...shown, ...(parts.length > MOST_PARTS ? ['…'] : [])]
    .join('')
    .replaceAll('</del><ins>', '</del> <ins>')
    .trim()
}

/** The spaces around a part stand outside its mark, and escaping takes them off. */
function mark({ kind }: DiffPart, text: string): string {
  const safe = plain(text, MOST_OF_PART)
  if (safe === '') return ' '
  const [before, after] = [/^\s/.test(text) ? ' ' : '', /\s$/.test(text) ? ' ' : '']
  const element = { same: undefined, removed: 'del', added: 'ins' }[kind]
  return `${before}${element === undefined ? safe : `<${element}>${safe}</${element}>`}${after}`
}

/** The words next to the changes. */
function around(text: string, isAfter: boolean, isBefore: boolean): string {
  const words = text.split(/(?=\S)(?<=\S\s+)/)
  const first = isAfter ? words.slice(0, MOST_WORDS_AROUND) : []
  const last = isBefore ? words.slice(Math.max(first.length, words.length - MOST_WORDS_AROUND)) : []
  return first.length + last.length === words.length
    ? text
    : `${first.join('')}${first.length === 0 ? '' : ' '}… ${last.join('')}`.replace(/ {2,}…/, ' …')
}
