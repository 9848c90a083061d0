// Why a question is a gap: an article answers it and was not used, there is none, or neither is safe to say.
import type { Cause } from '../../domain/articles.ts'
import type { ArticleIndex, Features, Nearest } from '../../articles/index.ts'
import { languageOf, type Language } from '../../articles/words.ts'
import { type Grounded, Wording } from '../../articles/wording.ts'
import { fitLogistic, type Logistic, type Prior, probabilityOf } from '../../stats/logistic.ts'

/** What a cause rests on: values for a sentence. */
export type Because =
  /** Words of the question that the nearest article has, and lacks. */
  | { readonly kind: 'words'; readonly held: readonly string[]; readonly missing: readonly string[] }
  /** No article is in the question's language. */
  | { readonly kind: 'language'; readonly language: Language }
  /** The question has no word that says what it is about. */
  | { readonly kind: 'no-terms' }

/** Why a question is a gap, and which articles are near it. */
export interface GapCause {
  readonly cause: Cause
  /** The three best articles or fewer, whatever the cause. */
  readonly nearest: readonly Nearest[]
  readonly because: Because
}

/** How the line did on questions that it was not drawn from. */
export interface Measured {
  /** Each question counts twice: with its article, and with that article left out. */
  readonly tried: number
  readonly decided: number
  /** Of the decided ones. */
  readonly wrong: number
}

/** The line between the causes: the usual one, moved by the questions of a run. */
export interface CauseLine {
  readonly model: Logistic
  readonly wording: Wording
  readonly measured: Measured
  /** The questions that `measured` speaks of. */
  readonly from: 'grounded' | 'shipped'
}

/** Fewer questions measure an error too roughly. */
const MIN_MEASURED = 20
/** A cause is stated where its probability is at least this. */
const SURE = 0.8
/** Parts of the articles, each of which is left out once to measure the line. */
const MAX_FOLDS = 10
/**
 * Weighs the usual line against the questions of a run. 0.3 decides more, but is wrong half again as often
 * where five questions are known; 3 decides a tenth less.
 */
const USUAL_STRENGTH = 1

/**
 * The line of the question sets that this project ships (`datasets/regression.csv` and `follow-ups.csv`:
 * their articles are known), where a run has no questions of its own. `test/analysis/usual-line.test.ts`
 * draws it, and measures it with each tenth of the articles left out in turn.
 */
export const USUAL_LINE: { readonly model: Logistic; readonly measured: Measured } = {
  model: {
    intercept: -5.546,
    coefficients: [0.782, -7.565, 1.51, 1.363, 2.118, 3.74, 0.139],
  },
  measured: { tried: 626, decided: 225, wrong: 30 },
}

/**
 * Moves the usual line towards the questions that were answered from a known article, each tried with its
 * article in the index and with that article left out. Without any it is the usual line.
 */
export function calibrate(index: ArticleIndex, grounded: readonly Grounded[]): CauseLine {
  const known = new Set(index.articles.map(({ id }) => id))
  const questions = grounded.filter(({ article }) => known.has(article))
  const wording = new Wording(index, questions)
  const trials = questions.flatMap((question) => trialsOf(index, question, wording))
  const prior = { fit: USUAL_LINE.model, strength: USUAL_STRENGTH }
  const isMeasured = questions.length >= MIN_MEASURED
  return {
    model: lineOf(trials, prior),
    wording,
    measured: isMeasured ? crossValidate(trials, prior) : USUAL_LINE.measured,
    from: isMeasured ? 'grounded' : 'shipped',
  }
}

/** A question with its article in the index, or left out. */
export interface Trial {
  readonly row: readonly number[]
  readonly isAnswered: boolean
  /** The question's article. */
  readonly article: string
}

/** A question tried in both ways. */
export function trialsOf(index: ArticleIndex, { question, article }: Grounded, wording?: Wording): Trial[] {
  const options = { wording, apart: article, limit: 1 }
  const [whole] = index.nearest(question, options)
  const [others] = index.nearest(question, { ...options, without: article })
  return [
    { row: rowOf(whole?.features), isAnswered: true, article },
    { row: rowOf(others?.features), isAnswered: false, article },
  ]
}

const NOTHING: Features = {
  held: 0,
  heldByTitle: 0,
  titleHeld: 0,
  lead: 0,
  missing: 1,
  score: 0,
  terms: 0,
}

function rowOf(features: Features = NOTHING): readonly number[] {
  const { held, heldByTitle, titleHeld, lead, missing, score, terms } = features
  return [held, heldByTitle, titleHeld, lead, missing, score, Math.log(1 + terms)]
}

/** The line of trials, or, without any, that of the prior. */
export function lineOf(trials: readonly Trial[], prior: Prior): Logistic {
  if (trials.length === 0 && prior.fit !== undefined) return prior.fit
  return fitLogistic(
    trials.map(({ row }) => row),
    trials.map(({ isAnswered }) => isAnswered),
    prior,
  )
}

/**
 * Draws the line ten times, each time without a tenth of the articles and all of their questions, and tries
 * it on those: questions about one article are alike, so they must not stand on both sides.
 */
export function crossValidate(trials: readonly Trial[], prior: Prior): Measured {
  const articles = [...new Set(trials.map(({ article }) => article))]
  const foldOf = new Map(articles.map((article, number) => [article, number % MAX_FOLDS]))
  let [decided, wrong] = [0, 0]
  for (let fold = 0; fold < Math.min(MAX_FOLDS, articles.length); fold += 1) {
    const model = lineOf(
      trials.filter(({ article }) => foldOf.get(article) !== fold),
      prior,
    )
    for (const { row, isAnswered, article } of trials) {
      if (foldOf.get(article) !== fold) continue
      const cause = decide(probabilityOf(model, row))
      if (cause === 'unclear') continue
      decided += 1
      if ((cause === 'not-used') !== isAnswered) wrong += 1
    }
  }
  return { tried: trials.length, decided, wrong }
}

function decide(probability: number): Cause {
  if (probability >= SURE) return 'not-used'
  return probability <= 1 - SURE ? 'no-article' : 'unclear'
}

/** The cause of a gap. */
export function causeOf(index: ArticleIndex, question: string, { model, wording }: CauseLine): GapCause {
  const nearest = index.nearest(question, { wording })
  const unclear = (because: Because): GapCause => ({ cause: 'unclear', nearest, because })
  const language = languageOf(question)
  if (language !== undefined && index.language !== undefined && !index.languages.includes(language))
    return unclear({ kind: 'language', language })
  const terms = index.termsOf(question)
  if (terms.length === 0) return unclear({ kind: 'no-terms' })
  const [best] = nearest
  return {
    cause: decide(probabilityOf(model, rowOf(best?.features))),
    nearest,
    because: {
      kind: 'words',
      held: index.wordsOf(question, best?.heldTerms ?? []),
      missing: index.wordsOf(question, best?.missingTerms ?? terms),
    },
  }
}
