// `npm run bench -- draft [FOLDER]`: what `draft` makes of real questions whose intents are known (the folder with
// banking77-test.csv; else ASSIST_DATA). The intents are withheld: no tags lead the choice. Then the same questions
// three times over, the copies with small changes, and the time of 20,000 tickets.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { chooseQuestions } from '../../src/analysis/draft/choose.ts'
import { joinNearEqual } from '../../src/analysis/draft/near-equal.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { inFolder, measureRow, row } from './measured.ts'

interface Asked {
  readonly text: string
  readonly category: string
}

const LIMIT = 77
const SEEDS = [1, 2, 3, 4, 5]

/** Whether members have the intent that most of their group have. */
function purityOf(groups: readonly (readonly Asked[])[]): number {
  const count = (group: readonly Asked[], category: string): number =>
    group.filter((one) => one.category === category).length
  const right = groups.reduce(
    (sum, group) => sum + Math.max(...group.map((one) => count(group, one.category))),
    0,
  )
  return (100 * right) / groups.flat().length
}

function measureLimit(rows: readonly Asked[]): void {
  const groups = joinNearEqual(rows.map(({ text }) => text)).map((group) =>
    group.flatMap((index) => rows[index] ?? []),
  )
  const items = groups.map((group) => ({ message: group[0]?.text ?? '', weight: group.length }))
  const chosen = SEEDS.map((seed) => chooseQuestions(items, LIMIT, seed).map((index) => groups[index] ?? []))
  const joined = groups.filter(({ length }) => length > 1)
  row(`--limit ${LIMIT}, by seed`, ...SEEDS)
  row('intents met: goal ≥ 60', ...chosen.map((some) => new Set(some.map(([first]) => first?.category)).size))
  row('purity of the groups, %: goal ≥ 85', ...chosen.map((some) => purityOf(some).toFixed(1)))
  row('the same of all groups of two and more, %', purityOf(joined).toFixed(1), joined.length)
}

/** A word with a letter left out, doubled, swapped or replaced. */
function mistype(text: string, random: () => number): string {
  const words = [...text.matchAll(/\p{L}{4,}/gu)]
  const word = words[Math.floor(random() * words.length)]
  if (word === undefined) return text
  const at = word.index + 1 + Math.floor(random() * (word[0].length - 2))
  const [before, sign, after] = [text.slice(0, at), text.charAt(at), text.slice(at + 1)]
  const other = String.fromCodePoint(97 + Math.floor(random() * 26))
  const forms = [
    before + after,
    before + sign + sign + after,
    before + after.charAt(0) + sign + after.slice(1),
    before + other + after,
  ]
  return forms[Math.floor(random() * forms.length)] ?? text
}

/** A typing error, case, signs, a polite word, or two of them. */
function changed(text: string, random: () => number): string {
  const forms = [
    () => mistype(text, random),
    () => text.toUpperCase(),
    () => text.replaceAll(/[?.,!']/g, ''),
    () => `Please, ${text}`,
    () => mistype(text.toLowerCase(), random).replace(/[?.!]*$/, '!!'),
  ]
  return forms[Math.floor(random() * forms.length)]?.() ?? text
}

function measureCopies(rows: readonly Asked[]): void {
  row('three times over, by seed', ...SEEDS)
  const figures = SEEDS.map((seed) => {
    const random = seededRandom(seed)
    const copies = [0, 1].flatMap(() => rows.map((one) => ({ ...one, text: changed(one.text, random) })))
    const all = [...rows, ...copies]
    const groups = joinNearEqual(all.map(({ text }) => text))
    const groupOf = new Map(
      groups.flatMap((members, group) => members.map((index) => [index, group] as const)),
    )
    const joined = copies.filter(
      (_, index) => groupOf.get(rows.length + index) === groupOf.get(index % rows.length),
    )
    const wrong = groups.flatMap(([first = 0, ...others]) =>
      others.filter((index) => all[index]?.category !== all[first]?.category),
    )
    return { joined: (100 * joined.length) / copies.length, wrong: (100 * wrong.length) / all.length }
  })
  row('copies joined, %: goal ≥ 95', ...figures.map(({ joined }) => joined.toFixed(1)))
  row('joined with another intent, %: goal ≤ 1', ...figures.map(({ wrong }) => wrong.toFixed(2)))
}

async function measureTime(rows: readonly Asked[]): Promise<void> {
  await inFolder(async (folder) => {
    const random = seededRandom(1)
    // Some questions are frequent, as in life.
    const tickets = Array.from({ length: 20_000 }, (_, index) => {
      const { text = '' } = rows[Math.floor(random() ** 3 * rows.length)] ?? {}
      const body = `Hi Tom,\n\n${text} I tried it twice, see ${100_000 + index}.\n\nBest regards,\nMary Smith\nmary${index}@example.com`
      return [String(index), 'Question', body]
    })
    writeFileSync(
      join(folder, 'tickets.csv'),
      stringify([['Ticket ID', 'Subject', 'Description'], ...tickets]),
    )
    row('20,000 tickets', 's', 'MB')
    await measureRow('draft', folder, ['draft', 'tickets.csv', '--out', 'all.csv'])
    await measureRow('draft --limit 200', folder, [
      'draft',
      'tickets.csv',
      '--limit',
      '200',
      '--out',
      'some.csv',
    ])
  })
}

const folder = process.argv[2] ?? process.env['ASSIST_DATA'] ?? ''
const path = join(folder, 'banking77-test.csv')
if (!existsSync(path)) {
  console.error('name the folder with banking77-test.csv, or set ASSIST_DATA')
  process.exitCode = 2
} else {
  const rows: Asked[] = parse(readFileSync(path), { columns: true, bom: true })
  measureLimit(rows)
  measureCopies(rows)
  await measureTime(rows)
}
