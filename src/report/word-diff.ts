// What changed between two texts, word by word; of long ones sentence by sentence first.
import { diffArrays } from 'diff'
import { type DiffPart, partsBuilder, type PartsBuilder } from './word-diff/parts.ts'
import { type Piece, sentencesOf, wordsOf } from './word-diff/pieces.ts'

/** UTF-16 code units of both texts, up to which words are compared at once: an answer of a chat has them. */
const SHORT = 8000
/**
 * How many words or sentences may come and go; beyond it, one text stands for the other. The work grows with the
 * square, a third of a microsecond each. In a long text, each changed passage may change by so many words.
 */
const MOST_EDITS = { words: 200, sentences: 200, wordsOfPassage: 100 }

/**
 * The parts of both texts in their order: `same` and `removed` together are the one before, `same` and `added` the one
 * after, sign for sign. No part is empty, no two of a kind stand in a row, and what was removed stands before what was
 * added in its place. What differs too much is one replacement, so that a megabyte takes no seconds; the same texts
 * always have the same parts.
 */
export function wordDiff(before: string, after: string): readonly DiffPart[] {
  const builder = partsBuilder()
  if (before === after) builder.add('same', before)
  else if (before.length + after.length <= SHORT)
    compare(wordsOf(before), wordsOf(after), MOST_EDITS.words, builder)
  else {
    const sentences = partsBuilder()
    compare(sentencesOf(before), sentencesOf(after), MOST_EDITS.sentences, sentences)
    refine(sentences.parts(), builder)
  }
  return builder.parts()
}

/** Words where sentences stand for each other. */
function refine(parts: readonly DiffPart[], builder: PartsBuilder): void {
  for (const [place, { kind, text }] of parts.entries()) {
    const [last, next] = [parts[place - 1], parts[place + 1]]
    const isRefined = (removed = '', added = ''): boolean => removed.length + added.length <= SHORT
    if (kind === 'removed' && next?.kind === 'added' && isRefined(text, next.text))
      compare(wordsOf(text), wordsOf(next.text), MOST_EDITS.wordsOfPassage, builder)
    else if (kind === 'added' && last?.kind === 'removed' && isRefined(last.text, text)) continue
    else builder.add(kind, text)
  }
}

function compare(
  before: readonly Piece[],
  after: readonly Piece[],
  mostEdits: number,
  builder: PartsBuilder,
): void {
  const numbers = new Map<string, number>()
  const numberOf = ({ core }: Piece): number => {
    const number = numbers.get(core) ?? numbers.size
    numbers.set(core, number)
    return number
  }
  const changes = diffArrays(before.map(numberOf), after.map(numberOf), { maxEditLength: mostEdits }) ?? [
    { count: before.length, removed: true, added: false },
    { count: after.length, removed: false, added: true },
  ]
  let [old, now] = [0, 0]
  for (const { count, removed, added } of changes) {
    for (let step = 0; step < count; step += 1) {
      const [one, other] = [added ? undefined : before[old], removed ? undefined : after[now]]
      if (one !== undefined) old += 1
      if (other !== undefined) now += 1
      if (one !== undefined && other !== undefined) addSame(one, other, builder)
      else if (one !== undefined) builder.add('removed', one.core + one.tail)
      else if (other !== undefined) builder.add('added', other.core + other.tail)
    }
  }
}

/** The white space after the same word may differ. */
function addSame(before: Piece, after: Piece, builder: PartsBuilder): void {
  builder.add('same', before.core)
  if (before.tail === after.tail) builder.add('same', before.tail)
  else {
    builder.add('removed', before.tail)
    builder.add('added', after.tail)
  }
}
