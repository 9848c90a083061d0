// Lines no wider than a terminal shows: sentences broken between words, cells cut.
import stringWidth from 'string-width'
import { shorten } from './visible.ts'

/** Columns of a line, as far as the reports choose. */
export const LINE_WIDTH = 110

/** Made for the first cell that is cut: the first segmenter of a process takes 10 ms. */
let segmenter: Intl.Segmenter | undefined

/** Visible text cut to so many columns; that it was cut is said by the ellipsis. */
export function fit(text: string, columns: number): string {
  // One sign may be of any length: marks can be heaped on it.
  const most = 20 * columns
  const head = text.length <= most ? text : `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`
  const cut = shorten(head, columns)
  if (stringWidth(cut) <= columns) return cut
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  let [kept, room] = ['', columns - 1]
  for (const { segment } of segmenter.segment(cut)) {
    room -= stringWidth(segment)
    if (room < 0) break
    kept += segment
  }
  return `${kept}…`
}

/** Visible text as lines; those after the first begin with the indent. A word wider than a line is cut. */
export function wrap(text: string, indent = '', columns = LINE_WIDTH): string[] {
  const lines: string[] = []
  let line = ''
  for (const whole of text.split(/\s+/).filter(Boolean)) {
    // A word that comes to stand where a line begins must be no command of a CI server's log.
    const word = fit(whole.replace(/^::/, ': :'), columns - indent.length)
    const longer = line === '' ? word : `${line} ${word}`
    if (stringWidth(longer) <= columns) line = longer
    else {
      lines.push(line)
      line = indent + word
    }
  }
  return line === '' ? lines : [...lines, line]
}
