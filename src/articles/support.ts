// Each fact of an answer is held against the section of articles that its own sentence resembles.
import { Alignment, heaviest, type Place } from './alignment.ts'
import { givesRange, isCode, isNextTo, isWeekday, type Known, says } from './borne-out.ts'
import { isDerivedDate } from './derived-dates.ts'
import { isDerived } from './derived.ts'
import { extractFacts, type Fact } from './facts.ts'
import { MAX_FACTS, type Passage, type Passages } from './passages.ts'
import { type Clause, clausesIn, oppositeOf } from './polarity.ts'
import { isBare, isInterval, isSameFact } from './same-fact.ts'
import type { LikelySource, ReadAnswer, Sentence } from './source.ts'
import { A_UNIT } from './support-words.ts'
import { languageOf, termsOf } from '../text/words.ts'

export interface Finding {
  /** The fact is in no article (`unsupported`), or in one that may have it for another matter. */
  readonly kind: 'unsupported' | 'elsewhere'
  readonly fact: Pick<Fact, 'kind' | 'text' | 'start' | 'end'>
  readonly sentence: string
  /** A section gives this for the matter of the fact. */
  readonly instead: { readonly passage: Passage; readonly text: string } | null
  readonly at: Passage | null
}

export interface AnswerSupport {
  readonly checked: number
  readonly held: readonly Fact[]
  readonly findings: readonly Finding[]
}

/** Where the source gives another value alone, it has so much of the weight beside the answer's. */
const MARGIN = 0.17
/** Another value of the source has so many times the weight beside a value that the same one has. */
const TIMES = 1.45
/** So much of all is added to both, so that little weight against none says nothing. */
const LEAST = 0.2
const MIN_COUNT = 2
/** A value of the source that is said to stand there instead has so much of that weight. */
const SAME_MATTER = 0.2
/** A sentence that is from another article shares so much of its weight with a passage there. */
const MIN_SHARED = 0.5
/** Such a sentence resembles the other article so much more than the source. */
const LEAD = 1.3

/** Holds an answer's facts against the articles; not those of the question, nor what is not understood. */
export function supportOf(
  answer: ReadAnswer,
  question: string,
  source: LikelySource | null,
  passages: Passages,
): AnswerSupport {
  // "What is a year of parking?" asks for twelve months.
  const units = Array.from(question.matchAll(A_UNIT), ([, unit]) => extractFacts(`1 ${unit}`)).flat()
  const asked = [...extractFacts(question), ...units.filter(({ kind }) => kind === 'duration')]
  const stated = [...asked, ...answer.sentences.flatMap(({ facts }) => facts)]
  const askedTerms = new Set(termsOf(question, languageOf(question)))
  const near =
    source?.article ?? passages.nearest([...answer.sentences, { terms: askedTerms, facts: [] }])[0]?.article
  const own = near === undefined ? [] : passages.of(near)
  const known: Known = {
    answer,
    asked,
    stated,
    own,
    isSure: source !== null,
    passages,
  }
  const held: Fact[] = []
  let left = MAX_FACTS
  const results = answer.sentences.flatMap((sentence) => {
    const clauses = clausesIn(sentence.text, answer.language, true).slice(0, left)
    left -= clauses.length
    const ofFacts = sentence.facts.map((fact) => {
      const finding = findingOf(fact, sentence, known)
      if (finding === null) held.push(fact)
      return finding
    })
    return [...clauseFindings(clauses, sentence, known), ...ofFacts]
  })
  return {
    checked: results.filter((result) => result !== undefined).length,
    held,
    findings: results.filter((result) => result !== undefined && result !== null),
  }
}

/** Returns null for a fact that is borne out, undefined for one that is not checked. */
function findingOf(fact: Fact, sentence: Sentence, known: Known) {
  const { asked, own, isSure, passages } = known
  if (fact.kind === 'negation') return undefined
  if (asked.some((other) => says(other, fact, sentence)) || isExcepted(fact, sentence)) return undefined

  const alignment = new Alignment(fact, sentence, known)
  const { all } = alignment
  const holders = alignment.holders()
  const [holder, rival] = [heaviest(holders), heaviest(alignment.rivals(holders))]
  // An article may name several pages of one site.
  const isLed =
    isSure &&
    fact.kind !== 'url' &&
    rival !== undefined &&
    rival.weight > SAME_MATTER * all &&
    (rival.count >= MIN_COUNT || (fact.kind === 'number' && isCountOf(fact, rival.fact))) &&
    leads(rival, holder, all)
  if (holder !== undefined && !isLed) return null
  const instead =
    rival?.fact !== undefined && rival.weight > SAME_MATTER * all
      ? { passage: rival.passage, text: rival.fact.text }
      : null
  const other = holder === undefined ? passages.elsewhere(fact, sentence.matter, own[0]?.article) : undefined
  if (other !== undefined && (!isSure || isFrom(other, fact, sentence, known))) return null
  if (holder === undefined && isWeak(fact) && !(instead && isCountOf(fact, rival?.fact))) return undefined
  if (own.some((passage) => isNextTo(fact, sentence, passage))) return undefined
  if (isDerived(fact, sentence, known, isLed) || isDerivedDate(fact, sentence, known)) return undefined
  const at = other ?? holder?.passage ?? null
  const kind = at === null ? 'unsupported' : 'elsewhere'
  return { kind, fact, sentence: sentence.text.trim(), instead, at } as const
}

function leads(rival: Place, holder: Place | undefined, all: number): boolean {
  if (holder === undefined) return rival.weight > MARGIN * all
  const least = LEAST * all
  return rival.weight + least > TIMES * (holder.weight + least)
}

function isFrom(other: Passage, fact: Fact, sentence: Sentence, { own, passages }: Known): boolean {
  const { matter, facts } = sentence
  const sought = {
    terms: matter,
    facts: facts.filter((some) => some.kind !== 'negation' && !isSameFact(fact, some)),
  }
  const shared = passages.sharedBy(other, sought)
  return (
    shared > MIN_SHARED * passages.weigh(matter) &&
    shared > LEAD * Math.max(...own.map((passage) => passages.sharedBy(passage, sought))) &&
    givesRange(other, fact, sentence) &&
    other.facts.some((some) => some.kind === fact.kind && isSameFact(fact, some))
  )
}

/** The whole sentence counts where none of its clauses alone is denied; a clause counts once. */
function clauseFindings(clauses: readonly Clause[], sentence: Sentence, known: Known) {
  const found = clauses.map((clause) => ({ clause, finding: clauseFinding(clause, sentence, known) }))
  const isDenied = found.some(({ clause, finding }) => !clause.isWhole && finding)
  const byPlace = new Map<number, (typeof found)[number]['finding']>()
  for (const { clause, finding } of found)
    if (!clause.isWhole || (finding && !isDenied))
      byPlace.set(clause.start, byPlace.get(clause.start) || finding)
  return [...byPlace.values()]
}

function clauseFinding(clause: Clause, { text, start }: Sentence, { own, isSure, passages }: Known) {
  const passage = isSure ? oppositeOf(clause, own, passages) : undefined
  if (passage === undefined || passage === null) return passage
  const written = clause.text.replaceAll(/^[\s*_`]+|[\s*_`]+$/g, '')
  const from = start + clause.start + clause.text.indexOf(written)
  const fact = { kind: 'negation', text: written, start: from, end: from + written.length } as const
  const instead = { passage, text: passage.text }
  return { kind: 'unsupported', fact, sentence: text.trim(), instead, at: null } as const
}

/** A small count or a share in words may be the answer's own: flagged where the source counts otherwise. */
const isWeak = (fact: Fact): boolean =>
  isWeekday(fact) ||
  (isBare(fact) && (Number(fact.value) < 10 || DOZEN.test(fact.text))) ||
  (isCode(fact) && !/[-.]/.test(fact.value) && fact.value.length < 5) ||
  (fact.kind === 'percentage' && !/\d.*(?:%|cent|prozent|ciento)/i.test(fact.text)) ||
  isInterval(fact) ||
  (fact.kind !== 'date' && /^1[ -]?\p{L}/u.test(fact.digits))

/** "Every day but Sunday": the source may name the others. */
const isExcepted = (fact: Fact, { text, start }: Sentence): boolean =>
  isWeekday(fact) && EXCEPT.test(text.slice(0, fact.start - start))
const EXCEPT = /(?<!\p{L})(?:except|but|außer|ausser|sauf|excepto|salvo)(?: (?:on|for|an|am|le|los?))? $/iu

const DOZEN = /^(?:dozen|dutzend|douzaine|docena)/iu

/** The words beside two numbers say whether they count the same. */
function isCountOf(fact: Fact, known: Fact | undefined): boolean {
  const [some, others] = [fact, known].map((other) => termsOf(`${other?.before} ${other?.next}`, undefined))
  return fact.kind !== 'number' || some?.some((noun) => others?.includes(noun)) === true
}
