// Bounds of quantities and dates: "at most 30 minutes" turned to "at least 30 minutes".
import type { FoundFact } from './find.ts'
import { keyOf, type Reading } from './reading.ts'
import type { ChangedFacts, Fact, FactKind } from './rule.ts'

/** Words that say alike where a bound lies. "By", "until" and "within" are deadlines, and so is no "before". */
const WORDS = {
  most: 'at most|up to|(?:no|not) more than|max\\.?|maximum(?: of)?|höchstens|maximal|bis zu|nicht mehr als',
  by: 'by|within|(?:no|not) later than|spätestens|binnen|innerhalb(?: von)?|nicht später als',
  until: 'until|till|bis|bis zum',
  least: 'at least|(?:no|not) (?:less|fewer) than|minimum(?: of)?|mindestens|nicht weniger als',
  from: 'from|as of|starting|(?:no|not) earlier than|ab|frühestens',
  before: 'before|prior to|vor',
  after: 'after|nach',
  less: 'less than|fewer than|under|below|weniger als|unter',
  more: 'more than|over|above|mehr als|über',
} as const
type Sense = keyof typeof WORDS

/**
 * What cannot both be meant. "Until" and "after" can ("valid until 5 May", "expires after 5 May"), and so can "up to" and
 * "after", "at least" and "less than".
 */
const OPPOSED: ReadonlySet<string> = new Set(
  (
    [
      ['most', 'least'],
      ['most', 'from'],
      ['by', 'least'],
      ['by', 'from'],
      ['by', 'after'],
      ['until', 'least'],
      ['until', 'from'],
      ['before', 'after'],
      ['less', 'more'],
    ] as const
  ).flatMap(([one, other]) => [`${one} ${other}`, `${other} ${one}`]),
)

const BOUNDED: ReadonlySet<FactKind> = new Set<FactKind>([
  'amount',
  'date',
  'duration',
  'number',
  'percentage',
  'time',
])
/** "Extended by 2 days" and "from 3 days to 5" are no bounds. */
const OF_DATES_ONLY = /^(?:by|from)\b/iu
const senses = Object.keys(WORDS) as Sense[]
const BOUND = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${Object.values(WORDS)
    .map((words) => `(${words})`)
    .join('|')}) (?:(?:the|of|den|dem|der) )?$`,
  'iu',
)
/** Signs before a fact that are looked at: more than the longest words above. */
const WINDOW = 28

/** Facts that both have, here with one bound and there with another that is opposed to it. */
export function changedBounds(before: Reading, after: Reading): ChangedFacts {
  const [some, others] = [boundsOf(before), boundsOf(after)]
  return { lost: turned(some, others), gained: turned(others, some) }
}

type Bounds = ReadonlyMap<string, ReadonlyMap<Sense, Fact>>

function turned(some: Bounds, others: Bounds): Fact[] {
  return [...some].flatMap(([key, ours]) => {
    const theirs = others.get(key)
    if (theirs === undefined) return []
    return [...ours].flatMap(([sense, fact]) => {
      if (theirs.has(sense)) return []
      const isTurned = [...theirs.keys()].some(
        (other) => !ours.has(other) && OPPOSED.has(`${sense} ${other}`),
      )
      return isTurned ? [fact] : []
    })
  })
}

/** By fact, its bounds as they first stand in the answer, with the words before it. */
function boundsOf({ text, found }: Reading): Bounds {
  const bounds = new Map<string, Map<Sense, Fact>>()
  for (const [place, one] of found.entries()) {
    const { fact } = one
    if (!BOUNDED.has(fact.kind) || isOfRange(found, place)) continue
    const bound = boundBefore(text, one)
    if (bound === undefined) continue
    const known = bounds.get(keyOf(fact)) ?? new Map<Sense, Fact>()
    bounds.set(keyOf(fact), known)
    if (!known.has(bound.sense))
      known.set(bound.sense, {
        kind: fact.kind,
        value: `${bound.sense} ${fact.value}`,
        text: text.slice(bound.at, one.end),
      })
  }
  return bounds
}

/** The two numbers of a range are read at one place. */
const isOfRange = (found: readonly FoundFact[], place: number): boolean =>
  found[place]?.at === found[place - 1]?.at || found[place]?.at === found[place + 1]?.at

function boundBefore(text: string, { at, fact }: FoundFact): { sense: Sense; at: number } | undefined {
  // "Within an hour" has its bound in it.
  const [own = ''] = /^(?!half )\p{L}{1,8} (?=an? )/iu.exec(fact.text) ?? []
  const start = Math.max(0, at - WINDOW)
  const match = BOUND.exec(text.slice(start, at + own.length))
  if (match === null) return undefined
  const sense = senses[match.slice(1).findIndex((words) => words !== undefined)]
  const isOfDate = fact.kind === 'date' || fact.kind === 'time'
  if (sense === undefined || (OF_DATES_ONLY.test(match[0]) && !isOfDate)) return undefined
  return { sense, at: start + match.index }
}
