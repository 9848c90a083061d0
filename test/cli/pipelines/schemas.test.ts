// Protects the YAML of the recipes: GitHub's own parser accepts workflows and action, and the schema of the
// config file accepts the night that the guide shows and the package ships.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { parseWorkflow } from '@actions/workflow-parser'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { projectRoot } from '../../support/program.ts'
import { fileInPage } from '../../support/readme-blocks.ts'
import { temporaryFolder } from '../../support/temporary.ts'

type Parse = typeof parseWorkflow

interface Parsers {
  readonly parseWorkflow: Parse
  readonly parseAction: Parse
  readonly NoOperationTraceWriter: new () => Extract<Parameters<Parse>[1], { info: unknown }>
}

/** What is wrong with the text of a file, in the words of GitHub. */
type FaultsOf = (name: string, content: string) => string[]

/** The package imports JSON in a way that Node rejects, so a bundle of it is loaded. */
async function loadGithubSchemas(): Promise<{ workflow: FaultsOf; action: FaultsOf }> {
  const outfile = join(temporaryFolder(), 'github.mjs')
  const contents = `export { parseWorkflow, NoOperationTraceWriter } from '@actions/workflow-parser'
export { parseAction } from '@actions/workflow-parser/actions/action-parser'`
  const stdin = { contents, resolveDir: projectRoot }
  await build({ stdin, outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'error' })
  const {
    parseWorkflow: workflow,
    parseAction: action,
    NoOperationTraceWriter: Trace,
  } = (await import(pathToFileURL(outfile).href)) as Parsers
  const faultsOf =
    (parser: Parse): FaultsOf =>
    (name, content) =>
      parser({ name, content }, new Trace())
        .context.errors.getErrors()
        .map(({ message }) => message)
  return { workflow: faultsOf(workflow), action: faultsOf(action) }
}

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8')
const faultsOf = await loadGithubSchemas()

test.each([
  ['.github/workflows/ci.yml', read('.github/workflows/ci.yml')],
  ['assist-nightly.yml', fileInPage('docs/guides/ci-github.md', '.github/workflows/assist-nightly.yml')],
  ['assist-shards.yml', fileInPage('docs/guides/several-machines.md', '.github/workflows/assist-shards.yml')],
])('GitHub accepts the workflow %s', (name, text) => {
  expect(faultsOf.workflow(name, text)).toEqual([])
  const wrong = text.replace('runs-on:', 'run-on:').replace(/^ {2}push:|^ {2}schedule:/m, '  shedule:')
  expect(faultsOf.workflow(name, wrong)).not.toEqual([])
})

test('GitHub accepts the action', () => {
  const text = read('.github/actions/evaluate/action.yml')
  expect(faultsOf.action('action.yml', text)).toEqual([])
  for (const [right, wrong] of [
    ['working-directory: ${{', 'working-dir: ${{'],
    ['inputs.name }}/accepted', 'input.name }}/accepted'],
  ] as const)
    expect(faultsOf.action('action.yml', text.replace(right, wrong)), wrong).not.toEqual([])
})

test('the guide shows the shipped night, and the schema of the config file accepts it', () => {
  const text = read('docs/nightly.yaml')
  expect(read('docs/guides/ci.md')).toContain(`\`\`\`yaml\n${text}\`\`\`\n`)
  const schema = JSON.parse(read('schemas/config.schema.json')) as object
  const accepts = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema)
  expect([accepts(parse(text)), accepts.errors]).toEqual([true, null])
})
