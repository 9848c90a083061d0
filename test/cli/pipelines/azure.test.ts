// Protects the pipeline of docs/guides/ci-azure.md: its steps run in order with the agent's environment, with
// folders for artifacts, and what they write for the agent is read. Azure itself does not run here.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { runCommand, type ProgramResult } from '../../support/program.ts'
import { fileInPage } from '../../support/readme-blocks.ts'
import { expectNights, NIGHTS_MS, openRecipe } from './nights.ts'

type Values = Readonly<Record<string, string>>

interface Step {
  readonly task?: string
  readonly script?: string
  readonly publish?: string
  readonly artifact?: string
  readonly displayName?: string
  readonly condition?: string
  readonly continueOnError?: boolean
  readonly inputs?: Values
  readonly env?: Values
}

interface Run {
  readonly tags: string[]
  readonly artifacts: Map<string, string>
  result: 'succeeded' | 'failed'
}

const recipe = await openRecipe()
const { workspace, project, env } = recipe
const { at, has } = workspace
const text = fileInPage('docs/guides/ci-azure.md', 'azure-pipelines.yml')
const pipeline = parse(text) as {
  readonly parameters: readonly { readonly name: string; readonly type: string; readonly default: boolean }[]
  readonly schedules: readonly { readonly cron: string; readonly always: boolean }[]
  readonly variables: Values
  readonly steps: readonly Step[]
}
const runs: Run[] = []
const summaries: string[] = []
const issues: string[] = []

/** `${{ parameters.accept }}`, as the server fills it in before the run. */
const stepsFor = (accept: boolean): readonly Step[] =>
  (parse(text.replaceAll('${{ parameters.accept }}', accept ? 'True' : 'False')) as typeof pipeline).steps

/** `and(succeeded(), eq(True, false))`, `always()`; by default `succeeded()`. */
function isMet(condition = 'succeeded()', succeeded: boolean): boolean {
  const [, left, right] = /^and\(succeeded\(\), eq\((\w+), (\w+)\)\)$/.exec(condition) ?? []
  if (left !== undefined) return succeeded && left.toLowerCase() === right?.toLowerCase()
  if (condition === 'succeeded()') return succeeded
  if (condition === 'always()') return true
  throw new Error(`cannot evaluate ${condition}`)
}

/** CmdLine@2 on Linux: a file for bash, without -e. */
async function runScript(script: string, own: Values): Promise<ProgramResult> {
  const [file, temporary] = [at('script.sh'), at('agent-temp')]
  mkdirSync(temporary, { recursive: true })
  writeFileSync(file, script)
  const agent = { TF_BUILD: 'True', AGENT_TEMPDIRECTORY: temporary, BUILD_SOURCESDIRECTORY: project }
  const mapped = Object.fromEntries(
    Object.entries(own).map(([key, value]) => {
      expect(value).toBe(`$(${key})`)
      return [key, env[key] ?? '']
    }),
  )
  const { ASSIST_API_KEY: _secret, ...visible } = env
  return runCommand('bash', ['--noprofile', '--norc', file], {
    cwd: project,
    env: { ...agent, ...pipeline.variables, ...visible, ...mapped },
  })
}

function readCommands(screen: string, run: Run): void {
  for (const [, command, data = ''] of screen.matchAll(/##vso\[([\w.]+)[^\]]*\](.*)/g)) {
    if (command === 'build.addbuildtag') run.tags.push(data)
    else if (command === 'task.uploadsummary') summaries.push(readFileSync(data, 'utf8'))
    else if (command === 'task.logissue') issues.push(data)
    else throw new Error(`no replacement for ${command}`)
  }
}

/** Whether the step succeeded. Throws for a step that no agent knows. */
async function runStep(
  step: Step,
  run: Run,
  said: { screen: string; code: number | null },
): Promise<boolean> {
  const { task = '', inputs = {} } = step
  if (step.script !== undefined) {
    const { code, screen } = await runScript(step.script, step.env ?? {})
    readCommands(screen, run)
    said.screen += screen
    if (code !== 0) said.code = code
    return code === 0
  }
  if (step.publish !== undefined) {
    const name = step.artifact?.replace('$(System.JobAttempt)', '1') ?? ''
    expect(run.artifacts.has(name), 'artifacts cannot be written twice').toBe(false)
    if (!has('project', step.publish)) return false
    const folder = at(`artifact-${runs.length}-${name}`)
    cpSync(at('project', step.publish), folder, { recursive: true })
    run.artifacts.set(name, folder)
    return true
  }
  if (task === 'DownloadPipelineArtifact@2') {
    expect(inputs).toMatchObject({
      buildType: 'specific',
      project: '$(System.TeamProjectId)',
      definition: '$(System.DefinitionId)',
      buildVersionToDownload: 'latest',
    })
    const from = runs.findLast((one) => one.result === 'succeeded' && one.tags.includes(inputs['tags'] ?? ''))
    const folder = from?.artifacts.get(inputs['artifactName'] ?? '')
    if (folder === undefined) return false
    cpSync(folder, at('project', inputs['targetPath'] ?? ''), { recursive: true })
    return true
  }
  if (task === 'PublishTestResults@2') return existsSync(at('project', inputs['testResultsFiles'] ?? ''))
  expect(task).toBe('UseNode@1')
  return true
}

async function play(job: 'nightly' | 'accept'): Promise<ProgramResult> {
  for (const path of ['tonight', 'accepted']) rmSync(at('project', path), { recursive: true, force: true })
  const run: Run = { tags: [], artifacts: new Map(), result: 'succeeded' }
  const said: { screen: string; code: number | null } = { screen: '', code: 0 }
  for (const step of stepsFor(job === 'accept')) {
    if (!isMet(step.condition, run.result === 'succeeded')) continue
    const isDone = await runStep(step, run, said)
    if (!isDone && step.continueOnError !== true) run.result = 'failed'
  }
  expect(run.result === 'succeeded').toBe(said.code === 0)
  runs.push(run)
  return { code: said.code, stdout: '', stderr: '', screen: said.screen }
}

test('the pipeline has a schedule, the parameter, and steps of one kind each', () => {
  expect(pipeline.schedules).toMatchObject([{ cron: '30 2 * * *', always: true }])
  expect(pipeline.parameters).toMatchObject([{ name: 'accept', type: 'boolean', default: false }])
  const kinds = pipeline.steps.map((step) => [step.task, step.script, step.publish].filter(Boolean).length)
  expect(new Set(kinds)).toEqual(new Set([1]))
})

test(
  'nights are compared with the accepted run, a worse one fails, and a run is accepted on request',
  async () => {
    await expectNights(recipe, play)
    expect(runs.map(({ tags }) => tags.length)).toEqual([0, 1, 0, 0, 1, 0, 0])
    expect(issues.some((issue) => issue.startsWith('gate failed: '))).toBe(true)
    expect(summaries.length).toBe(6)
    for (const summary of summaries) expect(summary).toContain('# ')
  },
  NIGHTS_MS,
)
