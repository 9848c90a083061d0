// Values that an edit of articles replaces, and the other articles that still give them.
import { type Article, nameSection } from '../../articles/article.ts'
import type { Fact } from '../../articles/facts.ts'
import type { Passage, Passages } from '../../articles/passages.ts'
import { isBare, isSameFact } from '../../articles/same-fact.ts'
import type { ReplacedValue } from '../../domain/rehearsal.ts'
import { groupBy } from '../../domain/counts.ts'

/** A sentence replaces another if they share so much of the weight of the lighter one. */
const MIN_SHARED = 0.3
/** Two sentences speak of one matter if they share so much of the weight of the lighter one. */
const SAME_MATTER = 0.25

interface Known {
  readonly was: Passages
  readonly now: Passages
}

export interface Replaced extends ReplacedValue {
  readonly fact: Fact
}

/** Values of a removed article are gone with it: nobody has to mend them elsewhere. */
export function replacedValues(
  edited: readonly { readonly before: Article; readonly after: Article }[],
  known: Known,
): Replaced[] {
  return edited.flatMap(({ before, after }) => {
    const old = known.was.of(before)
    const written = known.now.of(after)
    const kept = new Set(written.map(({ text }) => text))
    const standing = new Set(old.map(({ text }) => text))
    const added = written.filter(({ text }) => !standing.has(text))
    const replaced = old
      .filter(({ text }) => !kept.has(text))
      .flatMap((sentence) => replacedIn(sentence, { written, added, after }, known))
    // Two sentences of one article may give the same value.
    return [...groupBy(replaced, (value) => `${value.old}\n${value.now}`).values()].map((alike) => ({
      ...alike[0],
      elsewhere: [
        ...groupBy(
          alike.flatMap(({ elsewhere }) => elsewhere),
          ({ article }) => article,
        ).values(),
      ].map(([first]) => first),
    }))
  })
}

interface Edit {
  readonly after: Article
  readonly written: readonly Passage[]
  readonly added: readonly Passage[]
}

function replacedIn(sentence: Passage, { after, written, added }: Edit, known: Known): Replaced[] {
  const next = nextOf(sentence, added, known.was)
  const isGiven = (fact: Fact, passages: readonly Passage[]): boolean =>
    passages.some(({ facts }) => facts.some((other) => isSameFact(fact, other)))
  // Without its sentence, a value that another one of the article gives still holds.
  const lost = sentence.facts.filter(
    (fact) => fact.kind !== 'negation' && !isGiven(fact, next === undefined ? written : [next]),
  )
  const gained = next?.facts.filter((fact) => !isGiven(fact, [sentence])) ?? []
  return lost.map((fact) => {
    const index = gained.findIndex(({ kind, unit }) => kind === fact.kind && unit === fact.unit)
    const [now] = gained.splice(index === -1 ? gained.findIndex(({ kind }) => kind === fact.kind) : index, 1)
    return {
      fact,
      section: nameSection(sentence.article, sentence.section),
      old: fact.text,
      now: now?.text ?? null,
      elsewhere: stillGiving(fact, sentence, after, known.now),
    }
  })
}

/** The words of a sentence may all be common: "It takes 5 days." */
const withoutFacts = ({ text, facts }: Passage): string =>
  facts.toReversed().reduce((left, { start, end }) => `${left.slice(0, start)}#${left.slice(end)}`, text)

/** Tells how much two sentences share of the matter of the lighter one: 0 to 1. */
function shareOf(sentence: Passage, other: Passage, passages: Passages): number {
  if (withoutFacts(other).includes(withoutFacts(sentence))) return 1
  const both = new Set([...sentence.matter].filter((term) => other.matter.has(term)))
  const lighter = Math.min(passages.weigh(sentence.matter), passages.weigh(other.matter))
  return lighter === 0 ? 0 : passages.weigh(both) / lighter
}

function nextOf(sentence: Passage, added: readonly Passage[], was: Passages): Passage | undefined {
  const shares = added.map((other) => shareOf(sentence, other, was))
  const best = Math.max(0, ...shares)
  return best < MIN_SHARED ? undefined : added[shares.indexOf(best)]
}

function stillGiving(
  fact: Fact,
  sentence: Passage,
  after: Article,
  now: Passages,
): ReplacedValue['elsewhere'] {
  const best = new Map<Article, { readonly passage: Passage; readonly share: number }>()
  for (const passage of now.giving(fact)) {
    if (passage.article === after || !saysStill(fact, passage)) continue
    const share = shareOf(sentence, passage, now)
    if (share > (best.get(passage.article)?.share ?? -1)) best.set(passage.article, { passage, share })
  }
  return [...best.values()]
    .map(({ passage, share }) => ({ passage, share, isSameMatter: share > SAME_MATTER }))
    .filter(({ isSameMatter }) => isSameMatter || isTelling(fact))
    .sort((some, other) => other.share - some.share)
    .map(({ passage, isSameMatter }) => ({
      ...nameSection(passage.article, passage.section),
      text: passage.text.trim(),
      isSameMatter,
    }))
}

/** An answer may leave out the unit; here "bis 25" is no price, and "12 spaces" no midnight. */
const saysStill = (fact: Fact, { facts, isRow }: Passage): boolean =>
  facts.some(
    (known) =>
      isSameFact(fact, known) &&
      (fact.kind === 'time'
        ? known.value === fact.value
        : known.kind === fact.kind || (isRow && isBare(known))),
  )

/** A value such as 5 or two days stands in many articles by chance. */
const isTelling = (fact: Fact): boolean =>
  ['email', 'phone', 'url', 'date', 'amount', 'time'].includes(fact.kind) ||
  (isBare(fact) && Number(fact.value) >= 100)
