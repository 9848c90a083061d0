// Folders that hold runs: `compare` says which ones belong together.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  refuseFolderOfRuns,
  refuseFoldersOfParts,
  refuseFoldersOfRuns,
  refuseMoreThanOneRun,
} from '../../src/cli/runs-within.ts'
import { UsageError } from '../../src/library/usage-error.ts'
import { answered, recordDay } from '../support/answered.ts'
import { temporaryFolder } from '../support/temporary.ts'

const root = temporaryFolder()
const at = (...names: readonly string[]): string => join(root, ...names)
for (const folder of ['mt1', 'mt2'])
  for (const name of ['a', 'b']) recordDay(at(folder, name), 10, answered(1), { target: { name } })
recordDay(at('mt3', 'c'), 10, answered(1), { target: { name: 'c' } })
recordDay(at('only-b'), 10, answered(1), { target: { name: 'b' } })
for (const name of ['monday', 'tuesday']) recordDay(at('reports', name), 10, answered(1))
for (const name of ['n1', 'n2', 'n3', 'n4', 'n5', 'n6'])
  recordDay(at('many', name), 10, answered(1), { target: { name } })
const shard = { index: 1, of: 2, maxCalls: null, numbered: 1, whole: null }
recordDay(at('parts', 'all'), 10, answered(1))
recordDay(at('parts', 'part'), 10, answered(1), { shard })
mkdirSync(at('empty'))

const said = (act: () => void): string => {
  try {
    act()
    return ''
  } catch (error) {
    if (error instanceof UsageError) return error.message.replaceAll(`${root}/`, '')
    throw error
  }
}
const refusal = (...names: readonly string[]): string =>
  said(() => refuseFoldersOfRuns(names.map((name) => at(name))))

test.each([
  [
    ['mt1', 'mt2'],
    'mt1 and mt2 hold runs of several targets: compare mt1/a with mt2/a, and so each target of its own (a, b)',
  ],
  [['only-b', 'mt2'], 'mt2 holds runs of several targets: compare only-b with mt2/b'],
  [['mt1/a', 'mt2'], 'mt2 holds runs of several targets: compare mt1/a with mt2/a'],
  [['mt1', 'mt3'], 'mt1 holds runs of several targets: name one of them, like mt1/a'],
  [
    ['reports', 'only-b'],
    'reports holds 2 runs in folders of their own: name one of them, like reports/monday',
  ],
  // Not with itself.
  [['mt1', 'mt1/a'], 'mt1 holds no run of its own, but runs of several targets: name one of them: mt1/b'],
  [['mt1/a', 'mt2/a'], ''],
  [['empty', 'only-b'], ''],
])('%j', (names, message) => {
  expect(refusal(...names)).toBe(message)
})

test('one alone is refused, too', () => {
  expect(() => refuseFolderOfRuns(at('mt2'))).toThrow(
    /holds runs of several targets: name one of them, like .*a$/,
  )
})

test.each([
  ['mt1', 'mt1 holds no run of its own, but runs of several targets: name one of them: mt1/a, mt1/b'],
  [
    'reports',
    'reports holds no run of its own, but 2 runs in folders of their own: name one of them: reports/monday, reports/tuesday',
  ],
  [
    'many',
    'many holds no run of its own, but runs of several targets: name one of them: many/n1, many/n2, many/n3, many/n4, many/n5, …',
  ],
  ['empty', ''],
  ['mt1/a', ''],
])('where one run is wanted, %s', (name, message) => {
  expect(said(() => refuseMoreThanOneRun(at(name)))).toBe(message)
})

test('parts are named themselves', () => {
  expect(said(() => refuseFoldersOfParts(at('mt1')))).toBe(
    'mt1 holds runs of several targets: merge each alone, naming the folders of its parts, like mt1/a',
  )
  expect(said(() => refuseFoldersOfParts(at('reports')))).toBe(
    'reports holds 2 runs in folders of their own: name the folders of the parts themselves, like reports/monday',
  )
  // A joined run beside them is none.
  expect(said(() => refuseFoldersOfParts(at('parts')))).toMatch(/like parts\/part$/)
})
