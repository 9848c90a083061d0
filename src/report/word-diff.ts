// What changed between two texts, word by word: for the page, and as one plain text for cells.
import { diffArrays } from 'diff'

export interface DiffPart {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** UTF-16 code units of both texts, and words that come and go; beyond either, one text stands for the other. The work grows with the square of the words. */
const MOST = { units: 500_000, edits: 200 }

/**
 * The parts of both texts in their order: `same` and `removed` together are the one before, `same` and `added` the one
 * after, sign for sign. No part is empty, no two of a kind stand in a row, and what was removed stands before what was
 * added in its place.
 */
export function wordDiff(before: string, after: string): readonly DiffPart[] {
  const parts: DiffPart[] = []
  let [same, removed, added] = ['', '', '']
  const push = (kind: DiffPart['kind'], text: string): void => {
    if (text !== '') parts.push({ kind, text })
  }
  const keep = (text: string): void => {
    if (removed + added !== '') endChange()
    same += text
  }
  const change = (old: string, now: string): void => {
    push('same', same)
    same = ''
    removed += old
    added += now
  }
  /** White space that both sides end with has not changed. */
  const endChange = (): void => {
    const space = removed.slice(removed.trimEnd().length)
    same = added.endsWith(space) ? space : ''
    push('removed', removed.slice(0, removed.length - same.length))
    push('added', added.slice(0, added.length - same.length))
    ;[removed, added] = ['', '']
  }

  const isLong = before.length + after.length > MOST.units
  const [old, now] = isLong ? [[], []] : [wordsOf(before), wordsOf(after)]
  const changes = diffArrays(old, now, {
    maxEditLength: MOST.edits,
    comparator: (one, other) => one.core === other.core,
  })
  if (isLong || changes === undefined) change(before, after)
  let [left, right] = [0, 0]
  for (const { count, removed: isRemoved, added: isAdded } of changes ?? []) {
    const gone = isAdded ? [] : old.slice(left, (left += count))
    const come = isRemoved ? [] : now.slice(right, (right += count))
    if (isRemoved || isAdded) change(textOf(gone), textOf(come))
    else
      for (const [place, { core, tail }] of gone.entries()) {
        keep(core)
        // The white space after the same word may differ.
        const tailNow = come[place]?.tail ?? ''
        if (tail === tailNow) keep(tail)
        else change(tail, tailNow)
      }
  }
  if (removed + added !== '') endChange()
  push('same', same)
  return parts
}

const textOf = (words: readonly Word[]): string => words.map(({ core, tail }) => core + tail).join('')

/** A word and the white space after it: put together, the words of a text are the text again. */
interface Word {
  /** What is compared. */
  readonly core: string
  readonly tail: string
}

const LETTER = '[\\p{L}\\p{N}\\p{M}]'
/** What stands within amounts, times, dates, addresses and compounds: the words of `diff` would part them. */
const JOINING = "[.,:/@_'’?&=#%+~-]"
/** A word, or a single other sign. White space alone stands at the beginning of a text only. */
const WORD = new RegExp(`(${LETTER}+(?:${JOINING}{1,3}${LETTER}+)*|\\S|^(?=\\s))(\\s*)`, 'gu')
/** Chinese, Japanese, Thai, Lao, Khmer, Burmese: words without spaces. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
/** Made for the first text that needs it: the first segmenter of a process takes 10 ms. */
let segmenter: Intl.Segmenter | undefined

const wordsOf = (text: string): Word[] =>
  Array.from(text.matchAll(WORD), ([, core = '', tail = '']) => ({ core, tail })).flatMap((word) => {
    if (!UNSPACED.test(word.core)) return [word]
    // Absent in older browsers, where signs stand for words.
    if ('Segmenter' in Intl) segmenter ??= new Intl.Segmenter('en', { granularity: 'word' })
    const cores = segmenter
      ? Array.from(segmenter.segment(word.core), ({ segment }) => segment)
      : Array.from(word.core)
    return cores.map((core, place) => ({ core, tail: place === cores.length - 1 ? word.tail : '' }))
  })

/** UTF-16 code units of what did not change that stay on each side of a change, and of what did at each of its ends. */
const [AROUND, WITHIN] = [40, 500]

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
