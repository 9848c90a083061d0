// Plays a composite GitHub Action as far as it can be without GitHub: real bash for its scripts, folders for its services.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { data, Evaluator, Lexer, Parser } from '@actions/expressions'
import { parse } from 'yaml'

interface Step {
  readonly id?: string
  readonly name?: string
  readonly if?: string
  readonly uses?: string
  readonly with?: Readonly<Record<string, string | number | boolean>>
  readonly env?: Readonly<Record<string, string>>
  readonly run?: string
}

export interface ActionFile {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>
  readonly outputs: Readonly<Record<string, { readonly value: string }>>
  readonly runs: { readonly using: string; readonly steps: readonly Step[] }
}

export interface Stage {
  /** The checkout that the job works in. */
  readonly workspace: string
  /** Where caches and artifacts outlive the job. */
  readonly services: string
  /** Folder that comes first in PATH: what stands in for an installed harness. */
  readonly path: string
  readonly runId: number
}

export interface Played {
  readonly conclusion: 'success' | 'failure'
  readonly outputs: Readonly<Record<string, string>>
  /** What stdout and stderr said, all steps. */
  readonly log: string
  /** The job's summary. */
  readonly summary: string
  /** Names of the steps that ran. */
  readonly ran: readonly string[]
}

export const readAction = (path: string): ActionFile => parse(readFileSync(path, 'utf8')) as ActionFile

/** `skip`: names of steps that are not played, since they need a network. */
export async function playAction(
  action: ActionFile,
  given: Readonly<Record<string, string>>,
  stage: Stage,
  skip: readonly string[],
): Promise<Played> {
  const inputs = Object.fromEntries(
    Object.entries(action.inputs).map(([name, input]) => [name, given[name] ?? input.default ?? '']),
  )
  const temp = join(stage.services, `temp-${stage.runId}`)
  mkdirSync(temp, { recursive: true })
  const summary = join(temp, 'step-summary.md')
  writeFileSync(summary, '')
  const outputs: Record<string, Record<string, string>> = {}
  const ran: string[] = []
  let [log, failed] = ['', false]
  const context = (): Context => ({
    inputs,
    steps: Object.fromEntries(Object.entries(outputs).map(([id, values]) => [id, { outputs: values }])),
    github: { run_id: String(stage.runId), run_attempt: '1', action_path: temp },
    runner: { temp },
    env: {},
  })
  for (const step of action.runs.steps) {
    const name = step.name ?? step.uses ?? ''
    if (skip.includes(name) || !isDue(step.if, failed, context())) continue
    ran.push(name)
    const fill = (value: string | number | boolean): string => fillIn(String(value), context())
    if (step.uses !== undefined) {
      if (!serve(step.uses, mapValues(step.with ?? {}, fill), stage)) failed = true
      continue
    }
    const output = join(temp, `output-${ran.length}`)
    writeFileSync(output, '')
    const env = {
      PATH: `${stage.path}:${process.env['PATH'] ?? ''}`,
      HOME: temp,
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_ACTIONS: 'true',
      ...mapValues(step.env ?? {}, fill),
    }
    const { code, said } = await runBash(step.run ?? '', stage.workspace, env)
    log += said
    if (code !== 0) failed = true
    if (step.id !== undefined) outputs[step.id] = readOutputs(output)
  }
  return {
    conclusion: failed ? 'failure' : 'success',
    outputs: mapValues(
      Object.fromEntries(Object.entries(action.outputs).map(([name, { value }]) => [name, value])),
      (text) => fillIn(text, context()),
    ),
    log,
    summary: readFileSync(summary, 'utf8'),
    ran,
  }
}

/** As GitHub starts it for `shell: bash`. */
async function runBash(
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], { cwd, env })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, said }
}

/** Caches and artifacts as folders, by key and name; returns whether the step succeeded. */
function serve(uses: string, given: Readonly<Record<string, string>>, stage: Stage): boolean {
  const place = join(stage.workspace, given['path'] ?? '')
  const caches = join(stage.services, 'caches')
  const artifact = join(stage.services, 'artifacts', String(stage.runId), given['name'] ?? '')
  switch (uses.replace(/@.*/, '')) {
    case 'actions/setup-node':
      return true
    case 'actions/cache/restore': {
      // The newest whose key begins with one of the restore keys.
      const found = (existsSync(caches) ? readdirSync(caches) : [])
        .filter((key) => key.startsWith((given['restore-keys'] ?? '').trim()))
        .sort()
        .at(-1)
      if (found !== undefined) cpSync(join(caches, found), place, { recursive: true })
      return true
    }
    case 'actions/cache/save':
      cpSync(place, join(caches, given['key'] ?? ''), { recursive: true })
      return true
    case 'actions/upload-artifact':
      // Version 4 refuses a name that the workflow's run has already.
      if (existsSync(artifact)) return false
      if (existsSync(place)) cpSync(place, artifact, { recursive: true })
      return true
    default:
      throw new Error(`nothing stands in for ${uses}`)
  }
}

type Context = Readonly<Record<string, unknown>>

/** Without a status function in it a condition holds only while nothing has failed. */
function isDue(condition: string | undefined, failed: boolean, context: Context): boolean {
  if (condition === undefined) return !failed
  const bare = condition.replace(/^\s*\$\{\{(.*)\}\}\s*$/s, '$1').trim()
  const [, isAlways, rest] = /^(always\(\))?(?: && )?(.*)$/s.exec(bare) ?? []
  if (failed && isAlways === undefined) return false
  return rest === '' || rest === undefined || evaluate(rest, context).coerceString() === 'true'
}

const fillIn = (text: string, context: Context): string =>
  text.replaceAll(/\$\{\{(.*?)\}\}/gs, (_, expression: string) =>
    evaluate(expression.trim(), context).coerceString(),
  )

/** By GitHub's own evaluator. */
function evaluate(expression: string, context: Context): data.ExpressionData {
  const { tokens } = new Lexer(expression).lex()
  const parsed = new Parser(tokens, Object.keys(context), []).parse()
  return new Evaluator(parsed, toData(context) as data.Dictionary).evaluate()
}

function toData(value: unknown): data.ExpressionData {
  if (typeof value !== 'object' || value === null) return new data.StringData(String(value))
  const pairs = Object.entries(value).map(([key, one]) => ({ key, value: toData(one) }))
  return new data.Dictionary(...pairs)
}

const readOutputs = (path: string): Record<string, string> =>
  Object.fromEntries(
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

const mapValues = <T>(
  values: Readonly<Record<string, T>>,
  change: (value: T) => string,
): Record<string, string> => Object.fromEntries(Object.entries(values).map(([k, v]) => [k, change(v)]))
