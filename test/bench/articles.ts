// `npm run bench -- articles [FOLDER]`: how often the cause of a gap is right, over real questions whose articles
// are known (the folder with stackfaq-articles.csv and stackfaq-questions.csv; else ASSIST_DATA), and what
// causes cost. Half of the articles are known to the endpoint, so that their questions are grounded; a quarter
// stands in --articles only: its questions are gaps, their cause `not-used`; a quarter stands nowhere: gaps
// with the cause `no-article`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { calibrate, causeOf } from '../../src/analysis/gaps/causes.ts'
import type { Article } from '../../src/articles/article.ts'
import { ArticleIndex } from '../../src/articles/index.ts'
import type { Grounded } from '../../src/articles/wording.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { readArticles } from '../../src/articles/read.ts'
import { projectRoot } from '../support/program.ts'
import { makeQuestion } from '../support/questions.ts'
import { recordRun, type RecordedTurn } from '../support/recorded-run.ts'
import { inFolder, measureRow, row } from './measured.ts'

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
    printed: (100 * line.measured.wrong) / line.measured.decided,
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

/**
 * A report without and with articles: 5,000 of them made of the shipped ones' sentences, and 2,000 questions, of
 * which seven in ten are answered with an excerpt of an article.
 */
async function printCost(folder: string): Promise<void> {
  const shipped = await readArticles(join(projectRoot, 'datasets/knowledge-base'))
  const texts = shipped.articles.flatMap(({ sections }) => sections.map(({ text }) => text))
  const sentences = texts.flatMap((text) => text.split(/(?<=[.!?])\s+/)).filter(({ length }) => length > 30)
  const random = seededRandom(1)
  const draw = (): string => sentences[Math.floor(random() * sentences.length)] ?? ''
  const many = (count: number): string[] => Array.from({ length: count }, draw)
  const articles = Array.from({ length: ARTICLES }, (_, number) => ({
    id: `a${number}`,
    title: `${draw().split(' ').slice(0, 5).join(' ')} ${number}`,
    body: many(12).join(' '),
  }))
  writeFileSync(join(folder, 'own.csv'), stringify(articles, { header: true }))
  const turns = function* (): Generator<RecordedTurn> {
    for (let number = 0; number < QUESTIONS; number += 1) {
      const { title = '', body = '' } = articles[Math.floor(random() * ARTICLES)] ?? {}
      const isGrounded = random() < 0.7
      const message = `How do I ${title} ${draw()}`
      yield {
        question: { ...makeQuestion(`q${number}`, `t${number}`, 1), message },
        result: {
          answer: isGrounded ? body.slice(0, 400) : 'I do not know.',
          source: isGrounded ? 'KNOWLEDGE_BASE' : 'MODEL',
        },
      }
    }
  }
  recordRun(join(folder, 'run'), { turns: { [Symbol.iterator]: turns } })
  row(`\n${ARTICLES} articles, ${QUESTIONS} questions`, 'seconds', 'peak MB')
  await measureRow('report', folder, ['report', 'run'])
  await measureRow('report --articles: goal ≤ 15 s, ≤ 400 MB', folder, [
    'report',
    'run',
    '--articles',
    'own.csv',
  ])
}

const data = process.argv[2] ?? process.env['ASSIST_DATA'] ?? ''
if (existsSync(join(data, 'stackfaq-questions.csv'))) printSplits(readData(data))
else console.log('Skipped the causes: no stackfaq-questions.csv. Give its folder, or set ASSIST_DATA.')
await inFolder(printCost)
