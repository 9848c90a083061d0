// What changed between two answers, word by word.
import { diffWords } from 'diff'

export interface DiffPart {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Beyond either, the whole text counts as changed: the time is quadratic. `edits` are changed words. */
const MAX = { characters: 20_000, edits: 200 }
/** If less of the longer text is the same, the two have single words in common: a diff would be a jumble. */
const MIN_SAME = 0.25

/** `same` and `added` parts make up the new text. Changes of white space are ignored. */
export function wordDiff(before: string, after: string): readonly DiffPart[] {
  const isLong = before.length + after.length > MAX.characters
  const intlSegmenter = new Intl.Segmenter('en', { granularity: 'word' })
  const changes = isLong ? undefined : diffWords(before, after, { intlSegmenter, maxEditLength: MAX.edits })
  const parts = (changes ?? []).map(({ added, removed, value: text }): DiffPart => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text,
  }))
  const same = parts.reduce((sum, { kind, text }) => sum + (kind === 'same' ? text.length : 0), 0)
  if (same > 0 && same >= MIN_SAME * Math.max(before.length, after.length)) return parts
  const whole: readonly DiffPart[] = [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ]
  return whole.filter(({ text }) => text !== '')
}
