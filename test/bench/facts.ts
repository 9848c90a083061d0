// Measures the support of facts: how many planted foreign facts are found, and how many untouched answers are
// flagged. Answers are excerpts of articles, spelled as people and language models spell them; half of them
// hold one fact that stands in no article.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Article } from '../../src/articles/article.ts'
import { FactIndex } from '../../src/articles/fact-index.ts'
import { extractFacts, type Fact } from '../../src/articles/facts.ts'
import { readArticles } from '../../src/articles/read.ts'
import { isSameFact } from '../../src/articles/same-fact.ts'
import { SourceIndex } from '../../src/articles/source.ts'
import { type Finding, supportOf } from '../../src/articles/support.ts'
import { seededRandom } from '../../src/stats/random.ts'

const SEEDS = [1, 2, 3, 4, 5]
const ANSWERS = 400

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

const isFlagged = ({ support }: Finding): boolean => support.kind !== 'supported'

interface Tally {
  readonly planted: Map<string, { all: number; found: number }>
  untouched: number
  flagged: number
  checked: number
  facts: number
  withSource: number
  rightSource: number
  /** Answers with a likely source although their article is left out. */
  wrongSource: number
  readonly examples: string[]
}

function measure(articles: readonly Article[], seed: number): Tally {
  const draw = seededRandom(seed)
  const [sources, corpus] = [new SourceIndex(articles), new FactIndex(articles)]
  const without = new Map<Article, SourceIndex>()
  const known = articles.flatMap(({ sections }) => sections.flatMap(({ text }) => extractFacts(text)))
  const isForeign = (facts: readonly Fact[]): boolean =>
    facts.length > 0 && !facts.some((fact) => known.some((one) => isSameFact(fact, one)))
  const tally: Tally = {
    planted: new Map(),
    untouched: 0,
    flagged: 0,
    checked: 0,
    facts: 0,
    withSource: 0,
    rightSource: 0,
    wrongSource: 0,
    examples: [],
  }
  const kinds = Object.entries(PLANTS)
  for (let index = 0; index < ANSWERS; index += 1) {
    const article = pick(articles as [Article, ...Article[]], draw)
    const answer = answerFrom(article, draw)
    const isPlanted = index % 2 === 0
    const [kind, plant] = kinds[Math.floor(index / 2) % kinds.length] ?? [
      'amount',
      () => 'The fee is €123,456.',
    ]
    let sentence = plant(draw)
    while (!isForeign(extractFacts(sentence))) sentence = plant(draw)
    const lines = answer.split('\n')
    const at = whole(0, lines.length - 1, draw)
    if (isPlanted) lines[at] = draw() < 0.5 ? `${sentence} ${lines[at]}` : `${lines[at]} ${sentence}`
    const text = lines.join('\n')
    const source = sources.likelySource(text)
    tally.withSource += Number(source !== null)
    tally.rightSource += Number(source?.article === article)
    const { findings, checked } = supportOf(text, article.title, source?.article ?? null, corpus)
    const flagged = findings.filter(isFlagged)
    const others = without.get(article) ?? new SourceIndex(articles.filter((one) => one !== article))
    without.set(article, others)
    tally.wrongSource += Number(others.likelySource(text) !== null)
    if (isPlanted) {
      const count = tally.planted.get(kind) ?? { all: 0, found: 0 }
      const isFound = flagged.some(
        (one) => sentence.includes(one.fact.text) || one.sentence.includes(sentence.slice(0, -1)),
      )
      tally.planted.set(kind, { all: count.all + 1, found: count.found + Number(isFound) })
      if (!isFound) tally.examples.push(`missed ${kind}: ${sentence}`)
    } else {
      tally.untouched += 1
      tally.checked += Number(checked > 0)
      tally.facts += findings.length
      tally.flagged += Number(flagged.length > 0)
      for (const one of flagged)
        tally.examples.push(
          `flagged ${one.support.kind} ${one.fact.kind} ${one.fact.text}: ${one.sentence} (${article.id})`,
        )
    }
  }
  return tally
}

const percent = (part: number, all: number): string =>
  all === 0 ? '–' : `${((100 * part) / all).toFixed(1)} %`

const shipped = fileURLToPath(new URL('../../datasets/knowledge-base', import.meta.url))
const [given, verbose] = process.argv.slice(2)
const data = given ?? join(process.env['ASSIST_DATA'] ?? '', 'stackfaq-articles.csv')
for (const path of [shipped, data]) {
  if (!existsSync(path)) {
    console.log(`${path} is missing: skipped (give a path, or ASSIST_DATA with stackfaq-articles.csv)`)
    continue
  }
  const { articles } = await readArticles(path)
  console.log(`\n${path}: ${articles.length} articles, ${ANSWERS} answers a seed, half with a planted fact`)
  const sums = new Map<string, { all: number; found: number }>()
  for (const seed of SEEDS) {
    const start = performance.now()
    const tally = measure(articles, seed)
    let [all, found] = [0, 0]
    for (const [kind, count] of tally.planted) {
      const sum = sums.get(kind) ?? { all: 0, found: 0 }
      sums.set(kind, { all: sum.all + count.all, found: sum.found + count.found })
      all += count.all
      found += count.found
    }
    console.log(
      `seed ${seed}: planted found ${percent(found, all)}; untouched flagged ` +
        `${percent(tally.flagged, tally.untouched)} (checked ${percent(tally.checked, tally.untouched)}, ` +
        `${tally.facts} facts); likely source named ${percent(tally.withSource, ANSWERS)}, right ` +
        `${percent(tally.rightSource, tally.withSource)}, named without its article ` +
        `${percent(tally.wrongSource, ANSWERS)}; ${Math.round(performance.now() - start)} ms`,
    )
    if (verbose !== undefined) for (const one of tally.examples) console.log(`  ${one}`)
  }
  for (const [kind, { all, found }] of sums)
    console.log(`  ${kind.padEnd(18)} found ${percent(found, all)} of ${all}`)
}
