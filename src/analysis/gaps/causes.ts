// Why a question is a gap: an article answers it and was not used, there is none, or neither is safe to say.
import type { Cause } from '../../domain/articles.ts'
import type { ArticleIndex, Features, Nearest } from '../../articles/index.ts'
import { type Language, languageOf } from '../../text/words.ts'
import { type Grounded, Wording } from '../../articles/wording.ts'
import { fitLogistic, type Logistic, type Prior, probabilityOf } from '../../stats/logistic.ts'

/** What a cause rests on: values for a sentence. */
export type Because =
  /** Words of the question that stand in the nearest article, and those that nothing there resembles. */
  | { readonly kind: 'words'; readonly held: readonly string[]; readonly missing: readonly string[] }
  /** No article has a word like one of the question. */
  | { readonly kind: 'nothing' }
  /** No article, or few, are in the question's language. */
  | { readonly kind: 'language'; readonly language: Language; readonly articles: number }
  /** A person said of nearly the same question that no article answers it. */
  | { readonly kind: 'like'; readonly question: string }
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
  /** How probable a cause must be. */
  readonly sure: number
  readonly measured: Measured
  /** The questions that `measured` speaks of. */
  readonly from: 'grounded' | 'shipped'
}

/** Fewer questions measure an error too roughly. */
const MIN_MEASURED = 20
/**
 * A cause is stated where its probability is at least this. 0.8 decides 4 points less, 0.75 decides 4 points more;
 * a point less and more of these is wrong. A follow-up leans on what came before, so the line must be surer.
 */
export const SURE = 0.78
const SURE_OF_FOLLOW_UP = 0.8
/** The usual line of a run with fewer grounded questions is wrong half again as often: it must be surer. */
const MIN_GROUNDED = 5
export const SURER = 0.9
/** Where a question has fewer terms, an article with other words for them may well answer it. */
const MIN_TERMS = 3
/** Where an article holds less of a short follow-up itself, it fits its opening alone. */
const MIN_OWN_HELD = 0.75
/** Where fewer articles are in the language of a question, one in another language may answer it. */
const MIN_LANGUAGE_SHARE = 0.25
/** Parts of the articles, each of which is left out once to measure the line. */
const MAX_FOLDS = 10
/**
 * Weighs the usual line against the questions of a run. 0.3 decides more, but is wrong half again as often
 * where five questions are known; 3 decides a tenth less.
 */
const USUAL_STRENGTH = 1

/** A line, and how it did where a cause must be `SURE`, and where it must be surer. */
interface UsualLine extends Readonly<Record<'measured' | 'measuredSurer', Measured>> {
  readonly model: Logistic
}

/**
 * The line of the question sets that this project ships (`datasets/regression.csv` and `follow-ups.csv`:
 * their articles are known), where a run has no questions of its own, and that with the vectors of
 * all-MiniLM-L6-v2. `test/analysis/usual-line.test.ts` draws them, and measures them with each tenth of the
 * articles left out in turn.
 */
export const USUAL_LINES: Readonly<Record<'terms' | 'vectors', UsualLine>> = {
  terms: {
    model: {
      intercept: -6.11,
      coefficients: [1.6, -7.33, 2.12, 1.6, 1.86, 3.19, 0.56],
    },
    measured: { tried: 626, decided: 221, wrong: 23 },
    measuredSurer: { tried: 626, decided: 77, wrong: 2 },
  },
  vectors: {
    model: {
      intercept: -4.54,
      coefficients: [2.64, -3.58, 2.19, -0.12, 1.57, 1.57, 0.46, 1.52, 1.04, 0.97],
    },
    measured: { tried: 626, decided: 225, wrong: 28 },
    measuredSurer: { tried: 626, decided: 77, wrong: 8 },
  },
}

export const usualLineOf = ({ hasVectors }: ArticleIndex): UsualLine =>
  USUAL_LINES[hasVectors ? 'vectors' : 'terms']

/**
 * Moves the usual line towards the questions that were answered from a known article, each tried with its
 * article in the index and with that article left out. Without any it is the usual line.
 */
export function calibrate(index: ArticleIndex, grounded: readonly Grounded[]): CauseLine {
  const known = new Set(index.articles.map(({ id }) => id))
  const questions = grounded.filter(({ article }) => known.has(article))
  const wording = new Wording(index, questions)
  const trials = questions.flatMap((question) => trialsOf(index, question, wording))
  const usual = usualLineOf(index)
  const prior = { fit: usual.model, strength: USUAL_STRENGTH }
  const line = { model: lineOf(trials, prior), wording }
  if (questions.length >= MIN_MEASURED)
    return { ...line, sure: SURE, measured: crossValidate(trials, prior, SURE), from: 'grounded' }
  return questions.length >= MIN_GROUNDED
    ? { ...line, sure: SURE, measured: usual.measured, from: 'shipped' }
    : { ...line, sure: SURER, measured: usual.measuredSurer, from: 'shipped' }
}

/** A question with its article in the index, or left out, and what speaks for the best article then. */
export interface Trial {
  readonly features: Features
  readonly isAnswered: boolean
  /** The question's article. */
  readonly article: string
}

/** A question tried in both ways. */
export function trialsOf(
  index: ArticleIndex,
  { question, opening, article }: Grounded,
  wording?: Wording,
): Trial[] {
  const options = { opening, wording, apart: article }
  return [
    { features: index.best(question, options), isAnswered: true, article },
    { features: index.best(question, { ...options, without: article }), isAnswered: false, article },
  ]
}

/** The columns that the line is drawn in. */
export function rowOf({ cosines = [], ...features }: Features): readonly number[] {
  const { held, heldByTitle, titleHeld, lead, missing, score, terms } = features
  return [held, heldByTitle, titleHeld, lead, missing, score, Math.log(1 + terms), ...cosines]
}

/** The line of trials, or, without any, that of the prior. */
export function lineOf(trials: readonly Trial[], prior: Prior): Logistic {
  if (trials.length === 0 && prior.fit !== undefined) return prior.fit
  return fitLogistic(
    trials.map(({ features }) => rowOf(features)),
    trials.map(({ isAnswered }) => isAnswered),
    prior,
  )
}

/**
 * Draws the line ten times, each time without a tenth of the articles and all of their questions, and tries
 * it on those: questions about one article are alike, so they must not stand on both sides.
 */
export function crossValidate(trials: readonly Trial[], prior: Prior, sure: number): Measured {
  const articles = [...new Set(trials.map(({ article }) => article))]
  const foldOf = new Map(articles.map((article, number) => [article, number % MAX_FOLDS]))
  let [decided, wrong] = [0, 0]
  for (let fold = 0; fold < Math.min(MAX_FOLDS, articles.length); fold += 1) {
    const model = lineOf(
      trials.filter(({ article }) => foldOf.get(article) !== fold),
      prior,
    )
    for (const { features, isAnswered, article } of trials) {
      if (foldOf.get(article) !== fold) continue
      const cause = decide(features, { model, sure })
      if (cause === 'unclear') continue
      decided += 1
      if ((cause === 'not-used') !== isAnswered) wrong += 1
    }
  }
  return { tried: trials.length, decided, wrong }
}

function decide(features: Features, line: Pick<CauseLine, 'model' | 'sure'>): Cause {
  const { terms, ownHeld } = features
  const probability = probabilityOf(line.model, rowOf(features))
  const sure = ownHeld === null ? line.sure : Math.max(line.sure, SURE_OF_FOLLOW_UP)
  if (probability <= 1 - sure) return terms < MIN_TERMS ? 'unclear' : 'no-article'
  return probability < sure || (ownHeld ?? 1) < MIN_OWN_HELD ? 'unclear' : 'not-used'
}

/** The cause of a gap. `opening`: of the conversation, where the question is not its first. */
export function causeOf(
  index: ArticleIndex,
  { message, opening }: { readonly message: string; readonly opening?: string | undefined },
  line: CauseLine,
): GapCause {
  const options = { opening, wording: line.wording }
  const nearest = index.nearest(message, options)
  const unclear = (because: Because): GapCause => ({ cause: 'unclear', nearest, because })
  if (index.termsOf(message).length === 0) return unclear({ kind: 'no-terms' })
  const like = index.noneLike(message, options)
  if (like !== undefined) return { cause: 'no-article', nearest, because: { kind: 'like', question: like } }
  const [best] = nearest
  const cause = decide(best?.features ?? index.best(message, options), line)
  const language = languageOf(message) ?? languageOf(opening ?? '')
  const articles = index.languages.filter((one) => one === language).length
  const isForeign =
    language !== undefined &&
    index.language !== undefined &&
    articles < MIN_LANGUAGE_SHARE * index.articles.length
  if (isForeign && (articles === 0 || cause === 'no-article'))
    return unclear({ kind: 'language', language, articles })
  if (best === undefined) return { cause, nearest, because: { kind: 'nothing' } }
  const words = index.wordsOf(message, best.article, { opening })
  return { cause, nearest, because: { kind: 'words', ...words } }
}
