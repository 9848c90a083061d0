// Why a question is a gap: an article answers it and was not used, there is none, or neither is safe to say.
import type { Article, Section } from '../../articles/article.ts'
import type { Cause } from '../../domain/articles.ts'
import { ArticleIndex, type Features, type Nearest } from '../../articles/index.ts'
import { languageOf, type Language } from '../../articles/words.ts'
import { type Grounded, Wording } from '../../articles/wording.ts'
import { fitLogistic, type Logistic, probabilityOf } from '../../stats/logistic.ts'

/** What a cause rests on: values for a sentence. */
export type Because =
  /**
   * Words of the question that the nearest article has, and lacks; `sure`: the probability that one answers.
   */
  | {
      readonly kind: 'words'
      readonly held: readonly string[]
      readonly missing: readonly string[]
      readonly sure: number
    }
  /** No article is in the question's language. */
  | { readonly kind: 'language'; readonly language: Language }
  /** The question has no word that says what it is about. */
  | { readonly kind: 'no-terms' }
  /** There is nothing to draw the line from. */
  | { readonly kind: 'no-line' }

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

/** The line between the causes, drawn from questions whose articles are known. */
export interface CauseLine {
  readonly model: Logistic
  readonly wording: Wording
  readonly measured: Measured
  /** Where its questions come from. */
  readonly from: 'grounded' | 'mixed'
}

/**
 * Fewer grounded questions than this tell little of seven features: alone, 24 of them left 84 % of the
 * shipped questions unclear, and together with the articles 70 %, at no more errors.
 */
const MIN_ALONE = 50
/** Of both kinds together. */
const MIN_TRIALS = 40
/** A cause is stated where its probability is at least this. */
const SURE = 0.8
/** A weak prior: it keeps the fit finite where the features separate the questions. */
const RIDGE = 1
const MAX_FOLDS = 10

/**
 * From the grounded questions; where they are few, also from the articles themselves. Undefined where there
 * is too little to draw a line from: every cause is then unclear.
 */
export function calibrate(index: ArticleIndex, grounded: readonly Grounded[]): CauseLine | undefined {
  const known = new Set(index.articles.map(({ id }) => id))
  const questions = grounded.filter(({ article }) => known.has(article))
  const wording = new Wording(index, questions)
  const own = questions.flatMap((question) => trialsOf(index, question, wording))
  const from = questions.length < MIN_ALONE ? 'mixed' : 'grounded'
  const trials = from === 'mixed' ? [...own, ...openingTrials(index.articles, wording)] : own
  // One article alone cannot be tried on another.
  if (trials.length < MIN_TRIALS || new Set(trials.map(({ article }) => article)).size < 2) return undefined
  return { model: fit(trials), wording, measured: crossValidate(trials), from }
}

/** More take seconds, and draw the same line. */
const MAX_OPENINGS = 500
/** In characters: a shorter sentence is a label, a longer one a list or code. */
const SENTENCE = { min: 30, max: 300, within: 5000 }

/**
 * Asks the first sentence of each article, which says what it is about, of an index where the article lacks
 * it: the inverse cloze task of Lee, Chang and Toutanova 2019 ("Latent Retrieval for Weakly Supervised Open
 * Domain Question Answering"). Titles as questions decided more causes, and were wrong nearly twice as often.
 */
function openingTrials(articles: readonly Article[], wording: Wording): Trial[] {
  const cut = articles.slice(0, MAX_OPENINGS).flatMap((article) => {
    const question = openingOf(article)
    if (question === undefined) return []
    const [first, ...others] = article.sections
    const without = ({ heading, text }: Section): Section => ({
      heading,
      text: text.replace(question, () => ' '),
    })
    const sections: Article['sections'] = [without(first), ...others.map(without)]
    return [{ question, article: { ...article, sections } }]
  })
  const index = new ArticleIndex(cut.map(({ article }) => article))
  return cut.flatMap(({ question, article }) => trialsOf(index, { question, article: article.id }, wording))
}

/** The first sentence that may stand for a question. */
function openingOf({ sections }: Article): string | undefined {
  for (const { text } of sections) {
    const sentences = text.slice(0, SENTENCE.within).split(/(?<=[.?!])\s+|\n+/)
    const found = sentences.find(({ length }) => length >= SENTENCE.min && length <= SENTENCE.max)
    if (found !== undefined) return found
  }
  return undefined
}

/** A question with its article in the index, or left out. */
interface Trial {
  readonly row: readonly number[]
  readonly isAnswered: boolean
  /** The question's article. */
  readonly article: string
}

function trialsOf(index: ArticleIndex, { question, article }: Grounded, wording: Wording): Trial[] {
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
  unknown: 1,
  score: 0,
  terms: 0,
}

function rowOf(features: Features = NOTHING): readonly number[] {
  const { held, heldByTitle, titleHeld, lead, unknown, score, terms } = features
  return [held, heldByTitle, titleHeld, lead, unknown, score, Math.log(1 + terms)]
}

const fit = (trials: readonly Trial[]): Logistic =>
  fitLogistic(
    trials.map(({ row }) => row),
    trials.map(({ isAnswered }) => isAnswered),
    RIDGE,
  )

/**
 * Draws the line ten times, each time without a tenth of the articles and all of their questions, and tries
 * it on those: questions about one article are alike, so they must not stand on both sides.
 */
function crossValidate(trials: readonly Trial[]): Measured {
  const articles = [...new Set(trials.map(({ article }) => article))]
  const folds = Math.min(MAX_FOLDS, articles.length)
  const foldOf = new Map(articles.map((article, number) => [article, number % folds]))
  let [decided, wrong] = [0, 0]
  for (let fold = 0; fold < folds; fold += 1) {
    const others = trials.filter(({ article }) => foldOf.get(article) !== fold)
    if (others.length === 0) continue
    const model = fit(others)
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

/** Whether question and title have the same terms: no line is needed to see that. */
const isItsTitle = ({ features: { heldByTitle, titleHeld } }: Nearest): boolean =>
  Math.min(heldByTitle, titleHeld) > 0.99

/** The cause of a gap. */
export function causeOf(index: ArticleIndex, question: string, line: CauseLine | undefined): GapCause {
  const nearest = index.nearest(question, { wording: line?.wording })
  const unclear = (because: Because): GapCause => ({ cause: 'unclear', nearest, because })
  const language = languageOf(question)
  if (language !== undefined && index.language !== undefined && !index.languages.includes(language))
    return unclear({ kind: 'language', language })
  const terms = index.termsOf(question)
  if (terms.length === 0) return unclear({ kind: 'no-terms' })
  const [best] = nearest
  if (line === undefined && best !== undefined && !isItsTitle(best)) return unclear({ kind: 'no-line' })
  const sure =
    line === undefined ? Number(best !== undefined) : probabilityOf(line.model, rowOf(best?.features))
  const [held, missing] = [nearest[0]?.heldTerms ?? [], nearest[0]?.missingTerms ?? terms].map((some) =>
    index.wordsOf(question, some),
  ) as [string[], string[]]
  return { cause: decide(sure), nearest, because: { kind: 'words', held, missing, sure } }
}
