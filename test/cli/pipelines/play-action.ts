// Runs a composite GitHub action without GitHub: its own conditions and scripts, with folders instead of
// caches and artifacts.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { data, Evaluator, Lexer, Parser } from '@actions/expressions'
import { parse } from 'yaml'
import { runCommand } from '../../support/program.ts'

type Values = Readonly<Record<string, string>>

interface Step extends Partial<Readonly<Record<'id' | 'name' | 'if' | 'uses' | 'run', string>>> {
  readonly with?: Readonly<Record<string, string | boolean>>
  readonly env?: Values
}

export interface ActionFile {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>
  readonly outputs: Readonly<Record<string, { readonly value: string }>>
  readonly runs: { readonly steps: readonly Step[] }
}

/** The caches that outlive a job: a folder for each key, in the order of saving. */
export type Caches = Map<string, string>

export interface Played {
  readonly conclusion: 'success' | 'failure'
  readonly outputs: Values
  /** stdout and stderr of all steps. */
  readonly log: string
  /** The step summary of the job. */
  readonly summary: string
  /** Names of the steps that ran. */
  readonly ran: readonly string[]
  /** Uploaded folders by artifact name. */
  readonly artifacts: Values
}

export const readAction = (path: string): ActionFile => parse(readFileSync(path, 'utf8')) as ActionFile

/**
 * Runs in a checkout with `path` first in PATH. `skip`: the name of a step that needs a network and does not
 * run.
 */
export async function playAction(
  { inputs, outputs, runs }: ActionFile,
  given: Values,
  stage: { readonly checkout: string; readonly path: string; readonly runId: string; readonly skip: string },
  caches: Caches,
): Promise<Played> {
  const temp = `${stage.checkout}-temp`
  mkdirSync(temp)
  const summary = join(temp, 'step-summary.md')
  const output = join(temp, 'output')
  writeFileSync(summary, '')
  const steps: Record<string, { outputs: Values }> = {}
  const context = {
    inputs: { ...mapValues(inputs, (input) => input.default ?? ''), ...given },
    steps,
    github: { run_id: stage.runId, run_attempt: '1', action_path: temp },
    env: {},
  }
  const fill = (text: string): string => fillIn(text, context)
  const ran: string[] = []
  const artifacts: Record<string, string> = {}
  let [log, conclusion]: [string, Played['conclusion']] = ['', 'success']
  for (const step of runs.steps) {
    const name = step.name ?? step.uses ?? ''
    // A condition without a status function holds only while no step has failed.
    const mayRun = conclusion === 'success' || step.if?.includes('always()') === true
    if (name === stage.skip || !mayRun || fill(step.if ?? 'true') !== 'true') continue
    ran.push(name)
    if (step.uses !== undefined) {
      const words = mapValues(step.with ?? {}, (value) => fill(String(value)))
      const place = join(stage.checkout, words['path'] ?? '')
      if (step.uses.startsWith('actions/upload-artifact@')) artifacts[words['name'] ?? ''] = place
      else serve(step.uses, words, place, caches)
    } else {
      writeFileSync(output, '')
      const { code, screen } = await runCommand(
        'bash',
        ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run ?? ''],
        {
          cwd: stage.checkout,
          env: {
            PATH: `${stage.path}:${process.env['PATH'] ?? ''}`,
            GITHUB_OUTPUT: output,
            GITHUB_STEP_SUMMARY: summary,
            GITHUB_ACTIONS: 'true',
            ...mapValues(step.env ?? {}, fill),
          },
        },
      )
      log += screen
      if (code !== 0) conclusion = 'failure'
      const said = [...readFileSync(output, 'utf8').matchAll(/^(.+?)=(.*)$/gm)]
      steps[step.id ?? name] = { outputs: Object.fromEntries(said.map(([, key, value]) => [key, value])) }
    }
  }
  const values = mapValues(outputs, ({ value }) => fill(value))
  return { conclusion, outputs: values, log, summary: readFileSync(summary, 'utf8'), ran, artifacts }
}

/** Restores the newest cache whose key starts with the restore key. */
function serve(uses: string, given: Values, place: string, caches: Caches): void {
  const { key = '', 'restore-keys': prefix = '' } = given
  const [, found] = [...caches].findLast(([saved]) => saved.startsWith(prefix)) ?? []
  if (uses.startsWith('actions/cache/save@')) caches.set(key, place)
  else if (!/^actions\/(cache\/restore|setup-node)@/.test(uses)) throw new Error(`no replacement for ${uses}`)
  else if (found !== undefined && prefix !== '') cpSync(found, place, { recursive: true })
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
