// Runs the steps of a composite GitHub action, or of a job, without GitHub: their own conditions and scripts, with
// folders for artifacts and a server for the API that lists them.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { data, Evaluator, Lexer, Parser } from '@actions/expressions'
import { parse } from 'yaml'
import { runCommand } from '../../support/program.ts'

type Values = Readonly<Record<string, string>>

interface Step extends Partial<
  Readonly<Record<'id' | 'name' | 'if' | 'uses' | 'run' | 'shell' | 'working-directory', string>>
> {
  readonly with?: Readonly<Record<string, string | boolean>>
  readonly env?: Values
  readonly 'continue-on-error'?: boolean
}

export interface ActionFile {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>
  readonly outputs: Readonly<Record<string, { readonly value: string }>>
  readonly runs: { readonly steps: readonly Step[] }
}

/** An uploaded folder, as the API lists it. */
export interface Artifact {
  readonly name: string
  readonly run: number
  readonly folder: string
  readonly retentionDays: string
  readonly expired?: boolean
  /** Uploaded by a workflow of a fork. */
  readonly isForeign?: boolean
}

/** What outlives a job, in the order of uploading. */
export interface Repository {
  readonly artifacts: Artifact[]
  readonly api: string
  close(): Promise<void>
}

export interface Stage {
  readonly checkout: string
  /** First in PATH. */
  readonly path: string
  readonly run: number
  readonly attempt: number
  /** Of a job. */
  readonly matrix?: Values
  readonly env?: Values
}

export interface Played {
  readonly conclusion: 'success' | 'failure'
  /** Of the step that failed, or 0. */
  readonly code: number
  readonly outputs: Values
  /** stdout and stderr of all steps. */
  readonly log: string
  /** The step summary of the job. */
  readonly summary: string
  /** Names of the steps that ran. */
  readonly ran: readonly string[]
}

/** Of the job, which may read artifacts. */
const TOKEN = 'github-token-0123456789'

export const readAction = (path: string): ActionFile => parse(readFileSync(path, 'utf8')) as ActionFile

/** `mayRead`: whether the job has the permission actions:read. */
export async function openRepository(mayRead = true): Promise<Repository> {
  const artifacts: Artifact[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://api')
    const [, run] = /^\/repos\/desk\/questions\/actions\/(?:runs\/(\d+)\/)?artifacts$/.exec(pathname) ?? []
    if (!mayRead || request.headers.authorization !== `Bearer ${TOKEN}`) {
      response.writeHead(403).end('{"message":"Resource not accessible by integration"}')
      return
    }
    const [name, from] = [searchParams.get('name'), run === undefined ? undefined : Number(run)]
    const listed = artifacts
      .map((one, index) => ({ ...one, index }))
      .filter((one) => (name === null || one.name === name) && (from === undefined || one.run === from))
      .map(({ index, name: own, run: id, expired = false, isForeign = false }) => ({
        id: index,
        name: own,
        expired,
        created_at: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString(),
        workflow_run: { id, repository_id: 1, head_repository_id: isForeign ? 2 : 1 },
      }))
    response.end(JSON.stringify({ total_count: listed.length, artifacts: listed }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    server.close()
    await once(server, 'close')
  }
  return { artifacts, api: `http://127.0.0.1:${port}`, close }
}

export async function playAction(
  { inputs, outputs, runs }: ActionFile,
  given: Values,
  stage: Stage,
  repository: Repository,
): Promise<Played> {
  const temp = `${stage.checkout}-temp-${stage.attempt}`
  mkdirSync(temp, { recursive: true })
  const [summary, output, paths] = ['step-summary.md', 'output', 'path'].map((name) => join(temp, name))
  for (const file of [summary, paths]) writeFileSync(file ?? '', '')
  const steps: Record<string, { outputs: Values }> = {}
  const github = { run_id: stage.run, run_attempt: stage.attempt, token: TOKEN, action_path: ACTION }
  const { env = {}, matrix = {} } = stage
  const values = mapValues(inputs, (input) => fillIn(input.default ?? '', { github, env }))
  const context = { inputs: { ...values, ...given }, steps, github, env, matrix }
  const fill = (text: string): string => fillIn(text, context)
  const ran: string[] = []
  let [log, failed] = ['', 0]
  for (const step of runs.steps) {
    const name = step.name ?? step.uses ?? ''
    // A condition without a status function holds only while no step has failed.
    const mayRun = failed === 0 || step.if?.includes('always()') === true
    const { if: condition = 'true' } = step
    const holds = fill(condition.includes('${{') ? condition : `\${{ ${condition} }}`) === 'true'
    if (!mayRun || !holds) continue
    ran.push(name)
    if (step.uses !== undefined) {
      const served = serve(
        step.uses,
        mapValues(step.with ?? {}, (value) => fill(String(value))),
        stage,
        repository.artifacts,
      )
      if (!served && step['continue-on-error'] !== true) throw new Error(`${name} failed`)
      continue
    }
    writeFileSync(output ?? '', '')
    const added = readFileSync(paths ?? '', 'utf8')
      .split('\n')
      .reverse()
      .filter(Boolean)
    const [command, ...words] = SHELLS[step.shell ?? ''] ?? []
    const { code, screen } = await runCommand(command ?? 'false', [...words, fill(step.run ?? '')], {
      cwd: join(stage.checkout, fill(step['working-directory'] ?? '.')),
      env: {
        ...env,
        PATH: [...added, stage.path, process.env['PATH'] ?? ''].join(':'),
        GITHUB_ACTIONS: 'true',
        GITHUB_API_URL: repository.api,
        GITHUB_OUTPUT: output ?? '',
        GITHUB_PATH: paths ?? '',
        GITHUB_REPOSITORY: 'desk/questions',
        GITHUB_RUN_ATTEMPT: String(stage.attempt),
        GITHUB_RUN_ID: String(stage.run),
        GITHUB_STEP_SUMMARY: summary ?? '',
        GITHUB_WORKSPACE: stage.checkout,
        ...mapValues(step.env ?? {}, fill),
      },
    })
    log += screen
    if (failed === 0) failed = code ?? -1
    const said = [...readFileSync(output ?? '', 'utf8').matchAll(/^(.+?)=(.*)$/gm)]
    steps[step.id ?? name] = { outputs: Object.fromEntries(said.map(([, key, value]) => [key, value])) }
  }
  return {
    conclusion: failed === 0 ? 'success' : 'failure',
    code: failed,
    outputs: mapValues(outputs, ({ value }) => fill(value)),
    log,
    summary: readFileSync(summary ?? '', 'utf8'),
    ran,
  }
}

/** The folder of the action, where its scripts are. */
const ACTION = join(import.meta.dirname, '../../../.github/actions/evaluate')

/** The runner's own words, https://docs.github.com/actions (workflow syntax, `shell`). */
const SHELLS: Readonly<Record<string, readonly string[]>> = {
  sh: ['sh', '-e', '-c'],
  '': ['bash', '-e', '-c'],
}

/** Uploads a copy, or downloads the newest of a run, as the actions do. Returns whether it could. */
function serve(uses: string, given: Values, { checkout, run }: Stage, artifacts: Artifact[]): boolean {
  const { name = '', path = '', pattern = name, 'retention-days': retentionDays = '' } = given
  const place = join(checkout, path)
  const action = uses.replace(/@v\d+$/, '')
  if (action === 'actions/upload-artifact') {
    if (!existsSync(place)) return given['if-no-files-found'] === 'ignore'
    const isTaken = artifacts.some((one) => one.name === name && one.run === run)
    if (isTaken && given['overwrite'] !== 'true') return false
    const folder = `${checkout}-artifact-${artifacts.length}`
    cpSync(place, folder, { recursive: true })
    artifacts.push({ name, run, folder, retentionDays })
    return true
  }
  if (action !== 'actions/download-artifact') return /^actions\/(?:checkout|setup-node)$/.test(action)
  const matches = (one: Artifact): boolean =>
    one.run === Number(given['run-id']) && RegExp(`^${pattern.replace('*', '.*')}$`).test(one.name)
  const newest = new Map(artifacts.filter(matches).map((one) => [one.name, one]))
  for (const [own, { folder }] of newest)
    cpSync(folder, pattern === name ? place : join(place, own), { recursive: true })
  const isThere = newest.size > 0 && ![...newest.values()].some(({ expired }) => expired)
  return isThere && given['github-token'] === TOKEN
}

const ALWAYS = { name: 'always', minArgs: 0, maxArgs: 0, call: () => new data.BooleanData(true) }

/** Evaluates expressions with GitHub's own library. */
const fillIn = (text: string, context: object): string =>
  text.replaceAll(/\$\{\{(.*?)\}\}/gs, (_, expression: string) => {
    const parsed = new Parser(new Lexer(expression).lex().tokens, Object.keys(context), [ALWAYS]).parse()
    const known = JSON.parse(JSON.stringify(context), data.reviver) as data.Dictionary
    return new Evaluator(parsed, known, new Map([['always', ALWAYS]])).evaluate().coerceString()
  })

const mapValues = <T>(values: Readonly<Record<string, T>>, change: (value: T) => string): Values =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]))
