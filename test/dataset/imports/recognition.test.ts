// Which header is whose: each tool's is known whatever the spreadsheet did to it, and ours is never mistaken for another's.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { COLUMN_NAMES, COLUMNS } from '../../../src/dataset/columns.ts'
import { chooseFormat, FORMAT_NAMES } from '../../../src/dataset/formats.ts'
import { RESULT_COLUMNS } from '../../../src/domain/result-columns.ts'
import { projectRoot } from '../../support/program.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { accountOf, fixture, importedIn, importFaults, importSet, importText } from './importing.ts'

const folder = temporaryFolder()
const formatOf = (header: readonly string[]): string => chooseFormat(header, undefined)?.name ?? 'native'

const FORMATS: readonly (readonly [string, string])[] = [
  ['promptfoo.csv', 'promptfoo'],
  ['copilot-test-set.csv', 'copilot-test-set'],
  ['copilot-methods.csv', 'copilot-test-set'],
  ['copilot-results.csv', 'copilot-results'],
  ['google-cx.csv', 'google-cx'],
  ['botium.csv', 'botium'],
  ['ibm.csv', 'pairs'],
  ['infobip.csv', 'pairs'],
  ['foundry.csv', 'pairs'],
  ['deepeval.csv', 'pairs'],
]

const rowsOf = (path: string): string[][] =>
  parse(readFileSync(path), { bom: true, relax_column_count: true })

describe.each(FORMATS)('%s', (file, format) => {
  const [header = [], ...rows] = rowsOf(fixture(file))

  test(`is ${format}, and named so it reads the same`, async () => {
    expect(formatOf(header)).toBe(format)
    expect(await importSet(fixture(file), { format })).toEqual(await importSet(fixture(file)))
  })

  test('is recognised whatever its case, spaces, mark and separator', async () => {
    const change =
      format === 'promptfoo' ? (name: string) => ` ${name} ` : (name: string) => ` ${name.toUpperCase()} `
    const quoted = [header.map(change), ...rows]
      .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';'))
      .join('\r\n')
    const set = await importText(folder, `\ufeff${quoted}\r\n`)
    expect(importedIn(set)).toEqual(importedIn(await importSet(fixture(file))))
  })

  test('is read natively with --format native', async () => {
    const read = importSet(fixture(file), { format: 'native' })
    await expect(read.then(accountOf, () => [])).resolves.not.toContainEqual(
      expect.stringContaining('read as'),
    )
  })
})

test('every format has a file here', () => {
  expect(new Set([...FORMATS.map(([, format]) => format), 'native'])).toEqual(new Set(FORMAT_NAMES))
})

test('a named format that does not fit the header says what is missing', async () => {
  expect(await importFaults(folder, 'message,owner\nx,y\n', { format: 'botium' })).toEqual([
    'set.csv:1: a set of Botium conversations needs "conversationId", "sender", "text" (found: "message", "owner"); rename the columns, or leave out --format',
  ])
})

test('further columns of a named format are ignored, but those with our own names keep their meaning', async () => {
  const text = 'conversationId,sender,text,id,owner\na,me,x,q1,me\na,bot,y,q2,bot\n'
  const set = await importText(folder, text, { format: 'botium' })
  expect(set.threads[0]?.turns[0]).toMatchObject({ id: 'q1', cells: { owner: 'me', expect_answer: 'y' } })
})

describe('a header of our own is never mistaken for another tool’s', () => {
  const shipped = join(projectRoot, 'datasets')
  test.each(readdirSync(shipped).filter((name) => name.endsWith('.csv')))('%s', (name) => {
    expect(formatOf(rowsOf(join(shipped, name))[0] ?? [])).toBe('native')
  })

  test.each([
    'text,category',
    'thread,turn,message,topic',
    'question',
    'question,expected',
    'question,tags',
    'prompt,category',
  ])('%s', (header) => {
    expect(formatOf(header.split(','))).toBe('native')
  })

  test('results of a run', () => {
    expect(formatOf([...RESULT_COLUMNS, 'owner'])).toBe('native')
  })

  test('law: whatever stands beside our own name for the question, but for promptfoo’s underscores', () => {
    const names = fc.constantFrom(
      ...COLUMN_NAMES,
      ...COLUMN_NAMES.flatMap((name) => COLUMNS[name]),
      'answer',
      'sender',
      'response',
      'context',
      'Expected Actions',
    )
    fc.assert(
      fc.property(fc.uniqueArray(names, { maxLength: 6 }), (others) => {
        expect(formatOf(['message', ...others])).toBe('native')
      }),
    )
  })

  test('a form that names thread, turn, id and message is ours, whatever else is in it', () => {
    expect(formatOf(['thread', 'turn', 'id', 'message', '__expected', '_expected'])).toBe('native')
  })
})
