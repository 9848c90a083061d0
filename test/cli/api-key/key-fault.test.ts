// What is no key, and what is likely none: a word of the records could not be hidden in them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { COMMANDS } from '../../../src/cli/declarations/command-table.ts'
import { FIGURE_NAMES, FIGURES_BY_VALUE } from '../../../src/cli/api-key/figure-names.ts'
import { isPlainWord, keyFault } from '../../../src/cli/api-key/key-fault.ts'
import { OPTION_NAMES } from '../../../src/cli/api-key/option-names.ts'
import { OUTPUT_NAMES, OUTPUT_WORDS } from '../../../src/cli/api-key/output-words.ts'
import { optionEntries, toCamelCase } from '../../../src/cli/options/run-options.ts'
import { keepAside } from '../../../src/cli/reviews/keep-aside.ts'
import { runFolder } from '../../../src/cli/run-folder.ts'
import { attemptResultSchema } from '../../../src/domain/attempt.ts'
import { COMPARISON_COLUMNS } from '../../../src/domain/comparison/comparison-columns.ts'
import { HISTORY_COLUMNS } from '../../../src/domain/history/history-columns.ts'
import { journalRecordSchema } from '../../../src/domain/journal.ts'
import { LEDGER_COLUMNS } from '../../../src/domain/ledger-columns.ts'
import { limitReportSchema } from '../../../src/domain/load/limit-report.ts'
import { loadReportSchema } from '../../../src/domain/load/load-report.ts'
import { LOAD_METRICS } from '../../../src/domain/load/load-metric.ts'
import { METRICS } from '../../../src/domain/metric.ts'
import { OUTCOMES } from '../../../src/domain/outcome.ts'
import { RESULT_COLUMNS, REVIEW_COLUMNS } from '../../../src/domain/result-columns.ts'
import { projectRoot } from '../../support/program.ts'
import { temporaryFolder } from '../../support/temporary.ts'

/** Names of fields, and words that a field must hold, of all that an attempt may come to. */
function wordsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key === 'const') return [String(value)]
    if (key === 'enum') return (value as readonly unknown[]).map(String)
    return [...(key === 'properties' ? Object.keys(value as object) : []), ...wordsOf(value)]
  })
}

test('no word of what a call may come to, nor a part of one, is taken for a key', () => {
  const words = wordsOf(z.toJSONSchema(attemptResultSchema))
  expect(words).toContain('conversationId')
  expect(words).toContain('rejection')
  for (const word of [...words, ...OUTCOMES, 'KNOWLEDGE_BASE', 'KNOWLEDGE', 'httpStat']) {
    const fault = keyFault(word)
    expect(fault, word).toMatch(
      word.length < 8
        ? /^has only /
        : /^is a word that stands in every answer or record, .*; give the key itself$/,
    )
    // Not even a word is repeated.
    if (word.length >= 8) expect(fault).not.toContain(word)
  }
})

const shipped = (name: string): unknown =>
  JSON.parse(readFileSync(join(projectRoot, `schemas/${name}.schema.json`), 'utf8'))

/** Of eight characters or more, in all that is written. */
const written = new Set(
  [
    ...['summary', 'comparison'].flatMap((name) => wordsOf(shipped(name))),
    ...[journalRecordSchema, loadReportSchema, limitReportSchema].flatMap((schema) =>
      wordsOf(z.toJSONSchema(schema, { unrepresentable: 'any' })),
    ),
    ...[RESULT_COLUMNS, REVIEW_COLUMNS, COMPARISON_COLUMNS, HISTORY_COLUMNS, LEDGER_COLUMNS].flat(),
  ]
    .flatMap((word) => word.split(/\s+/))
    .filter((word) => word.length >= 8),
)

test('no column, name of a field or word of one, in all that is written, is taken for a key; none else is', () => {
  for (const word of ['grounded', 'latency_ms', 'conversation_id', 'possible', 'coverage', 'notCounted'])
    expect(written).toContain(word)
  const isPart = (word: string): boolean => OUTPUT_WORDS.some((known) => known.includes(word))
  expect([...written].filter((word) => !isPart(word)).join(' '), 'missing in output-words.ts').toBe('')
  expect(OUTPUT_WORDS.filter((word) => !written.has(word)).join(' '), 'gone from what is written').toBe('')
  for (const word of written) expect(keyFault(word), word).toMatch(/^is a word that .*; give the key itself$/)
})

/** All that the source says in quotes, so that none of a file to come is missed. */
const said = readdirSync(join(projectRoot, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.startsWith('build'))
  .flatMap((path) => textsOf(parseSync(path, readFileSync(join(projectRoot, 'src', path), 'utf8')).program))

function textsOf(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  const { type, value } = node as { readonly type?: unknown; readonly value?: unknown }
  if (type === 'Literal' && typeof value === 'string') return [value]
  if (type === 'TemplateElement') return [(value as { readonly raw: string }).raw]
  return Object.values(node).flatMap(textsOf)
}

const FILE = /(?<![\w.-])[a-z][a-z-]*(?:\.[a-z-]+)*\.(?:csv|html|json|md|ndjson|prom|xml|yaml)(?![\w.])/g

/** What is kept of a `results.csv` that cannot be read. */
function keptAside(): string {
  const path = join(temporaryFolder(), 'results.csv')
  writeFileSync(path, '')
  return basename(keepAside(path))
}

const ownNames = new Set(
  [
    (JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { name: string }).name,
    ...COMMANDS.map(({ name }) => name),
    ...Object.values(runFolder('')),
    keptAside(),
    ...said.flatMap((text) => text.match(FILE) ?? []),
    ...readdirSync(join(projectRoot, 'datasets')).flatMap((name) => name.match(FILE) ?? []),
  ].filter((name) => name.length >= 8),
)

test('nor is the name of a file of ours, of a command or of the program; none else is', () => {
  for (const name of [
    'results.csv',
    'results.edited.csv',
    'journal.ndjson',
    'comparison.md',
    'history.html',
    'questions.csv',
    'regression.csv',
    'assist-harness',
    'validate',
  ])
    expect(ownNames).toContain(name)
  const known = [...OUTPUT_NAMES, ...OUTPUT_WORDS]
  const missing = [...ownNames].filter((name) => !known.some((word) => word.includes(name)))
  expect(missing.join(' '), 'missing in output-words.ts').toBe('')
  expect(OUTPUT_NAMES.filter((name) => !ownNames.has(name)).join(' '), 'gone from what is written').toBe('')
  for (const name of ownNames)
    expect(keyFault(name), name).toMatch(/^(?:is a word|stands in the names) .*; give the key itself$/)
})

/** Those that are part of no other. */
const longest = (names: readonly string[]): string[] =>
  [...new Set(names)]
    .filter((name) => name.length >= 8)
    .filter((name, _, all) => !all.some((other) => other !== name && other.includes(name)))
    .toSorted()

const IS_NAME = /^(?:is a word|stands in the names of our files, figures, commands or options,) .*key itself$/

test('nor is the name of a figure, as thresholds have it; none else is', () => {
  const metrics = [...METRICS, ...LOAD_METRICS]
  const names = metrics.map(({ name }) => name)
  for (const name of ['quota.shareOfQuota', 'response.p95', 'coverage.cluster.low'])
    expect(names).toContain(name)
  expect(FIGURE_NAMES.toSorted(), 'other names in figure-names.ts').toEqual(longest(names))
  const open = metrics.filter(({ isOpen }) => isOpen).map(({ name }) => name)
  expect(FIGURES_BY_VALUE.toSorted(), 'others in figure-names.ts').toEqual([...new Set(open)].toSorted())
  const ofValues = open.flatMap((name) =>
    [...OUTCOMES, 'KNOWLEDGE_BASE', 'RATE_LIMITED', '502'].map((value) => `${name}.${value}`),
  )
  for (const name of [...names, ...ofValues, 'byOutcome.timeout'].filter(({ length }) => length >= 8))
    expect(keyFault(name), name).toMatch(IS_NAME)
  expect(keyFault('status.q8Zr0m2VbX41')).toBeUndefined()
})

test('nor is the name of an option, as it is typed or as the config file has it; none else is', async () => {
  const declared = await Promise.all(COMMANDS.map(async ({ declare }) => (await declare()).options))
  const typed = declared.flat().map(([name]) => `--${name}`)
  for (const name of ['--max-calls', '--answer-time', '--ledger-zone']) expect(typed).toContain(name)
  const names = [...typed, ...optionEntries.map(([name]) => toCamelCase(name))]
  expect(OPTION_NAMES.toSorted(), 'other names in option-names.ts').toEqual(longest(names))
  for (const name of [...names, 'max-calls'].filter(({ length }) => length >= 8))
    expect(keyFault(name), name).toMatch(IS_NAME)
})

test.each(['12345678', '1795363568123', '0.33333333', '2026-11-22', '127.0.0.1', '192.168.10.20'])(
  '%s stands in figures, times and addresses, and is no key',
  (value) => {
    expect(keyFault(value)).toMatch(/^is a number, a date or an address .*; give the key itself$/)
  },
)

test.each(['localhost', 'desk.localhost', '127.0.0.1'])('%s is this machine, and no key', (value) => {
  expect(keyFault(value)).toMatch(/^is a number, a date or an address /)
})

test.each(['12345678901234', '550e8400-e29b-41d4-a716-446655440000', '12345678a'])('%s may be one', (key) => {
  expect(keyFault(key)).toBeUndefined()
})

test.each([
  ['"sk_live_abcdefgh1"', 'stands in quotation marks; leave them out'],
  ["'sk_live_abcdefgh1'", 'stands in quotation marks; leave them out'],
  ['Bearer sk_live_abcdefgh1', 'begins with "Bearer", which is added to it; leave it out'],
])('%s is told what is too much in it', (value, told) => {
  expect(keyFault(value)).toBe(told)
})

test.each([
  ['password', true],
  ['Assistant', true],
  ['FREQUENT_QUESTIONS', true],
  ['key-of-a-test', false],
  ['sk_live_abcdefgh1', false],
  ['kqZrWbTzLmNpXc', false],
  ['abcdefghijklmnopqrstuvwxyz', false],
])('%s is no fault; a plain word: %s', (key, isPlain) => {
  expect(keyFault(key)).toBeUndefined()
  expect(isPlainWord(key)).toBe(isPlain)
})
