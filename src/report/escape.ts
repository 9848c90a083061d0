// Makes untrusted text safe in each medium. All share one list of characters that act (`showActing`).
import stringWidth from 'string-width'
import { showActing, singleSpaced } from '../domain/text.ts'

const oneLine = (text: string): string => showActing(text.toWellFormed().replaceAll(/\r\n|\r|\n/g, ' ⏎ '))

/** It begins a command of Azure Pipelines, TeamCity or an old GitHub runner, anywhere in a line. */
const LOG_COMMAND = /##(?=[a-z]*\[)/gi

/**
 * CI systems must not parse commands: `::…` counts only where a line begins, and wrapping may begin one at
 * any white space; `##[…`, `##vso[…` and `##teamcity[…` count anywhere.
 */
export const terminalText = (text: string): string =>
  oneLine(text)
    .replaceAll('\t', ' ')
    .replaceAll(/(^|\s)::/g, '$1: :')
    .replaceAll(LOG_COMMAND, '# #')

/** JSON in a log has the same value, without commands of CI systems. */
export const logJson = (json: string): string => json.replaceAll(LOG_COMMAND, String.raw`#\u0023`)

/**
 * A table cell or list item holds no markup, no HTML, no links. GitHub finds mentions and issue references in
 * the rendered text, so escaping does not stop them; a zero-width space does.
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

/** CI systems that read the log find no commands in the text. */
export const xmlText = (text: string): string =>
  showActing(text.toWellFormed())
    .replaceAll(NOT_XML, '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(LOG_COMMAND, '# #')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

export const xmlAttribute = (text: string): string => xmlText(singleSpaced(text)).replaceAll('"', '&quot;')

/** Quotes a path if necessary. `./` before a dash prevents an option. */
export function shellWord(path: string): string {
  const word = path.startsWith('-') ? `./${path}` : path
  return /^[\w./@%+:-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

export const commandLine = (command: string, words: readonly string[]): string =>
  ['npx assist-harness', command]
    .concat(words.map((word) => (word.startsWith('--') ? word : shellWord(word))))
    .join(' ')

/** Created on first use: it takes 10 ms. */
let segmenter: Intl.Segmenter | undefined

/**
 * Cuts between grapheme clusters, and adds an ellipsis. No number stands before it: nobody could see whether
 * it is whole.
 */
export function shorten(text: string, columns: number): string {
  if (text.length <= columns && stringWidth(text) <= columns) return text
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  let [kept, room] = ['', columns - 1]
  // A grapheme cluster can have any length.
  for (const { segment } of segmenter.segment(text.slice(0, 20 * columns))) {
    room -= stringWidth(segment)
    if (room < 0) return `${kept.replace(/\d[\d.,]*$/, '')}…`
    kept += segment
  }
  return kept.length < text.length ? `${kept}…` : kept
}
