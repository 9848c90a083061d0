// Why a question is a gap: an article on its topic was not used, there is none, or neither is safe to say.
import type { Cause } from '../../domain/articles.ts'
import { listNames } from '../../domain/format.ts'
import { nameSection } from '../../articles/article.ts'
import { AskedFor } from '../../articles/asked-for.ts'
import type { ArticleIndex } from '../../articles/index.ts'
import { type Features, LookUp } from '../../articles/look-up.ts'
import { languageOf, MAX_QUESTION } from '../../text/words.ts'
import { fitLogistic, type Logistic, type Prior, probabilityOf } from '../../stats/logistic.ts'
import type { NoneEntries } from './decisions.ts'

export interface Grounded {
  readonly question: string
  readonly opening?: string | undefined
  readonly article: string
  /** Another article may answer it as well: it is not tried without its own, and teaches it no words. */
  readonly isRivalled?: boolean
}

/** The line is tried on questions that it was not drawn from. */
export interface Measured {
  /** Each question counts twice: with its article, and with that article left out. */
  readonly tried: number
  readonly decided: number
  readonly wrong: number
}

export interface CauseLine {
  readonly model: Logistic
  readonly asked: AskedFor
  readonly sure: number
  readonly measured: Measured
  readonly from: 'grounded' | 'shipped'
}

/** Fewer questions measure an error too roughly. */
const MIN_MEASURED = 20
/** A cause is stated where its probability is at least this. A point more decides 1.5 points less. */
export const SURE = 0.8
/** The usual line of a run with fewer grounded questions is wrong half again as often: it must be surer. */
const MIN_GROUNDED = 5
export const SURER = 0.9
/** A question with fewer terms may well be answered by an article with other words. */
const MIN_TERMS = 3
/**
 * What few articles say is easily asked in other words: of questions that one of 16 articles answers, 10 in
 * 100 were called `no-article` at 0.8, 4 at 0.9, and less than 1 at 0.95.
 */
const FEW_ARTICLES = 25
const SUREST = 0.95
/** A short follow-up fits its opening alone, if an article holds less of the follow-up itself. */
const MIN_OWN_HELD = 0.75
/** An article in another language may answer a question, if fewer are in its language. */
const MIN_LANGUAGE_SHARE = 0.25
const MAX_FOLDS = 10
/**
 * Weighs the usual line against the questions of a run. 0.3 decides more, but is wrong half again as often
 * where five questions are known; 3 decides a tenth less.
 */
const USUAL_STRENGTH = 1

interface UsualLine {
  readonly model: Logistic
  readonly measured: Measured
  readonly measuredSurer: Measured
}

/**
 * The line is drawn from the question sets that this project ships, whose articles are known, and once more
 * with the vectors of all-MiniLM-L6-v2. `test/analysis/usual-line.test.ts` draws and measures it.
 */
export const USUAL_LINES: Readonly<Record<'terms' | 'vectors', UsualLine>> = {
  terms: {
    model: {
      intercept: -6.11,
      coefficients: [1.54, -7.49, 2.09, 1.59, 1.87, 3.26, 0.55],
    },
    measured: { tried: 626, decided: 209, wrong: 21 },
    measuredSurer: { tried: 626, decided: 78, wrong: 2 },
  },
  vectors: {
    model: {
      intercept: -4.55,
      coefficients: [2.54, -3.61, 2.05, -0.1, 1.57, 1.65, 0.48, 1.48, 1.01, 1.04],
    },
    measured: { tried: 626, decided: 209, wrong: 27 },
    measuredSurer: { tried: 626, decided: 73, wrong: 7 },
  },
}

export const usualLineOf = ({ vectors }: ArticleIndex): UsualLine =>
  USUAL_LINES[vectors === undefined ? 'terms' : 'vectors']

/** Moves the usual line towards questions of a known article, each tried with it and without it. */
export function calibrate(index: ArticleIndex, grounded: readonly Grounded[]): CauseLine {
  const questions = grounded.filter(({ article }) => index.numbers.has(article))
  const asked = new AskedFor(
    index,
    questions.filter(({ isRivalled }) => isRivalled !== true),
  )
  const trials = questions.flatMap((question) => trialsOf(index, question, asked))
  const usual = usualLineOf(index)
  const prior = { fit: usual.model, strength: USUAL_STRENGTH }
  const line = { model: lineOf(trials, prior), asked }
  if (questions.length >= MIN_MEASURED)
    return { ...line, sure: SURE, measured: crossValidate(trials, prior, SURE), from: 'grounded' }
  return questions.length >= MIN_GROUNDED
    ? { ...line, sure: SURE, measured: usual.measured, from: 'shipped' }
    : { ...line, sure: SURER, measured: usual.measuredSurer, from: 'shipped' }
}

export function trialsOf(index: ArticleIndex, grounded: Grounded, asked?: AskedFor) {
  const { question, opening, article, isRivalled } = grounded
  return [undefined, ...(isRivalled === true ? [] : [article])].map((without) => ({
    features: new LookUp(index, question, { opening, asked, answer: article, without }).best(),
    isAnswered: without === undefined,
    article,
  }))
}

type Trial = ReturnType<typeof trialsOf>[number]

export function rowOf({ cosines = [], ...features }: Features): readonly number[] {
  const { held, heldByTitle, titleHeld, lead, missing, score, terms } = features
  return [held, heldByTitle, titleHeld, lead, missing, score, Math.log(1 + terms), ...cosines]
}

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

function decide(features: Features, { model, sure }: Pick<CauseLine, 'model' | 'sure'>): Cause {
  const { terms, ownHeld } = features
  const probability = probabilityOf(model, rowOf(features))
  if (probability <= 1 - sure) return terms < MIN_TERMS ? 'unclear' : 'no-article'
  return probability < sure || (ownHeld ?? 1) < MIN_OWN_HELD ? 'unclear' : 'not-used'
}

/** Says why a question is a gap. `because` is untrusted: it quotes the question. */
export function causeOf(
  index: ArticleIndex,
  { message, opening }: { readonly message: string; readonly opening?: string | undefined },
  line: CauseLine,
  none?: NoneEntries,
) {
  const options = { opening, asked: line.asked }
  const look = new LookUp(index, message, options)
  const found = look.nearest()
  const nearest = found.map(({ article }) => {
    const { held, missing } = look.wordsOf(article)
    return { ...nameSection(article, look.sectionOf(article)), has: held, lacks: missing }
  })
  const gap = (cause: Cause, because: string) => ({ cause, because, nearest })
  if (look.terms.length === 0) return gap('unclear', 'The question has no word that says what it is about.')
  const alike = none?.alike(look)
  if (alike !== undefined)
    return gap('no-article', `A person said of nearly the same question that no article answers it: ${alike}`)
  const [best] = found
  const features = best?.features ?? look.best()
  const cause = decide(features, line)
  const inLanguage = articlesInLanguage(index, message)
  if (inLanguage === 0) return gap('unclear', 'No article is in the language of the question.')
  if (cause === 'no-article' && inLanguage < MIN_LANGUAGE_SHARE * index.articles.length)
    return gap('unclear', 'Few articles are in the language of the question.')
  const { length: known } = index.articles
  if (
    cause === 'no-article' &&
    known < FEW_ARTICLES &&
    probabilityOf(line.model, rowOf(features)) > 1 - SUREST
  )
    return gap('unclear', `One of so few articles (${known}) may say it in other words.`)
  const leaning = (): Features => new LookUp(index, message, { ...options, leans: true }).best()
  if (cause === 'no-article' && opening !== undefined && decide(leaning(), line) !== cause)
    return gap('unclear', 'The question may go on from those before it.')
  if (best === undefined) return gap(cause, 'No article has a word of the question that matters.')
  const { held, missing } = look.wordsOf(best.article)
  const lacks = `lacks ${listNames(missing)}.`
  if (held.length > 0)
    return gap(
      cause,
      `The nearest article has ${listNames(held)}${missing.length === 0 ? '.' : `; it ${lacks}`}`,
    )
  const says = missing.length === 0 ? 'has only words like those of the question.' : lacks
  return gap(cause, `The nearest article ${says}`)
}

/** Counts all articles where the language hangs on a single word of the question, or cannot be told. */
function articlesInLanguage({ articles, language, languages }: ArticleIndex, message: string): number {
  // Each word costs a reading of all: a pasted mail of 1,000 words took 50 ms.
  const text = message.slice(0, MAX_QUESTION)
  const asked = languageOf(text)
  const words = text.split(/\s+/)
  const isSure = words.every((_, index) => languageOf(words.toSpliced(index, 1).join(' ')) === asked)
  if (asked === undefined || language === undefined || !isSure) return articles.length
  return languages.filter((other) => other === asked).length
}
