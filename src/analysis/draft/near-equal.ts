// Joins questions that are equal but for small things: case, signs, typing errors, polite words, small words.
import { distance } from 'fastest-levenshtein'
import { stemmer } from 'stemmer'
import { foldText } from '../../domain/fold-text.ts'
import { isUnspaced } from '../../domain/text.ts'

const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

/** Words around a question, which do not count at all. */
const POLITE = setOf(`
  please pls plz kindly hi hello hey thanks thank thx sir madam dear
  bitte hallo danke guten tag svp bonjour merci
`)
/** Small words, which one of two near-equal questions may have and the other not. */
const SMALL = setOf(`
  a an the this that these those i we me my our you your us it its im ive is are am was were be been do does
  did will would can could may should shall to for of in on at and or so with by from as if there have has had
  just also any some want like help know tell wondering exactly really
  ich wir man mir mich mein meine meinen meinem meiner unser unsere sie ihr es kann können könnte möchte ein
  eine einen einem einer der die das den dem des zu zum zur im am an auf für mit von und mal auch ist
  sind hat habe
  je nous mon ma mes le la les un une des du de en au aux et est ce il puis peut on pour avec
`)
/** Words by which two questions about one thing differ. */
const TURNING = [
  setOf('how wie comment'),
  setOf('what was que quoi'),
  setOf('where wo où'),
  setOf('when wann quand'),
  setOf('why warum wieso weshalb pourquoi'),
  setOf('who wer qui'),
  setOf('which welche welcher welches quel quelle'),
]
const QUESTION_WORDS = new Set(TURNING.flatMap((words) => [...words]))
/** Small words that turn a meaning round: a transfer to the archive, from it, or by it. */
const WAYS = [setOf('to zu zum zur'), setOf('from von'), setOf('by')]
const NEGATION = new RegExp(
  '^(?:not?|never|without|cannot|unable|nicht|nie|ohne|kein\\p{L}*|pas|sans|jamais' +
    '|(?:do|does|did|is|are|was|were|wo|would|could|should|have|has|had|ca)nt)$',
  'u',
)
const WORD = /[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}]+)*/gu

/** What two questions are compared by. */
interface Shape {
  readonly words: ReadonlySet<string>
  /** What it is about: the words that are neither small nor question words, by their stems. */
  readonly terms: ReadonlyMap<string, string>
  readonly trigrams: ReadonlySet<string>
  readonly numbers: string
  /** One bit for each kind of `TURNING`. */
  readonly turning: number
  /** For terms behind one of `WAYS`: which. */
  readonly ways: ReadonlyMap<string, number>
  readonly isNegated: boolean
}

/** The least share of the groups of three signs that near-equal questions have in common (Jaccard). */
const MIN_SHARED = 0.45

/** A text that is not equal to one before it, and its group. */
interface Known {
  readonly shape: Shape
  readonly group: Group
}

interface Group {
  /** Indexes of messages. */
  readonly members: number[]
  readonly first: Shape
}

/**
 * Groups as indexes into `messages`. A question joins the group of the one that it shares most signs with, if
 * it also asks the same as the first of that group: a chain of small steps joins nothing that is far apart.
 */
export function joinNearEqual(messages: readonly string[]): number[][] {
  const groups: Group[] = []
  /** By its words: most tickets of a frequent question are written alike. */
  const byWords = new Map<string, Group>()
  const blocks = new Map<string, Known[]>()
  for (const [index, message] of messages.entries()) {
    const words = wordsOf(message)
    // A message without words counts as it is written.
    const text = words.join(' ') || foldText(message)
    const equal = byWords.get(text)
    if (equal !== undefined) {
      equal.members.push(index)
      continue
    }
    const shape = shapeOf(words)
    const { own, sought } = keysOf(shape)
    const near = nearest(shape, new Set(sought.flatMap((key) => blocks.get(key) ?? [])))
    const group = near ?? { members: [], first: shape }
    if (near === undefined) groups.push(group)
    group.members.push(index)
    byWords.set(text, group)
    const known = { shape, group }
    for (const key of own) {
      const block = blocks.get(key)
      if (block === undefined) blocks.set(key, [known])
      else block.push(known)
    }
  }
  return groups.map(({ members }) => members)
}

function nearest(shape: Shape, candidates: Iterable<Known>): Group | undefined {
  let [best, shared]: [Group | undefined, number] = [undefined, MIN_SHARED]
  for (const { shape: other, group } of candidates) {
    const share = sharedBy(other.trigrams, shape.trigrams)
    if (share >= shared && group !== best && asksTheSame(group.first, shape)) [best, shared] = [group, share]
  }
  return best
}

/**
 * Two questions are compared if one has a key that the other seeks: all of its terms are all, or all but one,
 * of the other's; or all but one are the same, and the last two begin alike, as with a typing error. (The
 * deletions of SymSpell, Garbe 2012, of terms instead of letters.)
 */
function keysOf({ terms, numbers }: Shape): { readonly own: string[]; readonly sought: string[] } {
  const all = [...terms.keys()].sort()
  const keyOf = (kind: 'all' | 'rest' | 'typo', list: readonly string[]): string =>
    `${kind} ${numbers}:${list.join(' ')}`
  const rests = all.map((one) => all.filter((other) => other !== one))
  const typos = all.map((one, index) => {
    // A single term is compared with all others: its last letter counts, too.
    const letters = all.length === 1 ? [one.charAt(0), one.at(-1) ?? ''] : [one.charAt(0)]
    return keyOf('typo', [...(rests[index] ?? []), ...letters])
  })
  return {
    own: [keyOf('all', all), ...rests.map((rest) => keyOf('rest', rest)), ...typos],
    sought: [keyOf('all', all), keyOf('rest', all), ...rests.map((rest) => keyOf('all', rest)), ...typos],
  }
}

/** Without polite words, unless there are no others. */
function wordsOf(message: string): string[] {
  const all = (foldText(message).match(WORD) ?? []).map((word) => word.replaceAll("'", ''))
  const words = all.filter((word) => !POLITE.has(word))
  return words.length === 0 ? all : words
}

function shapeOf(words: readonly string[]): Shape {
  const about = words.filter((word) => !SMALL.has(word) && !QUESTION_WORDS.has(word) && !NEGATION.test(word))
  return {
    words: new Set(words),
    terms: new Map((about.length === 0 ? words : about).map((word) => [stemmer(word), word])),
    trigrams: trigramsOf(` ${words.join(' ')} `),
    numbers: words.filter((word) => /\p{N}/u.test(word)).join(' '),
    turning: TURNING.reduce(
      (bits, kind, bit) => bits | (words.some((word) => kind.has(word)) ? 1 << bit : 0),
      0,
    ),
    ways: waysOf(words),
    isNegated: words.some((word) => NEGATION.test(word)),
  }
}

/** Small words stand between: "to the archive". */
function waysOf(words: readonly string[]): Map<string, number> {
  const ways = new Map<string, number>()
  let last = -1
  for (const word of words) {
    const way = WAYS.findIndex((kind) => kind.has(word))
    if (way !== -1) last = way
    else if (!SMALL.has(word)) {
      if (last !== -1) ways.set(stemmer(word), last)
      last = -1
    }
  }
  return ways
}

function trigramsOf(text: string): Set<string> {
  const all = new Set<string>()
  for (let at = 0; at + 3 <= text.length; at += 1) all.add(text.slice(at, at + 3))
  return all
}

/** The Jaccard coefficient. */
function sharedBy(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (Math.min(one.size, other.size) < MIN_SHARED * Math.max(one.size, other.size)) return 0
  let shared = 0
  for (const trigram of one) if (other.has(trigram)) shared += 1
  return shared / (one.size + other.size - shared)
}

/**
 * The same terms but for typing errors, the same ways, numbers and question words, both negated or neither.
 */
function asksTheSame(one: Shape, other: Shape): boolean {
  if (one.numbers !== other.numbers || one.isNegated !== other.isNegated) return false
  if (one.turning !== other.turning && one.turning !== 0 && other.turning !== 0) return false
  for (const [term, way] of one.ways) if ((other.ways.get(term) ?? way) !== way) return false
  return hasTermsOf(one, other) && hasTermsOf(other, one)
}

/** A word that only one of them has may be a word of the other with a typing error. */
function hasTermsOf(one: Shape, other: Shape): boolean {
  for (const [key, word] of other.terms) {
    if (one.terms.has(key) || one.words.has(word)) continue
    let isFound = false
    for (const known of one.words) if (!other.words.has(known) && isTypo(known, word)) isFound = true
    if (!isFound) return false
  }
  return true
}

/**
 * One letter, two of a long word, or two neighbours swapped; never the first letter, by which "install" and
 * "uninstall" differ. Without spaces, a word is a sentence.
 */
function isTypo(one: string, other: string): boolean {
  const length = Math.max(one.length, other.length)
  if (one[0] !== other[0] || Math.abs(one.length - other.length) > 2) return false
  if (length < 3 || isUnspaced(one)) return false
  const edits = distance(one, other)
  if (edits <= (length < 8 ? 1 : 2)) return true
  return edits === 2 && one.length === other.length && sorted(one) === sorted(other)
}

const sorted = (word: string): string => Array.from(word).toSorted().join('')
