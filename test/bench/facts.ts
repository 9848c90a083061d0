// `npm run bench -- facts [FOLDER or CSV …] [--verbose]`: the support of facts and the likely source of answers.
// One table: answers by people (`paraphrased-answers.csv` of a folder, or a CSV with question, article, answer, label,
// kind) by label and kind, the desk case (facts, sources, contradictions), and excerpts of articles in other spellings:
// untouched, with a fact that stands in no article, or with a value of another article in place of its own.
// The rules were tuned on paraphrased-answers.csv, the desk case and 1,200 answers over articles of other desks; not on
// the excerpts, nor on a CSV of yours.
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Article } from '../../src/articles/article.ts'
import { contradictionsOf } from '../../src/articles/contradictions.ts'
import { extractFacts, type Fact } from '../../src/articles/facts.ts'
import { Passages } from '../../src/articles/passages.ts'
import { readArticles } from '../../src/articles/read.ts'
import { isSameFact } from '../../src/articles/same-fact.ts'
import { likelySource, readAnswer } from '../../src/articles/source.ts'
import { supportOf } from '../../src/articles/support.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { deskAnswers } from './desk.ts'
import { type GoalName, printGoal } from './goals.ts'
import { readCsv } from './measured.ts'

type Draw = () => number
const pick = <T>(items: readonly [T, ...T[]], draw: Draw): T =>
  items[Math.floor(draw() * items.length)] ?? items[0]
const whole = (from: number, to: number, draw: Draw): number => from + Math.floor(draw() * (to - from + 1))
const isVerbose = process.argv.includes('--verbose')

/** By row: answers, those marked, those whose source is right, and wrong. */
const table = new Map<string, Record<'all' | 'marked' | 'right' | 'wrong' | 'none', number>>()

function count(row: string, isMarked: boolean, source: 'right' | 'wrong' | 'none'): void {
  const counted = table.get(row) ?? { all: 0, marked: 0, right: 0, wrong: 0, none: 0 }
  counted.all += 1
  counted.marked += Number(isMarked)
  counted[source] += 1
  table.set(row, counted)
}

function judge(answer: string, question: string, passages: Passages, articles: readonly string[]) {
  const read = readAnswer(answer, passages.language)
  const source = likelySource(read, passages, question)
  const { findings } = supportOf(read, question, source, passages)
  const named = source === null ? 'none' : articles.includes(source.article.id) ? 'right' : 'wrong'
  return { findings, source: named } as const
}

/** Rows name a shipped article by its path or the corpus `shipped`, one of the desk case by `desk`. */
function countParaphrases(path: string, corpora: Readonly<Record<string, Passages>>): void {
  for (const row of readCsv(path)) {
    const { id, question = '', article = '', answer = '', label = '', kind = '', corpus } = row
    const passages = corpora[corpus ?? (article.startsWith('datasets/') ? 'shipped' : 'stack')]
    if (passages === undefined) continue
    const name = article.replace(/^.*\/|\.md$/g, '')
    const { findings, source } = judge(answer, question, passages, [name])
    for (const group of [label, ...kind.split(', ').map((part) => `${label}: ${part}`)])
      count(`${path.replace(/^.*\//, '')} ${group}`, findings.length > 0, source)
    if (isVerbose && (label === 'clean') === findings.length > 0)
      console.log(id, label, kind, findings.map(({ fact }) => fact.text).join('; '))
  }
}

function countDesk(folder: string, passages: Passages): void {
  const truth = new Map(readCsv(join(folder, 'truth.csv')).map((row) => [row['id'], row]))
  const answers = deskAnswers(folder)
  for (const { id, message = '' } of readCsv(join(folder, 'questions.csv'))) {
    const answer = answers[message]
    const { kind, note = '', right_article: right = '' } = truth.get(id) ?? {}
    if (answer?.contextSource !== 'KNOWLEDGE_BASE') continue
    const other = /(?:answered from|near-copy): ([\w-]+)/.exec(note)?.[1] ?? right
    const { findings, source } = judge(
      answer.message,
      message,
      passages,
      kind === 'W' ? [other] : [right, other],
    )
    count(`desk case ${kind === 'F' ? 'one wrong value' : 'clean'}`, findings.length > 0, source)
  }
  const found = contradictionsOf(passages).map((clash) => clash.passages.map(({ article }) => article.id))
  const known = readCsv(join(folder, 'contradictions.csv'))
  for (const { article_a: some = '', article_b: other = '' } of known)
    count(
      'desk case contradictions',
      found.some((ids) => ids.includes(some) && ids.includes(other)),
      'none',
    )
  count(`desk case contradictions listed: ${found.length}`, true, 'none')
}

const MONTHS = 'January February March April June July August September October November'.split(' ')
const DESKS = ['desk.example.com', 'support.acme.example'] as const
/** Sentences with one fact of a kind. */
const PLANTS: Readonly<Record<string, (draw: Draw) => string>> = {
  'number with unit': (draw) =>
    `The limit is ${whole(3, 900, draw)} ${pick(['GB', 'kg', 'km', 'Mbit/s'], draw)}.`,
  amount: (draw) =>
    `The fee is ${pick(['€#', '# EUR', '$#', '# €'], draw).replace('#', `${whole(3, 990, draw)}`)}.`,
  percentage: (draw) => `About ${whole(2, 98, draw)}${pick(['%', ' %', ' percent'], draw)} are covered.`,
  date: (draw) => `It ends on ${whole(1, 28, draw)} ${MONTHS[whole(0, 9, draw)]}.`,
  time: (draw) => `Call before ${whole(1, 11, draw)}:${whole(10, 59, draw)}${pick(['', ' pm'], draw)}.`,
  duration: (draw) =>
    `It takes ${whole(2, 99, draw)} ${pick(['minutes', 'days', 'months', 'working days', 'Tage'], draw)}.`,
  phone: (draw) =>
    `Call ${pick(['+49 30', '+1 555', '0800'], draw)} ${whole(100, 999, draw)} ${whole(1000, 9999, draw)}.`,
  'e-mail': (draw) => `Write to ${pick(['help', 'it'], draw)}${whole(2, 99, draw)}@${pick(DESKS, draw)}.`,
  url: (draw) => `See https://${pick(DESKS, draw)}/form${whole(2, 999, draw)} for more.`,
}

/** Other spellings of the same facts. */
const SPELLINGS: readonly (readonly [pattern: RegExp, ...written: [string, ...string[]]])[] = [
  [/€(\d+(?:\.\d\d)?)\b(?![,.]\d)/g, '$1 €', 'EUR $1', '$1 euros'],
  [/\b(\d),(\d{3})\b(?![,.])/g, '$1.$2', '$1$2', '$1 $2'],
  [/\b(\d+) per cent\b/g, '$1%', '$1 %', '$1 percent'],
  [/\b0?([1-9]|1[01]):00\b/g, '$1 am', '$1:00 a.m.', '$1am'],
  [/\b(\d+) minutes\b/g, '$1 min', '$1 mins', '$1-minute'],
  [/\b(\d+) hours\b/g, '$1 h', '$1h', '$1 hrs'],
  [/\b14 days\b/g, 'two weeks', '2 weeks', 'fourteen days'],
  [/\b3 (months|days|years|weeks)\b/g, 'three $1'],
  [/\b(\d{1,2}) (January|March|June|December)\b/g, '$2 $1'],
  [/(https:\/\/[^\s<>()[\]"']*[\w/])/g, '[here]($1)', '<$1>', '**$1**'],
]

/** Some sentences of one section, in other spellings and other markup, as an assistant gives them. */
function excerptOf({ sections }: Article, draw: Draw): string {
  const all = pick(sections, draw)
    .text.split(/(?<=[.!?])\s+|\n+/)
    .filter((sentence) => sentence.length > 3)
  const from = whole(0, Math.max(0, all.length - 2), draw)
  const sentences = all.slice(from, from + whole(2, 6, draw)).map((written) => {
    let sentence = written.replace(/^(?:[-*•]|\d+[.)]) /, '')
    if (draw() < 0.5) sentence = sentence.replaceAll(/\*\*|`/g, '')
    if (draw() < 0.2) sentence = sentence.replace(/\b(\p{L}{6,})\b/u, '**$1**')
    for (const [pattern, ...spellings] of SPELLINGS)
      if (draw() < 0.5) sentence = sentence.replace(pattern, pick(spellings, draw))
    return draw() < 0.1 ? `${sentence} [${whole(1, 5, draw)}]` : sentence
  })
  const listed = pick([() => '', (index: number) => `${index + 1}. `, () => '* '], draw)
  const body = sentences
    .map((sentence, index) => listed(index) + sentence)
    .join(listed(0) === '' ? ' ' : '\n')
  return pick(['', 'Sure! ', 'Here is what I found:\n\n'], draw) + body
}

const isQuantity = ({ kind, digits, unit }: Fact): boolean =>
  ['amount', 'duration', 'percentage'].includes(kind) ||
  (kind === 'number' && unit !== '' && /^\d/.test(digits))

/** The answer with a value of another article in place of one of its own, of the same kind and unit. */
function withOtherValue(answer: string, { sections }: Article, known: readonly Fact[], draw: Draw) {
  const own = sections.flatMap(({ text }) => extractFacts(text))
  const facts = extractFacts(answer).filter(isQuantity)
  if (facts.length === 0) return undefined
  const { kind, unit, start, end } = pick(facts as [Fact, ...Fact[]], draw)
  const others = known.filter(
    (other) =>
      other.kind === kind &&
      other.unit === unit &&
      /\d/.test(other.text) &&
      !own.some((fact) => isSameFact(other, fact)),
  )
  if (others.length === 0) return undefined
  const { text } = pick(others as [Fact, ...Fact[]], draw)
  return { text: answer.slice(0, start) + text + answer.slice(end), value: text }
}

function countExcerpts(corpus: string, passages: Passages, seed: number, excerpts = 300): void {
  const draw = seededRandom(seed)
  const articles = passages.articles as readonly [Article, ...Article[]]
  const known = articles.flatMap(({ sections }) => sections.flatMap(({ text }) => extractFacts(text)))
  const isKnown = (text: string): boolean =>
    extractFacts(text).some((fact) => known.some((other) => isSameFact(fact, other)))
  for (let index = 0; index < excerpts; index += 1) {
    const article = pick(articles, draw)
    let text = excerptOf(article, draw)
    let planted: { row: string; value: string } | undefined
    if (index % 3 === 1) {
      const [row, plant] = pick(Object.entries(PLANTS) as [[string, (draw: Draw) => string]], draw)
      let value = plant(draw)
      while (isKnown(value)) value = plant(draw)
      planted = { row, value }
      text = draw() < 0.5 ? `${value} ${text}` : `${text} ${value}`
    } else if (index % 3 === 2) {
      const other = withOtherValue(text, article, known, draw)
      if (other === undefined) continue
      planted = { row: 'value of another article', value: other.value }
      text = other.text
    }
    const { findings, source } = judge(text, article.title, passages, [article.id])
    const isFound = findings.some(({ fact }) => planted?.value.includes(fact.text) ?? true)
    count(`excerpts, ${corpus}: ${planted?.row ?? 'untouched'}`, isFound, source)
    if (isVerbose && (planted === undefined) === isFound)
      console.log(
        corpus,
        planted ?? 'untouched',
        findings.map(({ fact, sentence }) => `${fact.text}: ${sentence}`),
      )
  }
}

const paths = process.argv.slice(2).filter((path) => path !== '--verbose')
const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory()
const folder = paths.find(isFolder) ?? process.env['ASSIST_DATA'] ?? dirname(paths[0] ?? '.')
const corpora: Record<string, Passages> = {}
for (const [name, path] of [
  ['shipped', fileURLToPath(new URL('../../datasets/knowledge-base', import.meta.url))],
  ['stack', join(folder, 'stackfaq-articles.csv')],
  ['desk', join(folder, 'desk-case/articles')],
] as const)
  if (existsSync(path)) corpora[name] = new Passages((await readArticles(path)).articles)
  else console.log(`${path} is missing: skipped (give its folder, or ASSIST_DATA)`)
for (const path of [
  join(folder, 'paraphrased-answers.csv'),
  ...paths.filter((named) => named.endsWith('.csv')),
])
  if (existsSync(path)) countParaphrases(path, corpora)
if (corpora['desk'] !== undefined) countDesk(join(folder, 'desk-case'), corpora['desk'])
for (const [corpus, passages] of Object.entries(corpora))
  if (corpus !== 'desk') for (const seed of [1, 2, 3]) countExcerpts(corpus, passages, seed)

const share = (part: number, all: number): string => `${((100 * part) / all).toFixed(1)} %`.padStart(9)
console.log(`${''.padEnd(58)}  count   marked   source right   wrong`)
for (const [row, { all, marked, right, wrong }] of [...table].sort(([some], [other]) =>
  some < other ? -1 : 1,
))
  console.log(
    `${row.padEnd(58)} ${String(all).padStart(6)}${share(marked, all)}      ${share(right, all)}${share(wrong, all)}`,
  )

/** Prints the share of the answers of these rows that count so, beside its goal. */
function printShare(goal: GoalName, counted: 'marked' | 'right' | 'wrong', rows: RegExp): void {
  const counts = [...table].flatMap(([row, each]) => (rows.test(row) ? [each] : []))
  const sum = (of: 'all' | typeof counted): number => counts.reduce((total, each) => total + each[of], 0)
  printGoal(goal, (100 * sum(counted)) / sum('all'))
}
console.log('')
printShare('factsClean', 'marked', /csv clean$/)
printShare('factsAltered', 'marked', /csv altered$/)
printShare('factsForeign', 'marked', /csv foreign$/)
printShare('sourceRight', 'right', /csv (clean|altered)$/)
printShare('sourceWrong', 'wrong', /csv (clean|altered)$/)
printShare('untouched', 'marked', /^excerpts.*untouched$/)
printShare('planted', 'marked', /^excerpts.*(?<!untouched)$/)
