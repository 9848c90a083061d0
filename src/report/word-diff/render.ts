// A word diff as one plain text, for cells and summaries.
import type { DiffPart } from './parts.ts'

/** UTF-16 code units of what did not change that stay on each side of a change, and of what did at each of its ends. */
const AROUND = 40
const WITHIN = 500

/**
 * As `git diff --word-diff` has it: `due in [-30-]{+14+} days`. Long stretches that did not change, and the middle of
 * very long ones that did, are left out (`…`). Where a text has such brackets itself, a backslash parts them.
 * Two texts that are the same give their beginning alone.
 */
export function renderWordDiff(parts: readonly DiffPart[]): string {
  return parts
    .map(({ kind, text }, place) => {
      if (kind === 'removed') return `[-${apart(shorten(text, WITHIN, WITHIN))}-]`
      if (kind === 'added') return `{+${apart(shorten(text, WITHIN, WITHIN))}+}`
      const isLast = place === parts.length - 1
      return apart(shorten(text, place === 0 && !isLast ? 0 : AROUND, isLast ? 0 : AROUND))
    })
    .join('')
}

const apart = (text: string): string =>
  text
    .replaceAll(/\[(?=-)|-(?=\])|\{(?=\+)|\+(?=\})/g, '$&\\')
    // A cut may have halved a sign.
    .toWellFormed()

/** The head and the tail of a text, cut at white space where there is some near. */
function shorten(text: string, head: number, tail: number): string {
  const slack = 20
  if (text.length <= head + tail + slack) return text
  const first = text.slice(0, head).replace(/(?<=\s)\S{1,20}$/u, '')
  const last = tail === 0 ? '' : text.slice(-tail).replace(/^\S{1,20}(?=\s)/u, '')
  return `${first}…${last}`
}
