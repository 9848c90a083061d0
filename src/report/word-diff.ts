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
  const open = { same: '', removed: '', added: '' }
  const close = (kind: DiffPart['kind']): void => {
    if (open[kind] !== '') parts.push({ kind, text: open[kind] })
    open[kind] = ''
  }
  const add = (kind: DiffPart['kind'], text: string): void => {
    if (text === '') return
    if (kind !== 'same') close('same')
    else if (open.removed + open.added !== '') closeChange()
    open[kind] += text
  }
  /** Of a change, the white space that both sides end with is the same. */
  const closeChange = (): void => {
    const { removed, added } = open
    const end = added.slice(added.length - sharedEnd(removed, added))
    open.removed = removed.slice(0, removed.length - end.length)
    open.added = added.slice(0, added.length - end.length)
    close('removed')
    close('added')
    open.same = end
  }

  const isLong = before.length + after.length > MOST.units
  const [old, now] = isLong ? [[], []] : [wordsOf(before), wordsOf(after)]
  const changes = diffArrays(old, now, {
    maxEditLength: MOST.edits,
    comparator: (one, other) => one.core === other.core,
  })
  if (isLong || changes === undefined) {
    add('removed', before)
    add('added', after)
  }
  let [left, right] = [0, 0]
  for (const { count, removed, added } of changes ?? [])
    for (let step = 0; step < count; step += 1) {
      const one = added ? undefined : old[left++]
      const other = removed ? undefined : now[right++]
      if (one === undefined) add('added', `${other?.core}${other?.tail}`)
      else if (other === undefined) add('removed', `${one.core}${one.tail}`)
      else {
        add('same', one.core)
        // The white space after the same word may differ.
        add(one.tail === other.tail ? 'same' : 'removed', one.tail)
        if (one.tail !== other.tail) add('added', other.tail)
      }
    }
  if (open.removed + open.added !== '') closeChange()
  close('same')
  return parts
}

/** How much white space two texts end with alike. */
function sharedEnd(some: string, others: string): number {
  let count = 0
  while (count < some.length && count < others.length) {
    const sign = some.charAt(some.length - 1 - count)
    if (sign !== others.charAt(others.length - 1 - count) || !/\s/.test(sign)) break
    count += 1
  }
  return count
}

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
