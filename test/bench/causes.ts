// Causes of gaps and answers from another article, over real questions whose articles are known (the folder with
// stackfaq-articles.csv and stackfaq-questions.csv). Half of the articles are known to the endpoint, so that their
// questions are grounded; a quarter stands in --articles only: its questions are gaps, their cause `not-used`; a
// quarter stands nowhere: gaps with the cause `no-article`. Then the follow-ups of the shipped sets, and the desk case.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { calibrate, causeOf, type Grounded } from '../../src/analysis/articles/causes.ts'
import { indexArticles } from '../../src/analysis/articles/consult.ts'
import { fitOf } from '../../src/analysis/articles/misfits.ts'
import { ArticleIndex } from '../../src/articles/index.ts'
import { LookUp } from '../../src/articles/look-up.ts'
import { seededRandom } from '../../src/stats/random.ts'
import type { Vectors } from '../../src/articles/vectors.ts'
import { makeArticle } from '../articles/make-article.ts'
import { readVectors } from '../support/vectors.ts'
import { measureDesk, measureFollowUps } from './desk.ts'
import { goalOf, printGoal } from './goals.ts'
import { readCsv, row } from './measured.ts'

const SPLITS = 5

type Data = ReturnType<typeof readData> & { readonly vectors?: Vectors }

function readData(folder: string) {
  const read = (name: string) => readCsv(join(folder, `stackfaq-${name}.csv`))
  return {
    articles: read('articles').map(({ id = '', title = '', body = '' }) => makeArticle(id, title, body)),
    questions: read('questions').map(({ message = '', article = '' }) => ({ question: message, article })),
  }
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item)
}

const shareOf = <T>(items: readonly T[], isCounted: (item: T) => boolean): number =>
  (100 * items.filter(isCounted).length) / items.length

/** The articles of a split: `known` ones answer questions, `listed` ones stand in --articles. */
function splitOf({ articles }: Data, seed: number) {
  const order = shuffled(articles, seededRandom(seed))
  const half = Math.round(order.length / 2)
  const listed = order.slice(0, Math.round((3 * order.length) / 4))
  return { known: new Set(order.slice(0, half).map(({ id }) => id)), listed }
}

interface Conditions {
  /** One in ten grounded answers comes from another article. */
  readonly wrong?: 'second' | 'random'
  /** The share of gaps that people decided; the others are measured. */
  readonly decided?: number
}

function measureSplit(data: Data, seed: number, { wrong, decided: said = 0 }: Conditions) {
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
  const { index, none } = indexArticles(listed, { decisions, vectors: data.vectors })
  const grounded = data.questions.filter(({ article }) => known.has(article))
  const line = calibrate(index, withoutMisfits(index, withWrong(index, grounded, wrong, seed)))
  const isDecided = new Set(decisions.map(({ message }) => message))
  const gaps = asked
    .filter(({ question }) => !isDecided.has(question))
    .map(({ question, article }) => ({ article, ...causeOf(index, { message: question }, line, none) }))
  const decided = gaps.filter(({ cause }) => cause !== 'unclear')
  const notUsed = gaps.filter(({ article }) => isListed.has(article))
  return {
    decided: (100 * decided.length) / gaps.length,
    right: shareOf(decided, ({ cause, article }) => (cause === 'not-used') === isListed.has(article)),
    first: shareOf(notUsed, ({ nearest, article }) => nearest[0]?.article === article),
    printed: (100 * line.measured.wrong) / line.measured.decided,
  }
}

const NOBODY = { id: '', by: null, at: null }

const withoutMisfits = (index: ArticleIndex, grounded: readonly Grounded[]): Grounded[] =>
  grounded.flatMap((asked) => {
    const { isDoubtful, isRivalled } = fitOf(index, { message: asked.question }, asked.article)
    return isDoubtful ? [] : [{ ...asked, isRivalled }]
  })

/** The same questions, one in ten of which was answered from another article. */
function withWrong(
  index: ArticleIndex,
  grounded: readonly Grounded[],
  wrong: Conditions['wrong'],
  seed: number,
): Grounded[] {
  const random = seededRandom(seed)
  return grounded.map((asked) => {
    if (wrong === undefined || random() >= 0.1) return asked
    const article =
      wrong === 'second'
        ? secondNearest(index, asked)
        : index.articles[Math.floor(random() * index.articles.length)]?.id
    return { ...asked, article: article ?? asked.article }
  })
}

const secondNearest = (index: ArticleIndex, { question, article }: Grounded): string =>
  new LookUp(index, question).nearest().find((one) => one.article.id !== article)?.article.id ?? article

/** How often an answer is marked as from another article: from the right one, any wrong one, the second nearest. */
function measureMisfits({ articles, questions, vectors }: Data, seed: number) {
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
    right: shareOf(asked, isMarked),
    random: shareOf(asked.map(anyOther), isMarked),
    second: shareOf(
      asked.map((one) => ({ ...one, article: secondNearest(index, one) })),
      isMarked,
    ),
  }
}

function spreadOf<Name extends string>(
  splits: readonly Readonly<Record<Name, number>>[],
  name: Name,
): string {
  const values = splits.map((split) => split[name])
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return `${mean.toFixed(1)} ±${Math.sqrt(squares / (values.length - 1)).toFixed(1)}`
}

export async function printCauses(folder: string): Promise<void> {
  const data = readData(folder)
  const path = join(folder, 'minilm-vectors.jsonl')
  const withVectors = existsSync(path) ? { ...data, vectors: readVectors(path) } : undefined
  const splitsOf = <T>(measure: (seed: number) => T): T[] =>
    Array.from({ length: SPLITS }, (_, seed) => measure(seed + 1))
  const printSplits = (label: string, each: Data, conditions: Conditions = {}): void => {
    const splits = splitsOf((seed) => measureSplit(each, seed, conditions))
    const wrong = splits.map((split) => ({ wrong: 100 - split.right }))
    row(
      label,
      ...(['decided', 'right', 'first', 'printed'] as const).map((name) => spreadOf(splits, name)),
      spreadOf(wrong, 'wrong'),
    )
  }
  row(`Causes of gaps, in %, ${SPLITS} splits`, 'decided', 'right', 'first', 'printed', 'error')
  printSplits('StackFAQ', data)
  row('  goal', goalOf('decided'), goalOf('right'), '', goalOf('printed'))
  printSplits('20 % decided by people', data, { decided: 0.2 })
  row('  goal', goalOf('decidedAfterPeople'), goalOf('rightAfterPeople'))
  printSplits('10 % from the second nearest', data, { wrong: 'second' })
  printSplits('10 % from any other article', data, { wrong: 'random' })
  row('  goal, less than without', goalOf('lostByMisfits'), goalOf('lostByMisfits'))
  if (withVectors !== undefined) {
    printSplits('with vectors', withVectors)
    row('  goal', ...(['decidedByVectors', 'rightByVectors', 'firstByVectors'] as const).map(goalOf))
  } else console.log(`Skipped the vectors: no ${path}`)
  const { tried, decided, right, marked: markedFollowUps } = await measureFollowUps()
  const [isDecided, isRight] = [(100 * decided) / tried, (100 * right) / decided]
  row('Follow-ups of the shipped sets', isDecided.toFixed(1), isRight.toFixed(1))
  printGoal('followUps', isRight)

  row('\nAnswers marked as from another article, in %', 'right', 'random', 'second')
  const marked = (label: string, each: Data): void => {
    const splits = splitsOf((seed) => measureMisfits(each, seed))
    row(label, ...(['right', 'random', 'second'] as const).map((name) => spreadOf(splits, name)))
  }
  marked('StackFAQ', data)
  if (withVectors !== undefined) marked('with vectors', withVectors)
  row('Follow-ups of the shipped sets', (100 * markedFollowUps).toFixed(1))
  row('  goal', ...(['misfitRight', 'misfitRandom', 'misfitSecond'] as const).map(goalOf))

  const desk = join(folder, 'desk-case')
  row('\nThe desk case, in numbers', 'right', 'wrong', 'unclear', 'marked', 'falsely')
  const [synonyms, decisions] = [join(desk, 'synonyms.txt'), join(desk, 'decisions.csv')]
  row('26 gaps, 4 answers from another article', ...Object.values(await measureDesk(desk, {})))
  row('with synonyms', ...Object.values(await measureDesk(desk, { synonyms })))
  row('with decisions, too', ...Object.values(await measureDesk(desk, { synonyms, decisions })))
  console.log(
    '\nTuned on: this half of StackFAQ (the line, near words, marks), the shipped sets (the usual line, ' +
      'follow-ups), the desk case (languages, short questions).\n',
  )
}
