// Protects the composite GitHub action over several nights, with the accepted run as the baseline, its resume
// of an earlier attempt, and its use in the guide.
import { chmodSync, cpSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { answerJson, goodReply, serveFile } from '../../support/endpoint.ts'
import { projectRoot } from '../../support/program.ts'
import { fileInPage } from '../../support/readme-blocks.ts'
import { serveProgram } from '../../support/shell-program.ts'
import { openWorkspace } from '../../support/workspace.ts'
import { openRepository, playAction, readAction, type Repository } from './play-action.ts'

const KEY = 'night-key-0123456789abcdef'
const action = readAction(join(projectRoot, '.github/actions/evaluate/action.yml'))
const rows = Array.from({ length: 30 }, (_, number) => `q${number},Question ${number}?\n`)
const { at, has, put, read, summary } = openWorkspace()
chmodSync(at(put('program/assist-harness', await serveProgram())), 0o755)
// npm itself would take longer than the program, which it installs.
const npm = `#!/bin/sh
echo "$*" >> npm-words
case $1 in
  ci) mkdir -p node_modules/.bin; cd node_modules/.bin;;
  *) cd "$(dirname "$0")";;
esac
ln -sf ${at('program/assist-harness')} assist-harness
`
chmodSync(at(put('bin/npm', npm)), 0o755)
const KEEP = 'Keep the accepted run'
let behaviour: 'good' | 'worse' | 'key refused after five'
beforeEach(() => {
  behaviour = 'good'
})
let calls = 0
const endpoint = await serveFile((call) => {
  calls += 1
  if (behaviour === 'key refused after five' && calls > 5)
    return answerJson(call, 401, { error: { code: 'UNAUTHORIZED', message: 'no' } })
  if (behaviour === 'worse') return answerJson(call, 200, { ...goodReply(call), contextSource: 'MODEL' })
  return false
})

interface Given {
  readonly mayRead?: boolean
  readonly files?: Readonly<Record<string, string>>
}

const opened: Repository[] = []
afterAll(async () => {
  for (const one of opened) await one.close()
})

const SET = `id,message\n${rows.join('')}`
const inFolder = (folder: string) => ({
  [`${folder}sets/our questions.csv`]: SET,
  [`${folder}package-lock.json`]: '{}',
})

/** A new repository whose nights share their artifacts. `mayRead`: they have actions:read. */
async function repository(name: string, { mayRead = true, files = inFolder('') }: Given = {}) {
  const shared = await openRepository(mayRead)
  opened.push(shared)
  /** Starts from a fresh checkout. */
  const night = async (run: number, inputs: Readonly<Record<string, string>> = {}, attempt = 1) => {
    const checkout = `${name}/checkout-${run}`
    rmSync(at(checkout), { recursive: true, force: true })
    for (const [path, text] of Object.entries(files)) put(`${checkout}/${path}`, text)
    calls = 0
    const given = {
      datasets: '\n  sets/our questions.csv\n',
      'base-url': endpoint.url,
      'api-key': KEY,
      arguments: '--concurrency\n1\n--rate\nunlimited\n',
      ...inputs,
    }
    cpSync(at('bin'), at(checkout, '.bin'), { recursive: true })
    return playAction(
      action,
      given,
      { checkout: at(checkout), path: at(checkout, '.bin'), run, attempt },
      shared,
    )
  }
  return Object.assign(night, {
    artifacts: shared.artifacts,
    names: () => shared.artifacts.map(({ name: own }) => own.replace('assist-harness-nightly-', '')),
  })
}

test('the guide gives the action no unknown input, and the permission that it needs', () => {
  const workflow = parse(fileInPage('docs/guides/ci-github.md', '.github/workflows/assist-nightly.yml')) as {
    permissions: Record<string, string>
    jobs: { evaluate: { steps: { uses: string; with?: Record<string, string> }[] } }
  }
  const step = workflow.jobs.evaluate.steps.find(({ uses }) => uses.includes('/.github/actions/evaluate@'))
  const given = Object.keys(step?.with ?? {})
  expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(given))
  expect(workflow.permissions).toEqual({ actions: 'read', contents: 'read' })
})

test('every script is POSIX, so that it runs in dash and in the bash 3.2 of macOS', () => {
  const scripts = action.runs.steps.filter(({ run }) => run !== undefined)
  expect(scripts.length).toBeGreaterThan(2)
  for (const { shell, run } of scripts) {
    expect(shell).toBe('sh')
    expect(run).not.toMatch(NOT_POSIX)
  }
})

const NOT_POSIX =
  /\b(?:mapfile|readarray|declare|local|function|source)\b|\[\[|<<<|[<>]\(|\|&|&>|\$\{\w+(?:\^|,|\[)|\w\+?=\(/

const folderOf = (run: number) => `checkout-${run}/.assist-harness/nightly/run`
const summaryOf = (name: string, run: number) => summary(name, folderOf(run))

test('a person accepts a night, later ones are compared with it, and a worse one fails', async () => {
  const night = await repository('nights')
  const first = await night(1)
  expect(first.log + first.conclusion).toContain('success')
  expect(first.outputs).toEqual({ 'exit-code': '0', folder: './.assist-harness/nightly/run' })
  // What package-lock.json names, and nothing else.
  expect(read('nights/checkout-1/npm-words')).toBe('ci --no-fund --no-audit\n')
  expect(first.log).toContain('Note: ')
  expect(summaryOf('nights', 1).comparison).toBeNull()
  // No run becomes the baseline by itself: after a lost artifact, that would be a run that nothing has judged.
  expect(first.ran).not.toContain(KEEP)
  expect(first.summary).toContain('# ')
  expect((await night(11, { accept: 'true', 'require-baseline': 'true' })).ran).toContain(KEEP)

  const second = await night(2)
  expect(second.outputs).toMatchObject({ 'exit-code': '0' })
  expect(second.ran).not.toContain(KEEP)
  expect(summaryOf('nights', 2)).toMatchObject({ comparison: { verdict: 'passed' } })

  behaviour = 'worse'
  const third = await night(3)
  expect([third.conclusion, third.outputs['exit-code']]).toEqual(['failure', '1'])
  expect(summaryOf('nights', 3)).toMatchObject({ comparison: { verdict: 'failed' } })
  expect(night.names()).toEqual(['attempt-1', 'accepted', 'attempt-1', 'attempt-1', 'attempt-1'])
  expect(night.artifacts.map(({ retentionDays }) => retentionDays)).toEqual(['30', '90', '30', '30', '30'])
  const kept = readdirSync(night.artifacts.at(-1)?.folder ?? '')
  expect(kept).toEqual(expect.arrayContaining(['report.html', 'results.csv', 'junit.xml']))

  // The articles changed on purpose: a person accepts the new state.
  const accepting = await night(4, { accept: 'true' })
  expect(accepting.outputs).toMatchObject({ 'exit-code': '0' })
  expect(accepting.ran).toContain(KEEP)
  expect((await night(5)).outputs).toMatchObject({ 'exit-code': '0' })
  expect(summaryOf('nights', 5)).toMatchObject({ coverage: { rate: 0 }, comparison: { verdict: 'passed' } })
})

describe('the baseline', () => {
  test('that was lost ends the night before its first call, with require-baseline', async () => {
    const night = await repository('lost')
    await night(1, { accept: 'true' })
    const lost = night.artifacts.splice(0).map((one) => ({ ...one, expired: true }))
    night.artifacts.push(...lost)
    const second = await night(2, { 'require-baseline': 'true' })
    expect([second.outputs['exit-code'], calls]).toEqual(['2', 0])
    expect(second.log).toContain('accepted does not exist, but is required')
    expect((await night(3)).outputs['exit-code']).toBe('0')
  })

  test('is the newest that this repository accepted, and never one of a fork', async () => {
    const night = await repository('fork')
    await night(1, { accept: 'true' })
    behaviour = 'worse'
    await night(2, { accept: 'true' })
    const poisoned = night.artifacts.splice(2, 1).map((one) => ({ ...one, isForeign: true }))
    night.artifacts.push(...poisoned)
    behaviour = 'good'
    await night(3, { 'require-baseline': 'true' })
    expect(summaryOf('fork', 3).comparison).toMatchObject({ verdict: 'passed' })
    behaviour = 'worse'
    expect((await night(4)).outputs['exit-code']).toBe('1')
  })

  test('cannot be looked for without the permission: the job says so and sends nothing', async () => {
    const night = await repository('forbidden', { mayRead: false })
    const { conclusion, log } = await night(1)
    expect([conclusion, calls]).toEqual(['failure', 0])
    expect(log).toContain('::error title=assist-harness::GitHub answers 403')
    expect(log).toContain('actions: read')
  })
})

describe('an incomplete run', () => {
  test('is never accepted, and a re-run of the job finishes it', async () => {
    const night = await repository('incomplete')
    behaviour = 'key refused after five'
    const stopped = await night(1, { accept: 'true' })
    expect([stopped.conclusion, stopped.outputs['exit-code']]).toEqual(['failure', '3'])
    expect(stopped.ran).not.toContain(KEEP)
    expect(night.names()).toEqual(['attempt-1-incomplete'])
    const answered = summaryOf('incomplete', 1).turns.answered

    behaviour = 'good'
    const again = await night(1, { accept: 'true' }, 2)
    expect([again.conclusion, calls], again.log).toEqual(['success', 30 - answered])
    expect(summaryOf('incomplete', 1)).toMatchObject({ state: 'complete', turns: { answered: 30 } })
    expect(night.names()).toEqual(['attempt-1-incomplete', 'accepted', 'attempt-2'])
    // The next attempt has nothing to finish: it starts anew, as does another night.
    await night(1, {}, 3)
    expect(calls).toBe(30)
    await night(2)
    expect(calls).toBe(30)
  })
})

test('a config file in a working directory holds the whole night; accept sends all of it', async () => {
  const config = `
datasets: [sets/our questions.csv]
rate: unlimited
concurrency: 1
threshold: ['coverage>=90%', 'errors<=5%']
requireBaseline: true
untilDecided: true
`
  const others = rows.slice(1).map((row) => row.replace('\n', ',\n'))
  const set = `id,message,expect_source\nq0,Question 0?,KNOWLEDGE_BASE\n${others.join('')}`
  const files = { ...inFolder('evals/'), 'evals/night.yaml': config, 'evals/sets/our questions.csv': set }
  const night = await repository('config', { files })
  const given = { config: 'night.yaml', datasets: '', arguments: '', 'working-directory': 'evals' }
  const first = await night(1, given)
  expect([first.outputs['exit-code'], calls]).toEqual(['2', 0])
  behaviour = 'worse'
  // Four gaps of thirty are a certain miss, but a baseline needs every answer.
  const accepted = await night(2, { ...given, accept: 'true' })
  expect([accepted.outputs['exit-code'], calls]).toEqual(['1', 30])
  expect(accepted.ran).toContain(KEEP)
  expect(accepted.log).toContain('::error file=evals/sets/our questions.csv,line=2,title=q0')
  const third = await night(3, { ...given, arguments: '--until-decided=false' })
  expect(third.outputs['exit-code']).toBe('1')
  expect(third.outputs['folder']).toBe('evals/.assist-harness/nightly/run')
  expect(summary('config', 'checkout-3/evals/.assist-harness/nightly/run')).toMatchObject({
    comparison: { verdict: 'passed' },
  })
  const fourth = await night(4, given)
  expect([fourth.outputs['exit-code'], calls]).toEqual(['1', 4])
})

describe('the harness', () => {
  test('is what the input names, built already: no script runs', async () => {
    const night = await repository('tarball', { files: { 'sets/our questions.csv': SET } })
    expect((await night(1, { harness: './harness.tgz' })).conclusion).toBe('success')
    expect(read('tarball/checkout-1/npm-words')).toBe(
      'install --global --ignore-scripts --no-fund --no-audit ./harness.tgz\n',
    )
  })

  test('must be named in one of the two ways', async () => {
    const night = await repository('nowhere', { files: { 'sets/our questions.csv': SET } })
    const { conclusion, log } = await night(1)
    expect([conclusion, calls]).toEqual(['failure', 0])
    expect(log).toContain('::error title=assist-harness::There is no package-lock.json')
  })
})

test('inputs are arguments of the command line and never run as a script; no file or log holds the key', async () => {
  const night = await repository('odd')
  const refused = await night(1, { arguments: '--tag\n$(touch owned); `touch owned` "x\'y\\\n' })
  expect(refused.outputs['exit-code']).toBe('2')
  expect(refused.log).toContain('$(touch owned)')
  const accepts = await night(2, { accept: '$(touch owned)', config: '', name: 'nightly' })
  expect(accepts.conclusion).toBe('success')
  for (const one of [1, 2]) expect(has(`odd/checkout-${one}/owned`)).toBe(false)

  const kept = readdirSync(at('odd'), { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  expect(kept.length).toBeGreaterThan(10)
  for (const one of kept)
    expect(readFileSync(join(one.parentPath, one.name), 'utf8'), one.name).not.toContain(KEY)
  expect(refused.log + accepts.log).not.toContain(KEY)
})
