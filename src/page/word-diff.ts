// What changed between two answers, word by word.
import { diffWords } from 'diff'

export interface DiffPart {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Characters of both texts, and changed words. Beyond either, the whole text counts as changed: the time is quadratic. */
const MOST = { characters: 20_000, edits: 200 }

/** `same` and `added` parts make up the new text. Changes of white space are ignored. */
export function wordDiff(before: string, after: string): readonly DiffPart[] {
  const isLong = before.length + after.length > MOST.characters
  const intlSegmenter = new Intl.Segmenter('en', { granularity: 'word' })
  const changes = isLong ? undefined : diffWords(before, after, { intlSegmenter, maxEditLength: MOST.edits })
  if (changes === undefined)
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ]
  return changes.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }))
}
