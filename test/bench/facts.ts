// `npm run bench -- facts [FOLDER or CSV …] [--verbose]`: the support of facts and the likely source of answers.
// 1. Answers written by people (a CSV with question, article, answer, label, kind; `paraphrased-answers.csv` of a
//    folder): clean ones flagged, altered and foreign facts found, sources named. The rules were tuned on
//    paraphrased-answers.csv and the desk case; a CSV that nobody tuned on tells what they are worth.
// 2. Excerpts of articles, spelled as people and language models spell them: of three, one is untouched, one holds a
//    fact that stands in no article, one a value of another article in place of its own. Tuned on none of these.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import type { Article } from '../../src/articles/article.ts'
import { extractFacts, type Fact } from '../../src/articles/facts.ts'
import { Passages } from '../../src/articles/passages.ts'
import { readArticles } from '../../src/articles/read.ts'
import { isSameFact } from '../../src/articles/same-fact.ts'
import { likelySource, readAnswer } from '../../src/articles/source.ts'
import { supportOf } from '../../src/articles/support.ts'
import { seededRandom } from '../../src/stats/random.ts'

const SEEDS = [1, 2, 3]
const ANSWERS = 300

type Draw = () => number
const pick = <T>(items: readonly [T, ...T[]], draw: Draw): T =>
  items[Math.floor(draw() * items.length)] ?? items[0]
const whole = (from: number, to: number, draw: Draw): number => from + Math.floor(draw() * (to - from + 1))

const MONTHS = 'January February March April June July August September October November December'.split(' ')
const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** Sentences with one fact of a kind. */
const PLANTS: Readonly<Record<string, (draw: Draw) => string>> = {
  'number with unit': (draw) =>
    `The limit is ${whole(3, 900, draw)} ${pick(['GB', 'MB', 'kg', 'km', 'Mbit/s', 'px'], draw)}.`,
  amount: (draw) => {
    const value = pick([String(whole(3, 990, draw)), `${whole(2, 90, draw)}.${whole(10, 99, draw)}`], draw)
    return `The fee is ${pick([`€${value}`, `${value} EUR`, `$${value}`, `${value} €`], draw)} each time.`
  },
  percentage: (draw) => `About ${whole(2, 98, draw)}${pick(['%', ' %', ' percent'], draw)} are covered.`,
  date: (draw) => {
    const [day, month] = [whole(1, 28, draw), whole(0, 10, draw)]
    return `It ends on ${pick([`${day} ${MONTHS[month]}`, `${MONTHS[month]} ${day}, 2027`, `2027-${twoDigits(month + 1)}-${twoDigits(day)}`], draw)}.`
  },
  time: (draw) => {
    const [hour, minute] = [whole(1, 11, draw), whole(1, 59, draw)]
    return `Call before ${pick([`${twoDigits(hour)}:${twoDigits(minute)}`, `${hour}:${twoDigits(minute)} pm`], draw)}.`
  },
  duration: (draw) => {
    const unit = pick(['minutes', 'hours', 'days', 'weeks', 'months', 'working days', 'Tage'], draw)
    return pick(
      [`It takes ${whole(2, 99, draw)} ${unit}.`, `This ends after ${whole(2, 99, draw)} ${unit}`],
      draw,
    )
  },
  phone: (draw) =>
    `Call ${pick(['+49 30', '+1 555', '0800'], draw)} ${whole(100, 999, draw)} ${whole(1000, 9999, draw)}.`,
  email: (draw) =>
    `Write to ${pick(['help', 'it', 'desk'], draw)}${whole(2, 99, draw)}@${pick(['example.com', 'acme.example'], draw)}.`,
  url: (draw) =>
    `See https://${pick(['desk.example.com', 'support.acme.example'], draw)}/form${whole(2, 999, draw)} for more.`,
}

/** Other spellings of the same facts. */
const SPELLINGS: readonly (readonly [pattern: RegExp, spell: (draw: Draw, ...groups: string[]) => string])[] =
  [
    [
      /€(\d+(?:\.\d\d)?)\b(?![,.]\d)/g,
      (draw, value = '') => pick([`${value} €`, `EUR ${value}`, `${value} euros`], draw),
    ],
    [
      /\b(\d),(\d{3})\b(?![,.])/g,
      (draw, one = '', rest = '') => pick([`${one}.${rest}`, `${one}${rest}`, `${one} ${rest}`], draw),
    ],
    [
      /\b(\d+) per cent\b/g,
      (draw, value = '') => pick([`${value}%`, `${value} %`, `${value} percent`], draw),
    ],
    [
      /\b0?([1-9]|1[01]):00\b/g,
      (draw, hour = '') => pick([`${hour} am`, `${hour}:00 a.m.`, `${hour}am`], draw),
    ],
    [
      /\b(\d+) minutes\b/g,
      (draw, value = '') => pick([`${value} min`, `${value} mins`, `${value}-minute`], draw),
    ],
    [/\b(\d+) hours\b/g, (draw, value = '') => pick([`${value} h`, `${value}h`, `${value} hrs`], draw)],
    [/\b14 days\b/g, (draw) => pick(['two weeks', '2 weeks', 'fourteen days'], draw)],
    [/\b3 (months|days|years|weeks)\b/g, (_, unit = '') => `three ${unit}`],
    [
      /\b(\d{1,2}) (January|March|June|December)\b/g,
      (draw, day = '', month = '') => pick([`${month} ${day}`, `${month.slice(0, 3)} ${day}`], draw),
    ],
    [
      /(https:\/\/[^\s<>()[\]"']*[\w/])/g,
      (draw, url = '') => pick([`[here](${url})`, `<${url}>`, `**${url}**`, url.slice(8)], draw),
    ],
  ]

/** Some sentences of one section, in other spellings and other markup, as an assistant gives them. */
function answerFrom(article: Article, draw: Draw): string {
  const section = article.sections[whole(0, article.sections.length - 1, draw)] ?? article.sections[0]
  const all = section.text.split(/(?<=[.!?])\s+|\n+/).filter((one) => one.length > 3)
  const from = whole(0, Math.max(0, all.length - 2), draw)
  const sentences = all.slice(from, from + whole(2, 6, draw)).map((one) => {
    let sentence = one.replace(/^(?:[-*•]|\d+[.)]) /, '')
    if (draw() < 0.5) sentence = sentence.replaceAll(/\*\*|`/g, '')
    if (draw() < 0.2) sentence = sentence.replace(/\b(\p{L}{6,})\b/u, '**$1**')
    for (const [pattern, spell] of SPELLINGS)
      sentence = sentence.replaceAll(pattern, (written: string, ...groups: string[]) =>
        draw() < 0.5 ? spell(draw, ...groups) : written,
      )
    return draw() < 0.1 ? `${sentence} [${whole(1, 5, draw)}]` : sentence
  })
  const opening = pick(['', '', 'Sure! ', 'Here is what I found:\n\n', 'Gern. '], draw)
  const closing = pick(['', '', ' Let me know if you need anything else.'], draw)
  const body = pick(
    [
      () => sentences.join(' '),
      () => sentences.map((one, index) => `${index + 1}. ${one}`).join('\n'),
      () => sentences.map((one) => `* ${one}`).join('\n'),
    ],
    draw,
  )()
  return `${opening}${body}${closing}`
}

interface Tally {
  readonly planted: Map<string, { all: number; found: number }>
  untouched: number
  flagged: number
  checked: number
  withSource: number
  rightSource: number
  /** Answers with a likely source although their article is left out. */
  wrongSource: number
  readonly examples: string[]
}

const isQuantity = ({ kind, digits, unit }: Fact): boolean =>
  ['amount', 'duration', 'percentage'].includes(kind) ||
  (kind === 'number' && unit !== '' && /^\d/.test(digits))

/** The answer with a value of another article in place of one of its own, of the same kind and unit. */
function withOtherValue(answer: string, article: Article, known: readonly Fact[], draw: Draw) {
  const own = article.sections.flatMap(({ text }) => extractFacts(text))
  const facts = extractFacts(answer).filter(isQuantity)
  if (facts.length === 0) return undefined
  const fact = pick(facts as [Fact, ...Fact[]], draw)
  const others = known.filter(
    (other) =>
      other.kind === fact.kind &&
      other.unit === fact.unit &&
      !own.some((one) => isSameFact(other, one)) &&
      /\d/.test(other.text),
  )
  if (others.length === 0) return undefined
  const { text } = pick(others as [Fact, ...Fact[]], draw)
  return { text: answer.slice(0, fact.start) + text + answer.slice(fact.end), value: text }
}

function measure(articles: readonly Article[], seed: number): Tally {
  const draw = seededRandom(seed)
  const passages = new Passages(articles)
  const without = new Map<Article, Passages>()
  const known = articles.flatMap(({ sections }) => sections.flatMap(({ text }) => extractFacts(text)))
  const isForeign = (facts: readonly Fact[]): boolean =>
    facts.length > 0 && !facts.some((fact) => known.some((one) => isSameFact(fact, one)))
  const tally: Tally = {
    planted: new Map(),
    untouched: 0,
    flagged: 0,
    checked: 0,
    withSource: 0,
    rightSource: 0,
    wrongSource: 0,
    examples: [],
  }
  const kinds = Object.entries(PLANTS)
  for (let index = 0; index < ANSWERS; index += 1) {
    const article = pick(articles as [Article, ...Article[]], draw)
    let text = answerFrom(article, draw)
    let planted: { kind: string; value: string } | undefined
    if (index % 3 === 1) {
      const [kind, plant] = pick(kinds as [(typeof kinds)[number], ...typeof kinds], draw)
      let value = plant(draw)
      while (!isForeign(extractFacts(value))) value = plant(draw)
      planted = { kind, value }
      const lines = text.split('\n')
      const at = whole(0, lines.length - 1, draw)
      lines[at] = draw() < 0.5 ? `${value} ${lines[at]}` : `${lines[at]} ${value}`
      text = lines.join('\n')
    } else if (index % 3 === 2) {
      const other = withOtherValue(text, article, known, draw)
      if (other === undefined) continue
      planted = { kind: 'value of another article', value: other.value }
      text = other.text
    }
    const read = readAnswer(text)
    const source = likelySource(read, passages)
    tally.withSource += Number(source !== null)
    tally.rightSource += Number(source?.article === article)
    const { findings, checked } = supportOf(read, article.title, source, passages)
    const others = without.get(article) ?? new Passages(articles.filter((one) => one !== article))
    without.set(article, others)
    tally.wrongSource += Number(likelySource(read, others) !== null)
    if (planted === undefined) {
      tally.untouched += 1
      tally.checked += Number(checked > 0)
      tally.flagged += Number(findings.length > 0)
      for (const { kind, fact, sentence } of findings)
        tally.examples.push(`flagged ${kind} ${fact.kind} ${fact.text}: ${sentence} (${article.id})`)
      continue
    }
    const { kind, value } = planted
    const count = tally.planted.get(kind) ?? { all: 0, found: 0 }
    const isFound = findings.some(({ fact }) => value.includes(fact.text))
    tally.planted.set(kind, { all: count.all + 1, found: count.found + Number(isFound) })
    if (!isFound) tally.examples.push(`missed ${kind}: ${value}`)
  }
  return tally
}

const percent = (part: number, all: number): string =>
  all === 0 ? '–' : `${((100 * part) / all).toFixed(1)} %`

async function printPlanted(path: string): Promise<void> {
  const { articles } = await readArticles(path)
  console.log(`\n${path}: ${articles.length} articles, ${ANSWERS} excerpts a seed, a third untouched`)
  const sums = new Map<string, { all: number; found: number }>()
  for (const seed of SEEDS) {
    const start = performance.now()
    const tally = measure(articles, seed)
    for (const [kind, count] of tally.planted) {
      const sum = sums.get(kind) ?? { all: 0, found: 0 }
      sums.set(kind, { all: sum.all + count.all, found: sum.found + count.found })
    }
    const all = tally.untouched + [...tally.planted.values()].reduce((sum, count) => sum + count.all, 0)
    console.log(
      `seed ${seed}: untouched flagged ${percent(tally.flagged, tally.untouched)} (checked ` +
        `${percent(tally.checked, tally.untouched)}); likely source named ${percent(tally.withSource, all)}, right ` +
        `${percent(tally.rightSource, tally.withSource)}, named without its article ` +
        `${percent(tally.wrongSource, all)}; ${Math.round(performance.now() - start)} ms`,
    )
    if (isVerbose) for (const example of tally.examples) console.log(`  ${example}`)
  }
  for (const [kind, { all, found }] of sums)
    console.log(`  ${kind.padEnd(24)} found ${percent(found, all)} of ${all}`)
}

type Row = Readonly<Record<'question' | 'article' | 'answer' | 'label' | 'kind', string>> & {
  readonly corpus?: string
}

/** Rows name a shipped article by its path or the corpus `shipped`, one of the desk case by `desk`. */
async function printParaphrases(path: string): Promise<void> {
  const rows = parse<Row>(readFileSync(path), { columns: true, bom: true })
  const passagesOf = new Map<string, Passages>()
  const tallies = new Map<string, Map<string, number>>()
  const count = (group: string, what: string): void => {
    const tally = tallies.get(group) ?? new Map<string, number>()
    tallies.set(group, tally.set(what, (tally.get(what) ?? 0) + 1))
  }
  for (const { question, article, answer, label, kind, corpus } of rows) {
    const from = corpus ?? (article.startsWith('datasets/') ? 'shipped' : 'stack')
    const passages =
      passagesOf.get(from) ?? new Passages((await readArticles(CORPORA[from] ?? from)).articles)
    passagesOf.set(from, passages)
    const read = readAnswer(answer)
    const source = likelySource(read, passages)
    const isMarked = supportOf(read, question, source, passages).findings.length > 0
    const named =
      source === null ? 'no source' : article.includes(source.article.id) ? 'right source' : 'wrong source'
    for (const group of ['all', `label ${label}`, ...kind.split(', ').map((one) => `${label}: ${one}`)]) {
      count(group, 'rows')
      if (isMarked) count(group, 'marked')
      count(group, named)
    }
  }
  console.log(`\n${path}: ${rows.length} answers`)
  for (const [group, tally] of [...tallies].sort((one, other) => (one[0] < other[0] ? -1 : 1))) {
    const all = tally.get('rows') ?? 0
    const share = (what: string): string => percent(tally.get(what) ?? 0, all).padStart(8)
    if (isVerbose || !group.includes(':'))
      console.log(
        `  ${group.padEnd(34)} ${String(all).padStart(4)}  marked ${share('marked')}  right source ` +
          `${share('right source')}  wrong ${share('wrong source')}`,
      )
  }
}

const isVerbose = process.argv.includes('--verbose')
const paths = process.argv.slice(2).filter((path) => path !== '--verbose')
const folder =
  paths.find((path) => existsSync(path) && statSync(path).isDirectory()) ??
  process.env['ASSIST_DATA'] ??
  dirname(paths[0] ?? '.')
const shipped = fileURLToPath(new URL('../../datasets/knowledge-base', import.meta.url))
const CORPORA: Readonly<Record<string, string>> = {
  shipped,
  stack: join(folder, 'stackfaq-articles.csv'),
  desk: join(folder, 'desk-case/articles'),
}
const written = [join(folder, 'paraphrased-answers.csv'), ...paths.filter((path) => path.endsWith('.csv'))]
for (const path of written)
  if (existsSync(path)) await printParaphrases(path)
  else console.log(`${path} is missing: skipped (give its folder, or ASSIST_DATA)`)
for (const path of [shipped, CORPORA['stack'] ?? '']) if (existsSync(path)) await printPlanted(path)
