// Causes of gaps over real questions whose articles are known (the folder with stackfaq-articles.csv and
// stackfaq-questions.csv). Half of the articles are known to the endpoint, so that their questions are grounded;
// a quarter stands in --articles only: its questions are gaps, their cause `not-used`; a quarter stands nowhere:
// gaps with the cause `no-article`. The constants of src/analysis/gaps were tuned on these questions and on a
// second half that is kept back.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { decisionsOn } from '../../src/analysis/gaps/decisions.ts'
import { fitOf } from '../../src/analysis/gaps/misfits.ts'
import { calibrate, causeOf } from '../../src/analysis/gaps/causes.ts'
import type { Article } from '../../src/articles/article.ts'
import { ArticleIndex } from '../../src/articles/index.ts'
import type { Grounded } from '../../src/articles/wording.ts'
import { seededRandom } from '../../src/stats/random.ts'
import type { Vectors } from '../../src/articles/vectors.ts'
import { readVectors } from '../support/vectors.ts'
import { row } from './measured.ts'

const SPLITS = 5

interface Data {
  readonly vectors?: Vectors
  readonly articles: readonly Article[]
  readonly questions: readonly Grounded[]
}

export function readData(folder: string): Data {
  const rows = (name: string): Record<string, string>[] =>
    parse(readFileSync(join(folder, name)), { columns: true, bom: true })
  return {
    articles: rows('stackfaq-articles.csv').map(({ id = '', title = '', body = '' }) =>
      articleOf(id, title, body),
    ),
    questions: rows('stackfaq-questions.csv').map(({ message = '', article = '' }) => ({
      question: message,
      article,
    })),
  }
}

function articleOf(id: string, title: string, text: string): Article {
  return { id, title, sections: [{ heading: '', text }], url: null, language: null, digest: '' }
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item)
}

const shareOf = <T>(items: readonly T[], isCounted: (item: T) => boolean): number =>
  (100 * items.filter(isCounted).length) / items.length

/** In percent, by their labels. */
type Figures = Readonly<Record<string, number>>

/** The articles of a split: `known` ones answer questions, `listed` ones stand in --articles. */
function splitOf({ articles }: Data, seed: number) {
  const order = shuffled(articles, seededRandom(seed))
  const half = Math.round(order.length / 2)
  const listed = order.slice(0, Math.round((3 * order.length) / 4))
  return { known: new Set(order.slice(0, half).map(({ id }) => id)), listed }
}

interface Conditions {
  /** The share of grounded answers that come from the second nearest article. */
  readonly wrong?: number
  /** The share of gaps that people decided; the others are measured. */
  readonly decided?: number
}

function measureSplit(data: Data, seed: number, { wrong = 0, decided: said = 0 }: Conditions = {}): Figures {
  const { known, listed } = splitOf(data, seed)
  const isListed = new Set(listed.map(({ id }) => id))
  const random = seededRandom(seed)
  const asked = data.questions.filter(({ article }) => !known.has(article))
  const decisions = asked
    .filter(() => random() < said)
    .map(({ question, article }) => ({
      ...NOBODY,
      message: question,
      article: isListed.has(article) ? article : null,
    }))
  const index = new ArticleIndex(listed, {
    ...decisionsOn(decisions, isListed).teaching,
    vectors: data.vectors,
  })
  const grounded = data.questions.filter(({ article }) => known.has(article))
  const line = calibrate(index, withoutMisfits(index, withWrong(index, grounded, wrong, seed)))
  const isDecided = new Set(decisions.map(({ message }) => message))
  const gaps = asked
    .filter(({ question }) => !isDecided.has(question))
    .map(({ question, article }) => ({ article, ...causeOf(index, { message: question }, line) }))
  const decided = gaps.filter(({ cause }) => cause !== 'unclear')
  const notUsed = gaps.filter(({ article }) => isListed.has(article))
  const right = shareOf(decided, ({ cause, article }) => (cause === 'not-used') === isListed.has(article))
  return {
    'decided: goal ≥ 55 %': (100 * decided.length) / gaps.length,
    'right of the decided: goal ≥ 88 %': right,
    'right article first': shareOf(notUsed, ({ nearest, article }) => nearest[0]?.article.id === article),
    'right article among three: goal ≥ 90 %': shareOf(notUsed, ({ nearest, article }) =>
      nearest.some((one) => one.article.id === article),
    ),
    'printed error of the line': (100 * line.measured.wrong) / line.measured.decided,
    'true error: goal within 6 points': 100 - right,
  }
}

const NOBODY = { id: '', by: null, at: null }

const withoutMisfits = (index: ArticleIndex, grounded: readonly Grounded[]): Grounded[] =>
  grounded.filter(({ question, article }) => !fitOf(index, { message: question }, article).isDoubtful)

/** The same questions, this share of which was answered from the article that is second nearest. */
function withWrong(
  index: ArticleIndex,
  grounded: readonly Grounded[],
  share: number,
  seed: number,
): Grounded[] {
  const random = seededRandom(seed)
  return grounded.map((asked) =>
    random() < share ? { ...asked, article: secondNearest(index, asked) } : asked,
  )
}

const secondNearest = (index: ArticleIndex, { question, article }: Grounded): string =>
  index.nearest(question).find((one) => one.article.id !== article)?.article.id ?? article

/** How often an answer is marked as from another article: from the right one, any wrong one, the second nearest. */
function measureMisfits({ articles, questions, vectors }: Data, seed: number): Figures {
  const { known, listed } = splitOf({ articles, questions }, seed)
  const index = new ArticleIndex(listed, { vectors })
  const random = seededRandom(seed)
  const isMarked = ({ question, article }: Grounded): boolean =>
    fitOf(index, { message: question }, article).other !== undefined
  const asked = questions.filter(({ article }) => known.has(article))
  const anyOther = ({ question, article }: Grounded): Grounded => {
    const others = listed.filter(({ id }) => id !== article)
    return { question, article: others[Math.floor(random() * others.length)]?.id ?? article }
  }
  return {
    'right ones marked: goal ≤ 1 %': shareOf(asked, isMarked),
    'random wrong ones found: goal ≥ 80 %': shareOf(asked.map(anyOther), isMarked),
    'second nearest found: goal ≥ 25 %': shareOf(
      asked.map((one) => ({ ...one, article: secondNearest(index, one) })),
      isMarked,
    ),
  }
}

/** Each figure in each split, its mean and its standard deviation. */
function printSplits(title: string, measure: (seed: number) => Figures): void {
  const splits = Array.from({ length: SPLITS }, (_, seed) => measure(seed + 1))
  row(`\n${title}`, ...splits.map((_, seed) => seed + 1), 'mean', 'spread')
  for (const label of Object.keys(splits[0] ?? {})) {
    const values = splits.map((split) => split[label] ?? 0)
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    const spread = Math.sqrt(
      values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1),
    )
    row(label, ...[...values, mean, spread].map((value) => value.toFixed(1)))
  }
}

export function printCauses(folder: string): void {
  const data = readData(folder)
  const path = join(folder, 'minilm-vectors.jsonl')
  if (existsSync(path)) {
    const known = { ...data, vectors: readVectors(path) }
    printSplits('Causes with vectors: goal 73 %, 93 %, 95 %', (seed) => measureSplit(known, seed))
    printSplits('Answers from another article, with vectors', (seed) => measureMisfits(known, seed))
  } else console.log(`Skipped the vectors: no ${path}`)
  printSplits(`Causes, ${SPLITS} splits, in %`, (seed) => measureSplit(data, seed))
  printSplits('Answers from another article, in %', (seed) => measureMisfits(data, seed))
  printSplits('Causes, 10 % answered from the second nearest', (seed) =>
    measureSplit(data, seed, { wrong: 0.1 }),
  )
  printSplits('Causes, 20 % decided by people: goal 59 %, 92 %', (seed) =>
    measureSplit(data, seed, { decided: 0.2 }),
  )
}
