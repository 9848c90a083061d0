// `npm run bench -- articles [FOLDER]`: how often the cause of a gap is right, over real questions whose articles
// are known (the folder with stackfaq-articles.csv and stackfaq-questions.csv; else ASSIST_DATA), and what
// causes cost. Half of the articles are known to the endpoint, so that their questions are grounded; a quarter
// stands in --articles only: its questions are gaps, their cause `not-used`; a quarter stands nowhere: gaps
// with the cause `no-article`.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { calibrate, causeOf } from '../../src/analysis/gaps/causes.ts'
import type { Article } from '../../src/articles/article.ts'
import { ArticleIndex } from '../../src/articles/index.ts'
import type { Grounded } from '../../src/articles/wording.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { row } from './measured.ts'

const SPLITS = 5
const ARTICLES = 5000
const QUESTIONS = 2000

/** What a split measures, in percent. */
const FIGURES = [
  ['decided: goal ≥ 55 %', 'decided'],
  ['right of the decided: goal ≥ 80 %', 'right'],
  ['right article first', 'first'],
  ['right article among three: goal ≥ 90 %', 'three'],
  ['printed error of the line', 'printed'],
  ['true error: goal within 10 points', 'error'],
] as const
type Figures = Readonly<Record<(typeof FIGURES)[number][1], number>>

interface Data {
  readonly articles: readonly Article[]
  readonly questions: readonly Grounded[]
}

function readData(folder: string): Data {
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

function measureSplit({ articles, questions }: Data, seed: number): Figures {
  const order = shuffled(articles, seededRandom(seed))
  const half = Math.round(order.length / 2)
  const known = new Set(order.slice(0, half).map(({ id }) => id))
  const listed = order.slice(0, Math.round((3 * order.length) / 4))
  const isListed = new Set(listed.map(({ id }) => id))
  const index = new ArticleIndex(listed)
  const line = calibrate(
    index,
    questions.filter(({ article }) => known.has(article)),
  )
  const gaps = questions
    .filter(({ article }) => !known.has(article))
    .map(({ question, article }) => ({ article, ...causeOf(index, question, line) }))
  const decided = gaps.filter(({ cause }) => cause !== 'unclear')
  const notUsed = gaps.filter(({ article }) => isListed.has(article))
  const right = shareOf(decided, ({ cause, article }) => (cause === 'not-used') === isListed.has(article))
  return {
    decided: (100 * decided.length) / gaps.length,
    right,
    first: shareOf(notUsed, ({ nearest, article }) => nearest[0]?.article.id === article),
    three: shareOf(notUsed, ({ nearest, article }) => nearest.some((one) => one.article.id === article)),
    printed: line === undefined ? NaN : (100 * line.measured.wrong) / line.measured.decided,
    error: 100 - right,
  }
}

function printSplits(data: Data): void {
  const splits = Array.from({ length: SPLITS }, (_, seed) => measureSplit(data, seed + 1))
  row(`${SPLITS} splits, in %`, ...splits.map((_, seed) => seed + 1), 'mean', 'spread')
  for (const [label, figure] of FIGURES) {
    const values = splits.map((split) => split[figure])
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    const spread = Math.sqrt(
      values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1),
    )
    row(label, ...[...values, mean, spread].map((value) => value.toFixed(1)))
  }
}

/** Made-up words with frequencies as in a language (Zipf's law): the vocabulary grows with the articles. */
function wordMaker(random: () => number): () => string {
  const syllables = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu'.split(' ')
  return () => {
    let rank = Math.floor(30_000 ** random())
    let word = ''
    do {
      word += syllables[rank % syllables.length] ?? ''
      rank = Math.floor(rank / syllables.length)
    } while (rank > 0)
    return `${word}r`
  }
}

function printCost(): void {
  const word = wordMaker(seededRandom(1))
  const words = (count: number): string => Array.from({ length: count }, word).join(' ')
  const articles = Array.from({ length: ARTICLES }, (_, id) => articleOf(`a${id}`, words(6), words(300)))
  const questions = Array.from({ length: QUESTIONS }, (_, number) => ({
    question: `how do i ${words(12)}`,
    article: `a${number * 2}`,
  }))
  const before = process.memoryUsage().rss
  const began = performance.now()
  const index = new ArticleIndex(articles)
  const built = performance.now()
  const afterIndex = process.memoryUsage().rss
  const line = calibrate(index, questions.slice(0, QUESTIONS / 2))
  const drawn = performance.now()
  for (const { question } of questions.slice(QUESTIONS / 2)) causeOf(index, question, line)
  const ended = performance.now()
  const peak = process.resourceUsage().maxRSS / 1024
  row(`\n${ARTICLES} articles, ${QUESTIONS} questions`, 'seconds', 'MB')
  row('index', seconds(began, built), megabytes(afterIndex - before))
  row('line from half of the questions', seconds(built, drawn))
  row('causes of the other half', seconds(drawn, ended))
  row('all: goal ≤ 15 s, ≤ 400 MB', seconds(began, ended), Math.round(peak))
}

const seconds = (from: number, to: number): string => ((to - from) / 1000).toFixed(1)
const megabytes = (bytes: number): number => Math.round(bytes / 1024 / 1024)

const folder = process.argv[2] ?? process.env['ASSIST_DATA'] ?? ''
if (existsSync(join(folder, 'stackfaq-questions.csv'))) printSplits(readData(folder))
else console.log('Skipped the causes: no stackfaq-questions.csv. Give its folder, or set ASSIST_DATA.')
printCost()
