// Protects the recipes of docs/guides/ci-*.md: GitHub's own parser accepts workflows and action, the schema of the config file
// accepts the night that the guide shows, and the lines of GitLab's jobs and the steps of GitHub's shards run in a shell, over
// nights with a desk whose articles get worse. Jenkins and Azure run the same commands.
import { chmodSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { parseWorkflow } from '@actions/workflow-parser'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { build } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { answerJson, goodReply, serveFile } from '../../support/endpoint.ts'
import { projectRoot, runCommand } from '../../support/program.ts'
import { fileInPage } from '../../support/readme-blocks.ts'
import { serveProgram } from '../../support/shell-program.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { openWorkspace } from '../../support/workspace.ts'
import { openRepository, playAction } from './play-action.ts'

interface Job {
  readonly script: readonly string[]
  readonly rules: readonly unknown[]
}

const TOKEN = 'job-token-0123456789'
const rows = Array.from({ length: 60 }, (_, number) => `q${number},Question ${number}?\n`)
const { at, summary } = openWorkspace({
  'project/questions.csv': `id,message\n${rows.join('')}`,
  'project/nightly.yaml': `${readFileSync(join(projectRoot, 'docs/nightly.yaml'), 'utf8')}rate: unlimited\nconcurrency: 1\n`,
  // What `npm ci` installs: the built program of this checkout.
  'project/node_modules/.bin/assist-harness': await serveProgram(),
  // npm itself would take longer than the program.
  'bin/npm': '#!/bin/sh\ntest "$*" = ci\n',
  // GitLab's generic packages: the newest upload of one address.
  'bin/curl': `#!/bin/sh
[ "$3" = 'JOB-TOKEN: ${TOKEN}' ] || exit 22
case "$*" in
  *' --upload-file '*) cp "$5" "../package.tar.gz"; echo "$6" > ../address ;;
  *) [ "$4" = "$(cat ../address)" ] && cat ../package.tar.gz || exit 22 ;;
esac
`,
})
for (const file of ['project/node_modules/.bin/assist-harness', 'bin/npm', 'bin/curl'])
  chmodSync(at(file), 0o755)

let isBad = false
let refusesFrom = Infinity
const endpoint = await serveFile((call) => {
  if (endpoint.calls.length >= refusesFrom) return answerJson(call, 401, { error: { message: 'expired' } })
  return isBad ? answerJson(call, 200, { ...goodReply(call), contextSource: 'MODEL' }) : false
})
const DESK = { ASSIST_BASE_URL: endpoint.url, ASSIST_API_KEY: 'nightly-key-0123456789abcdef' }
const PATH = `${at('bin')}:${process.env['PATH'] ?? ''}`

const gitlab = parse(fileInPage('docs/guides/ci-gitlab.md', '.gitlab-ci.yml'))
const jobs: Readonly<Record<'nightly' | 'accept', Job>> = {
  nightly: gitlab['assist-nightly'],
  accept: gitlab['assist-accept'],
}

/** Plays a job from a fresh checkout. */
async function play(job: 'nightly' | 'accept') {
  for (const path of ['tonight', 'accepted', 'accepted.tar.gz'])
    rmSync(at('project', path), { recursive: true, force: true })
  const before = endpoint.calls.length
  const script = [...gitlab['.assist'].before_script, ...jobs[job].script].join('\n')
  const { code, stderr } = await runCommand('bash', ['-eo', 'pipefail', '-c', script], {
    cwd: at('project'),
    env: { ...DESK, PATH, CI_JOB_TOKEN: TOKEN, ACCEPTED: gitlab['.assist'].variables.ACCEPTED },
  })
  return { code, sent: endpoint.calls.length - before, notes: stderr.match(/^Note: .*$/gm) ?? [] }
}
const tonight = () => summary('project/tonight')

test('the lines of the jobs: no night without an accepted run, then one that passes, and a worse one that fails', async () => {
  expect(await play('nightly')).toMatchObject({ code: 2, sent: 0 })
  expect(await play('accept')).toMatchObject({ code: 0, sent: 60 })
  expect(await play('nightly')).toEqual({ code: 0, sent: 60, notes: [] })
  expect(tonight()).toMatchObject({ verdict: 'passed', comparison: { verdict: 'passed' }, warnings: [] })
  isBad = true
  expect((await play('nightly')).code).toBe(1)
  // What a person accepts is sent whole, and counts though a gate fails.
  expect(await play('accept')).toMatchObject({ code: 0, sent: 60 })
})

test('the nightly job runs on a schedule, the other one when a person starts it', () => {
  expect(jobs.nightly.rules).toEqual([{ if: '$CI_PIPELINE_SOURCE == "schedule"' }])
  expect(jobs.accept.rules).toEqual([{ if: '$CI_PIPELINE_SOURCE == "web"' }])
})

test.each([
  ['ci-gitlab.md', '.gitlab-ci.yml', 'reports: { junit: tonight/junit.xml }'],
  ['ci-jenkins.md', 'Jenkinsfile', "junit testResults: 'tonight/junit.xml', allowEmptyResults: true"],
  ['ci-azure.md', 'azure-pipelines.yml', 'testResultsFormat: JUnit, testResultsFiles: tonight/junit.xml'],
])('%s runs the commands of a night and of an accepted run, and publishes junit.xml', (page, file, junit) => {
  const recipe = fileInPage(`docs/guides/${page}`, file)
  const night = 'node_modules/.bin/assist-harness run --config nightly.yaml'
  expect(recipe.match(/node_modules\/\.bin\/assist-harness [^'\n]*/g)).toEqual([
    night,
    `${night} --require-baseline=false || [ $? -eq 1 ]`,
  ])
  expect(recipe).toContain(junit)
})

const shards = parse(fileInPage('docs/guides/several-machines.md', '.github/workflows/assist-shards.yml'))
const repository = await openRepository()
afterAll(async () => repository.close())

/** Plays a job of GitHub on a new machine. Returns the exit code. */
async function playJob(job: 'send' | 'judge', attempt: number, shard = ''): Promise<number> {
  rmSync(at('project/reports'), { recursive: true, force: true })
  const steps = { inputs: {}, outputs: {}, runs: shards.jobs[job] }
  const stage = { checkout: at('project'), path: at('bin'), run: 1, attempt, matrix: { shard }, env: DESK }
  return (await playAction(steps, {}, stage, repository)).code
}

test('the steps of the shards: one whose key is refused fails, and a second attempt finishes it and the merge', async () => {
  isBad = false
  const before = endpoint.calls.length
  expect([await playJob('send', 1, '1'), await playJob('send', 1, '2')]).toEqual([0, 0])
  refusesFrom = endpoint.calls.length + 5
  expect([await playJob('send', 1, '3'), await playJob('judge', 1)]).toEqual([3, 3])
  refusesFrom = Infinity
  expect([await playJob('send', 2, '3'), await playJob('judge', 2)]).toEqual([0, 0])
  expect(summary('project/reports/whole')).toMatchObject({ turns: { answered: 60 }, quota: { certain: 60 } })
  // The one that was refused is sent again, and no other.
  expect(endpoint.calls.length - before).toBe(61)
})

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
