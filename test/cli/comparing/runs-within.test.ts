// Folders that hold runs: `compare` says which ones belong together.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { refuseFolderOfRuns, refuseFoldersOfRuns } from '../../../src/cli/comparing/runs-within.ts'
import { UsageError } from '../../../src/cli/usage-error.ts'
import { answered, recordDay } from '../../support/answered.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const root = temporaryFolder()
const at = (...names: readonly string[]): string => join(root, ...names)
for (const folder of ['mt1', 'mt2'])
  for (const name of ['a', 'b']) recordDay(at(folder, name), 10, answered(1), { target: { name } })
recordDay(at('mt3', 'c'), 10, answered(1), { target: { name: 'c' } })
recordDay(at('only-b'), 10, answered(1), { target: { name: 'b' } })
for (const name of ['monday', 'tuesday']) recordDay(at('reports', name), 10, answered(1))
mkdirSync(at('empty'))

const refusal = (...names: readonly string[]): string => {
  try {
    refuseFoldersOfRuns(names.map((name) => at(name)))
    return ''
  } catch (error) {
    if (error instanceof UsageError) return error.message.replaceAll(`${root}/`, '')
    throw error
  }
}

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
