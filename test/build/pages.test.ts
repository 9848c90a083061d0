// Protects the pages: generated ones are current (npm run build:package makes them), and a default, or a list of columns,
// formats or rules that people write, is that of the tables.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeReference } from '../../src/build/reference.ts'
import { COLUMN_NAMES, COLUMNS } from '../../src/dataset/columns.ts'
import { FORMAT_NAMES } from '../../src/dataset/formats.ts'
import { DEFAULT_RULES, GATE_RULES } from '../../src/domain/comparison.ts'
import * as library from '../../src/library/index.ts'
import { asTyped } from '../../src/options/faults.ts'
import { optionEntries, shownDefault } from '../../src/options/table.ts'
import { GLOSSARY } from '../../src/page/glossary.ts'
import { limitConfigSchema } from '../../src/sandbox/limits/models.ts'
import { projectRoot } from '../support/program.ts'
import { readRows } from '../support/rows.ts'

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

test('the list of words has each hint of the page', () => {
  const rows = read('docs/reference/words.md').split('\n')
  const words = rows.map((row) => row.split('|').map((cell) => cell.trim()))
  for (const [term, meaning] of Object.values(GLOSSARY)) expect(words).toContainEqual(['', term, meaning, ''])
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

const IN_WORDS: Record<string, number> = { twenty: 20, five: 5, 'a minute': 1, 'an hour': 1 }

/** Sentences with a figure of the program: `#` is the constant, in this unit. */
test.each(
  readRows<[page: string, name: string, unit: number, sentence: string]>(
    new URL('figures.ndjson', import.meta.url),
  ),
)('%s gives %s as the program has it', (page, name, unit, sentence) => {
  const value = Number((constant(name) / unit).toFixed(3))
  expect(read(`docs/${page}`)).toContain(sentence.replace('#', value.toLocaleString('en')))
  const [, inWords] = Object.entries(IN_WORDS).find(([words]) => sentence.includes(words)) ?? []
  if (inWords !== undefined) expect(inWords).toBe(value)
})

test.each([...makeReference()])('docs/reference/%s is current', (name, text) => {
  expect(readFileSync(join(projectRoot, 'docs/reference', name), 'utf8')).toBe(text)
  expect(text.match(/^.*\| +\|$/gm), 'rows without a meaning').toBeNull()
})
