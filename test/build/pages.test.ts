// Protects the pages that people write: a default, or a list of columns, formats or rules, is that of the tables.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { COLUMN_NAMES, COLUMNS } from '../../src/dataset/columns.ts'
import { FORMAT_NAMES } from '../../src/dataset/formats.ts'
import { DEFAULT_RULES, GATE_RULES } from '../../src/domain/comparison.ts'
import { asTyped } from '../../src/options/faults.ts'
import * as library from '../../src/library/index.ts'
import { optionEntries, shownDefault } from '../../src/options/table.ts'
import { limitConfigSchema } from '../../src/sandbox/limits/models.ts'
import { projectRoot } from '../support/program.ts'

const read = (page: string): string => readFileSync(join(projectRoot, page), 'utf8')
const guides = readdirSync(join(projectRoot, 'docs/guides')).map((name) => `docs/guides/${name}`)

/** `--rate auto` (default); `--pass-policy` …: `all` (default); `--margin` is 2 percentage points. */
const FORMS = [
  /`--([a-z-]+) ([^`]+)` \(default\)/g,
  /`--([a-z-]+)`[^.`]*`([^`]+)` \(default\)/g,
  /`--([a-z-]+)` is (\d[\d.,]*\w?)(?! \w+ly)/g,
]
const stated = ['README.md', ...guides].flatMap((page) =>
  FORMS.flatMap((form) =>
    [...read(page).matchAll(form)].map(([text, option, value]) => ({ page, text, option, value })),
  ),
)

test.each(stated)('$page: $text', ({ option, value = '' }) => {
  const [, known] = optionEntries.find(([name]) => asTyped(name) === `--${option}`) ?? []
  const parse = (text = ''): unknown => known?.value.typed.parse(text)
  expect(parse(value)).toEqual(parse(known && shownDefault(known)))
})

test('no page states a default in another form', () => {
  const marks = ['README.md', ...guides].flatMap((page) => read(page).match(/\(default\)|default:? `/g) ?? [])
  expect(stated.filter(({ text }) => text.endsWith('(default)'))).toHaveLength(marks.length)
})

/** The first two cells of a table's rows, by the code in the first. */
const rowsOf = (page: string, heading: string): [name: string, cell: string][] =>
  [...(read(page).split(heading)[1]?.split('\n\n')[0] ?? '').matchAll(/^\| `([^`]+)`[^|]*\| ([^|]*)/gm)].map(
    ([, name = '', cell = '']) => [name, cell.trim()],
  )

test('the guides list all columns with their other names, all formats, and all rules with the default first', () => {
  const columns = COLUMN_NAMES.map((name) => [name, COLUMNS[name].join(', ')])
  expect(rowsOf('docs/guides/questions.md', '| column ')).toEqual(columns)
  const rules = rowsOf('docs/guides/compare.md', '| rule ').map(([name]) => name)
  expect(rules.slice(0, DEFAULT_RULES.length)).toEqual(DEFAULT_RULES)
  expect(rules.toSorted()).toEqual([...GATE_RULES, 'none'].toSorted())
  for (const name of FORMAT_NAMES)
    expect(read('docs/reference/formats.md')).toMatch(new RegExp(`\`(?:--format )?${name}\``))
})

test('the page of the library names every function, and that of the sandbox every kind of limit', () => {
  const functions = Object.entries(library).filter(
    ([name, made]) => typeof made === 'function' && /^[a-z]/.test(name),
  )
  const page = read('docs/reference/library.md')
  const unnamed = functions.filter(([name]) => !new RegExp(`\`${name}[\`(]`).test(page))
  expect(unnamed.map(([name]) => name)).toEqual(['realPorts', 'resolveShipped'])
  const kinds = limitConfigSchema.options.map(({ shape }) => shape.kind.value)
  for (const kind of kinds) expect(read('docs/reference/sandbox.md')).toContain(kind)
})

const sources = readdirSync(join(projectRoot, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, text: read(join('src', path)) }))

/** What src/ states for `QUOTA_MS`, or for `stops.ts FIRST_MS` where two files have the name. */
function constant(name: string): number {
  const [word = '', file = ''] = name.split(' ').toReversed()
  const form = new RegExp(String.raw`\b${word}(?: =|:) ([\d_.]+(?: \*+ [\d_.]+)*)`, 'g')
  const values = sources
    .filter(({ path }) => path.endsWith(file))
    .flatMap(({ text }) => [...text.matchAll(form)].map(([, value = '']) => value.replaceAll('_', '')))
  expect(values, name).toHaveLength(1)
  const powers = (values[0] ?? '').split(' * ').map((factor) => factor.split(' ** ').map(Number))
  return powers.reduce((product, [base = 0, exponent = 1]) => product * base ** exponent, 1)
}

/** Sentences with a figure of the program: `#` is the constant, in this unit. */
const FIGURES: [page: string, name: string, unit: number, sentence: string][] = [
  ['guides/ci.md', 'stops.ts FIRST_MS', 60_000, 'within about a minute'],
  ['guides/ci.md', 'MAX_OTHER_STATUS', 0.01, 'more than # % of the answers have a `status`'],
  ['guides/ci.md', 'MAX_RETRY_MS', 3_600_000, 'complete for more than # hours'],
  ['guides/compare.md', 'comparing/totals.ts MIN_THREADS', 1, 'fewer than five conversations'],
  ['guides/containers.md', 'short', 1000, 'gives calls in flight # s'],
  ['guides/containers.md', 'MAX_RETRY_MS', 3_600_000, 'complete for more than # hours'],
  ['guides/containers.md', 'silentMs', 1000, "watches the folder's lock for up to # s"],
  ['guides/cost-and-limits.md', 'START_PER_SECOND', 1, 'the starting pace of # calls a second'],
  ['guides/cost-and-limits.md', 'START_PER_SECOND', 1, 'starts at # calls a second'],
  ['guides/cost-and-limits.md', 'ANSWER_MS', 1000, 'It assumes # s for an answer'],
  ['guides/cost-and-limits.md', 'MAX_OTHER_STATUS', 0.01, '`status` allows # % of the answers'],
  ['guides/cost-and-limits.md', 'pace/constants.ts MARGIN', 0.01, 'of which # % are used'],
  ['guides/cost-and-limits.md', 'MAX_PLATEAU_CALLS', 1, 'for up to # calls'],
  ['guides/cost-and-limits.md', 'QUOTA_MS', 60_000, 'end it after # minutes'],
  ['guides/cost-and-limits.md', 'QUOTA_MS', 60_000, 'of a used-up quota for # minutes'],
  ['guides/cost-and-limits.md', 'MAX_ANNOUNCED_MS', 3_600_000, 'up to an hour'],
  ['guides/cost-and-limits.md', 'maxPerSecond', 1, 'It sends at most # calls a second'],
  ['guides/cost-and-limits.md', 'CLOCK_TOLERANCE_MS', 1000, 'That time is # s longer on both sides'],
  ['guides/load-tests.md', 'MAX_LAG_MS', 1, 'p99 above # ms is a warning'],
  ['guides/resume.md', 'QUOTA_MS', 60_000, 'for # minutes only 429s of one code'],
  ['guides/resume.md', 'patient', 1000, 'After Ctrl-C, calls in flight have # s'],
  ['guides/resume.md', 'short', 1000, 'After SIGTERM they have # s'],
  ['guides/resume.md', 'silentMs', 1000, 'watches it for up to # s'],
  ['guides/resume.md', 'MAX_RETRY_MS', 3_600_000, 'complete for more than # hours'],
  ['guides/several-machines.md', 'GONE_MS', 1000, 'the time of a round trip, up to # s'],
  ['guides/several-machines.md', 'LOST_MS', 1000, 'is waited for, up to # s'],
  ['guides/what-it-claims.md', 'MIN_MEASURED', 1, 'Below twenty such questions'],
  ['guides/what-it-claims.md', 'MIN_GROUNDED', 1, 'below five, a cause'],
  ['guides/what-it-claims.md', 'SURER', 0.01, 'where it is # % sure'],
  ['guides/workbench.md', 'MAX_UPLOAD', 2 ** 20, 'files that you drop to # MB'],
  ['reference/config.md', 'QUOTA_MS', 60_000, 'end a run after # minutes'],
  ['reference/config.md', 'maxPerSecond', 1, 'at most # calls a second'],
  ['reference/files.md', 'MAX_CELL', 1, 'cut at # characters'],
  ['reference/formats.md', 'MAX_PART_MB', 1, 'more than # MB when unpacked'],
  ['reference/http.md', 'CONNECT_TIMEOUT_MS', 1000, 'Connecting takes at most # s'],
  ['reference/http.md', 'ADDRESS_TIMEOUT_MS', 1000, 'each for at most # s'],
  ['reference/http.md', 'MAX_HEADER_BYTES', 2 ** 10, 'with headers of at most # KB'],
  ['reference/http.md', 'MIN_KEY_LENGTH', 1, 'fewer than # characters is sent, but not masked'],
  ['reference/http.md', 'MAX_WHOLE_LENGTH', 1, 'one of more than # characters'],
  ['reference/http.md', 'endpoint/result.ts MAX_LENGTH', 1, 'cut at # characters'],
]
const IN_WORDS: Record<string, number> = { twenty: 20, five: 5, 'a minute': 1, 'an hour': 1 }

test.each(FIGURES)('%s gives %s as the program has it', (page, name, unit, sentence) => {
  const value = Number((constant(name) / unit).toFixed(3))
  expect(read(`docs/${page}`)).toContain(sentence.replace('#', value.toLocaleString('en')))
  const [, inWords] = Object.entries(IN_WORDS).find(([words]) => sentence.includes(words)) ?? []
  if (inWords !== undefined) expect(inWords).toBe(value)
})
