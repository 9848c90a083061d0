// Texts from elsewhere made safe, for every medium: one idea of which signs act, and what each medium needs beyond it.
import stringWidth from 'string-width'
import { showActing } from '../domain/text.ts'

/** One line in which nothing acts. */
const oneLine = (text: string): string => showActing(text.toWellFormed().replaceAll(/\r\n|\r|\n/g, ' ⏎ '))

/**
 * For a terminal or a log. Workflow commands do not parse: `::…` counts only where a line begins, and wrapping may begin one at any
 * white space; `##[…` counts anywhere.
 */
export const terminalText = (text: string): string =>
  oneLine(text)
    .replaceAll('\t', ' ')
    .replaceAll(/(^|\s)::/g, '$1: :')
    .replaceAll('##[', '# #[')

/**
 * For a table cell or list item: no markup, no HTML, no links. GitHub looks for mentions and references to issues in the text that
 * comes out, so escaping does not stop them; an invisible space does.
 */
export const markdownText = (text: string): string =>
  terminalText(text)
    .trim()
    .replaceAll(/[\\`*_[\]|~$]/g, String.raw`\$&`)
    .replace(/^(?=[#+-])/, '\\')
    .replace(/^(\d+)(?=[.)](\s|$))/, '$1\\')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '&#64;&#8203;')
    .replaceAll(/(?<!&)#(?=\d)|\bGH-(?=\d)/gi, '$&&#8203;')
    .replaceAll(/(https?|ftp)(?=:)|www(?=\.)/gi, '$&&#8203;')

/** XML 1.0 cannot hold these (https://www.w3.org/TR/xml/#charsets). */
const NOT_XML = /[\ufffe\uffff]/g

/** Text content: many lines, none of which a CI server's log takes for a command (`##vso[…`, `##teamcity[…`). */
export const xmlText = (text: string): string =>
  showActing(text.toWellFormed())
    .replaceAll(NOT_XML, '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/##(?=[a-z]*\[)/gi, '# #')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

/** The value of an attribute between double quotes: one line. */
export const xmlAttribute = (text: string): string => xmlText(singleSpaced(text)).replaceAll('"', '&quot;')

/** A path as a word of a shell's command line: quoted where it needs to be; with a dash first it would be an option. */
export function shellWord(path: string): string {
  const word = path.startsWith('-') ? `./${path}` : path
  return /^[\w./@%+:-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** White space of any kind and length becomes one space. */
export const singleSpaced = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** At most so many UTF-16 units, and how long it was. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const kept = text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
  return `${kept}… (${text.length} characters)`
}

/** Made for the first text that is cut: the first segmenter of a process takes 10 ms. */
let segmenter: Intl.Segmenter | undefined

/** Cut to so many columns of a terminal, between signs (grapheme clusters); the ellipsis says that it was. */
export function shorten(text: string, columns: number): string {
  if (text.length <= columns && stringWidth(text) <= columns) return text
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  let [kept, room] = ['', columns - 1]
  // One sign may be of any length: marks can be heaped on it.
  for (const { segment } of segmenter.segment(text.slice(0, 20 * columns))) {
    room -= stringWidth(segment)
    if (room < 0) return `${kept}…`
    kept += segment
  }
  return kept.length < text.length ? `${kept}…` : kept
}
