// Opposite words said of one thing: "the form is required" turned to "the form is optional".
import type { Reading } from './reading.ts'
import type { ChangedFacts, Fact } from './rule.ts'

/** One list is the opposite of the other. Opposites of denial are no pair here: "forbidden" is "not allowed". */
const PAIRS: readonly (readonly [some: string, others: string])[] = [
  [
    'required mandatory compulsory obligatory pflicht verpflichtend erforderlich obligatorisch',
    'optional voluntary freiwillig',
  ],
  ['enabled activated aktiviert eingeschaltet', 'disabled deactivated deaktiviert ausgeschaltet'],
  ['open geöffnet offen', 'closed geschlossen'],
]
const poles = new Map(
  PAIRS.flatMap(([some, others], pair) =>
    [some, others].flatMap((words, pole) => words.split(' ').map((word) => [word, { pair, pole }] as const)),
  ),
)
const poleList = [...poles]
const wordsOf = (list: string): ReadonlySet<string> => new Set(list.split(' '))
const LINKING = wordsOf(
  'is are was were be been being stay stays remain remains ist sind war waren bleibt bleiben wird werden',
)
const FILLING = wordsOf(
  'a an the now still also always only again currently longer strictly jetzt noch nur immer auch wieder ein eine der die das',
)
const DENYING = wordsOf('not no never nicht nie niemals kein keine cannot')
/** Stand for something else each time. */
const POINTING = wordsOf(
  'it this that they these those which and or but es dies diese dieser dieses sie und oder aber',
)

interface Said {
  readonly pole: number
  readonly fact: Fact
}

/**
 * What both say of one thing, the one here and the other there. The thing is the word before ("the form is required"),
 * or where none is, the word after ("Optional form"). A denied word is left to the denial.
 */
export function changedOpposites(before: Reading, after: Reading): ChangedFacts {
  if (!mayOppose(polesIn(before.text), polesIn(after.text))) return { lost: [], gained: [] }
  const [some, others] = [saidOf(before.text), saidOf(after.text)]
  return { lost: turned(some, others), gained: turned(others, some) }
}

/** Of each pair two bits, one for each list of which the text may have a word. */
function polesIn(text: string): number {
  const lower = text.toLowerCase()
  let found = 0
  for (const [word, { pair, pole }] of poleList) if (lower.includes(word)) found |= 1 << (2 * pair + pole)
  return found
}

/** Most answers have none of the words, or nothing opposed to those of the other, and are spared the rest. */
const mayOppose = (some: number, others: number): boolean =>
  PAIRS.some((_, pair) =>
    [0, 1].some((pole) => ((some >> (2 * pair + pole)) & (others >> (2 * pair + 1 - pole)) & 1) === 1),
  )

/** By pair and thing, what is said of it. */
type Sayings = ReadonlyMap<string, readonly Said[]>

const turned = (some: Sayings, others: Sayings): Fact[] =>
  [...some].flatMap(([key, ours]) => {
    const theirs = others.get(key)
    const isTurned =
      theirs !== undefined && ours.every(({ pole }) => theirs.every((other) => other.pole !== pole))
    return isTurned ? ours.slice(0, 1).map(({ fact }) => fact) : []
  })

function saidOf(text: string): Sayings {
  const sayings = new Map<string, Said[]>()
  /** The last word of the sentence that may name a thing; a saying that waits for one; what stood since. */
  let thing = ''
  let waiting: (Said & { readonly pair: number }) | undefined
  let isLinked = false
  let isDenied = false
  const say = (pair: number, of: string, said: Said): void => {
    if (POINTING.has(of)) return
    const key = `${pair} ${of}`
    const known = sayings.get(key)
    if (known === undefined) sayings.set(key, [said])
    // Twice the same is said once: `turned` looks at all.
    else if (known.every(({ pole }) => pole !== said.pole)) known.push(said)
  }
  for (const [whole] of text.matchAll(/[\p{L}']+|[.!?;:\n]/gu)) {
    const word = whole.toLowerCase()
    const pole = poles.get(word)
    if (/^[.!?;:\n]$/.test(word)) {
      ;[thing, waiting, isLinked, isDenied] = ['', undefined, false, false]
    } else if (pole !== undefined && (isLinked || word !== 'open')) {
      // "Open" is a verb more often, but for "is open".
      const said = { pole: pole.pole, fact: { kind: 'negation', value: word, text: whole } as const }
      if (!isDenied && thing !== '') say(pole.pair, thing, said)
      else if (!isDenied) waiting = { ...said, pair: pole.pair }
      ;[isLinked, isDenied] = [false, false]
    } else if (DENYING.has(word) || word.endsWith("n't")) {
      isDenied = true
    } else if (LINKING.has(word)) {
      isLinked = true
    } else if (!FILLING.has(word)) {
      if (waiting !== undefined) say(waiting.pair, word, waiting)
      ;[thing, waiting, isLinked, isDenied] = [word, undefined, false, false]
    }
  }
  return sayings
}
