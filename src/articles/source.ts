// The likely source of an answer is the article whose sentences share most of its words and values.
import { type Language, languageOf, termsOf } from '../text/words.ts'
import type { Article, ArticleSection } from './article.ts'
import { BETWEEN_SENTENCES, extractFacts, type Fact } from './facts.ts'
import {
  languageOfArticle,
  matterOf,
  MAX_FACTS,
  type Matter,
  type Passage,
  type Passages,
} from './passages.ts'
import { isSameFact } from './same-fact.ts'

export interface Sentence {
  readonly text: string
  readonly start: number
  readonly terms: ReadonlySet<string>
  readonly matter: ReadonlySet<string>
  readonly facts: readonly Fact[]
}

export interface ReadAnswer {
  readonly language: Language | undefined
  readonly sentences: readonly Sentence[]
}

/** An answer of few words is in the `usual` language of the articles. */
export function readAnswer(answer: string, usual?: Language): ReadAnswer {
  const language = languageOf(answer) ?? usual
  const sentences: Sentence[] = []
  let [start, left] = [0, MAX_FACTS]
  for (const line of answer.split('\n'))
    for (const text of line.split(BETWEEN_SENTENCES)) {
      const found = extractFacts(text, language).slice(0, left)
      const facts = found.map((fact) => ({ ...fact, start: start + fact.start, end: start + fact.end }))
      const terms = new Set(termsOf(text, language))
      const matter = new Set(matterOf(text, found, language))
      if (text.trim() !== '') sentences.push({ text, start, terms, matter, facts })
      left -= found.length
      start += text.length + 1
    }
  return { language, sentences }
}

export interface LikelySource {
  readonly article: Article
  readonly section: ArticleSection
  /** The answer shares so much of its weight with the article: 0 to 1. */
  readonly share: number
}

/**
 * An answer shares so much of its weight with its source. Of 236 answers by people, 95 % get their article,
 * and 18 % one where it is left out; 97 % and 46 % at 0.2, 91 % and 11 % at 0.35.
 */
const MIN_SHARE = 0.3
/** A source is ahead of the next article by so much of its score. */
const MIN_LEAD = 0.1
/** An answer that shares so much is nearly word for word: the next article is a copy. */
const COPIED = 0.6
/** The unit is the weight of a rarest term: two words are no source. */
const MIN_SCORE = 1.5
const MIN_QUOTED = 3
/** The question counts so much of a sentence of the answer. */
const ASKED = 0.5
/** A word that no article has weighs so much, and so does a value. */
const UNKNOWN = 0.5

/** Returns null where nothing resembles the answer enough, or two articles do alike. */
export function likelySource(
  { sentences, language }: ReadAnswer,
  passages: Passages,
  question = '',
): LikelySource | null {
  const matters = sentences.map(({ terms, facts }) => ({ terms, facts: withoutRepeats(facts) }))
  const asked = new Set(termsOf(question, languageOf(question) ?? language))
  const nearest = passages.nearest([...matters, { terms: asked, facts: [], share: ASKED }])
  const [quoted, copy] = nearest.filter((rival) => isQuoted(sentences, passages.of(rival.article)))
  if (quoted !== undefined && copy === undefined)
    return { article: quoted.article, section: sectionOf(quoted.article, matters, passages), share: 1 }
  const [first, ...others] = nearest
  if (first === undefined) return null
  const { article, score } = first
  // One that gives the same sentences, word for word, says nothing against this article.
  const second = others.find(
    (rival) => rival.score <= (1 - MIN_LEAD) * score || !saysAlike(rival.article, article, matters, passages),
  )
  const other = languageOfArticle(article)
  // Words of another language say nothing against the article.
  const isTranslated = language !== undefined && other !== undefined && language !== other
  let total = 0
  for (const { terms, facts } of matters) {
    for (const term of terms)
      if (passages.has(term)) total += passages.weightOf(term)
      else if (!isTranslated) total += UNKNOWN * passages.maxWeight
    total += facts.length * UNKNOWN * passages.maxWeight
  }
  // The question chooses between articles, but makes none the source that the answer does not resemble.
  const shared = passages.scoreOf(article, matters)
  const share = Math.min(1, shared / total)
  const lead = 1 - (second?.score ?? 0) / score
  if (share < MIN_SHARE || shared < MIN_SCORE * passages.maxWeight || (lead < MIN_LEAD && share < COPIED))
    return null
  return { article, section: sectionOf(article, matters, passages), share }
}

/** An article has all sentences word for word; two words are no source. */
const isQuoted = (sentences: readonly Sentence[], passages: readonly Passage[]): boolean =>
  sentences.some(({ terms }) => terms.size >= MIN_QUOTED) &&
  sentences.every(({ text }) => passages.some((passage) => passage.text.trim() === text.trim()))

function saysAlike(some: Article, other: Article, matters: readonly Matter[], passages: Passages): boolean {
  const nearestIn = (article: Article, matter: Matter): string =>
    passages.of(article).reduce(
      (best, passage) => {
        const weight = passages.sharedBy(passage, matter)
        return weight > best.weight ? { weight, text: passage.text.trim() } : best
      },
      { weight: 0, text: '' },
    ).text
  return matters.every((matter) => nearestIn(some, matter) === nearestIn(other, matter))
}

const withoutRepeats = (facts: readonly Fact[]): Fact[] =>
  facts.filter(
    (fact, index) =>
      fact.kind !== 'negation' && !facts.slice(0, index).some((other) => isSameFact(fact, other)),
  )

function sectionOf(article: Article, matters: readonly Matter[], passages: Passages): ArticleSection {
  const scores = new Map<ArticleSection, number>()
  for (const matter of matters) {
    const best = new Map<ArticleSection, number>()
    for (const passage of passages.of(article))
      best.set(passage.section, Math.max(best.get(passage.section) ?? 0, passages.sharedBy(passage, matter)))
    for (const [section, weight] of best) scores.set(section, (scores.get(section) ?? 0) + weight)
  }
  return article.sections.reduce((best, next) =>
    (scores.get(next) ?? 0) > (scores.get(best) ?? 0) ? next : best,
  )
}
