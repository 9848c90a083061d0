// Protects the composite GitHub action over several nights, with the accepted run as the baseline, and its
// use in the guide.
import { chmodSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { answerJson, goodReply, serveFile } from '../../support/endpoint.ts'
import { main, projectRoot } from '../../support/program.ts'
import { fileInPage } from '../../support/readme-blocks.ts'
import { openWorkspace } from '../../support/workspace.ts'
import { playAction, readAction, type Caches } from './play-action.ts'

const KEY = 'night-key-0123456789abcdef'
const action = readAction(join(projectRoot, '.github/actions/evaluate/action.yml'))
const { at, has, put, summary } = openWorkspace()
const path = at('bin')
const KEEP = 'Keep the accepted run'
/** This step is skipped: the built program of the checkout replaces the installed one. */
const INSTALL = 'Install the harness'
let behaviour: 'good' | 'worse' | 'key refused after five'
beforeEach(() => {
  behaviour = 'good'
})
let calls = 0
const QUESTIONS = `id,message\n${Array.from({ length: 30 }, (_, number) => `q${number},Question ${number}?\n`).join('')}`

mkdirSync(path)
symlinkSync(main, join(path, 'assist-harness'))
chmodSync(main, 0o755)
const endpoint = await serveFile((call) => {
  calls += 1
  if (behaviour === 'key refused after five' && calls > 5)
    return answerJson(call, 401, { error: { code: 'UNAUTHORIZED', message: 'no' } })
  if (behaviour === 'worse') return answerJson(call, 200, { ...goodReply(call), contextSource: 'MODEL' })
  return false
})

/** A new repository whose nights share their caches. */
function repository(name: string) {
  const caches: Caches = new Map()
  return async (runId: number, inputs: Readonly<Record<string, string>> = {}) => {
    const checkout = `${name}/checkout-${runId}`
    put(`${checkout}/sets/our questions.csv`, QUESTIONS)
    calls = 0
    const given = {
      datasets: '\n  sets/our questions.csv\n',
      'base-url': endpoint.url,
      'api-key': KEY,
      arguments: '--concurrency\n1\n--rate\nunlimited\n',
      ...inputs,
    }
    const stage = { checkout: at(checkout), path, runId: String(runId), skip: INSTALL }
    return playAction(action, given, stage, caches)
  }
}

test('the guide gives the action its required inputs and no unknown ones', () => {
  const { jobs } = parse(fileInPage('docs/guides/ci.md', '.github/workflows/assist-nightly.yml')) as {
    jobs: { evaluate: { steps: { uses: string; with?: Record<string, string> }[] } }
  }
  const step = jobs.evaluate.steps.find(({ uses }) => uses.includes('/.github/actions/evaluate@'))
  const given = Object.keys(step?.with ?? {})
  expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(given))
  const required = Object.entries(action.inputs).filter(([, input]) => input.required === true)
  expect(given).toEqual(expect.arrayContaining(required.map(([name]) => name)))
})

const summaryOf = (name: string, runId: number) =>
  summary(name, `checkout-${runId}/.assist-harness/nightly/run`)

test('a person accepts a night, later ones are compared with it, and a worse one fails', async () => {
  const night = repository('nights')
  const first = await night(1)
  expect(first.log + first.conclusion).toContain('success')
  expect(first.outputs).toEqual({ 'exit-code': '0', folder: '.assist-harness/nightly/run' })
  expect(first.log).toContain('Note: ')
  expect(summaryOf('nights', 1).comparison).toBeNull()
  // No run becomes the baseline by itself: after a lost cache, that would be a run that nothing has judged.
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
  const kept = third.artifacts['assist-harness-nightly-attempt-1']
  expect(readdirSync(kept ?? '')).toEqual(expect.arrayContaining(['report.html', 'results.csv', 'junit.xml']))

  // The articles changed on purpose: a person accepts the new state.
  const accepting = await night(4, { accept: 'true' })
  expect(accepting.outputs).toMatchObject({ 'exit-code': '0' })
  expect(accepting.ran).toContain(KEEP)
  expect((await night(5)).outputs).toMatchObject({ 'exit-code': '0' })
  expect(summaryOf('nights', 5)).toMatchObject({ coverage: { rate: 0 }, comparison: { verdict: 'passed' } })
})

test('with require-baseline, a lost baseline ends the night before its first call', async () => {
  const night = repository('lost')
  const lost = await night(1, { 'require-baseline': 'true' })
  expect([lost.outputs['exit-code'], calls]).toEqual(['2', 0])
  expect(lost.ran).not.toContain(KEEP)
  expect(lost.log).toContain('accepted does not exist, but is required')
})

test('an incomplete run is never accepted', async () => {
  const night = repository('incomplete')
  behaviour = 'key refused after five'
  const stopped = await night(1, { accept: 'true' })
  expect([stopped.conclusion, stopped.outputs['exit-code']]).toEqual(['failure', '3'])
  expect(stopped.ran).not.toContain(KEEP)
})

test('inputs are arguments of the command line and never run as a script; no file or log holds the key', async () => {
  const night = repository('odd')
  const refused = await night(1, { arguments: '--tag\n$(touch owned); `touch owned` "x\'y\n' })
  expect(refused.outputs['exit-code']).toBe('2')
  expect(refused.log).toContain('$(touch owned)')
  const accepts = await night(2, { accept: '$(touch owned)' })
  expect(accepts.conclusion).toBe('success')
  for (const one of [1, 2]) expect(has(`odd/checkout-${one}/owned`)).toBe(false)

  const good = await night(3)
  expect(good.conclusion).toBe('success')
  const kept = readdirSync(at('odd'), { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  expect(kept.length).toBeGreaterThan(10)
  for (const one of kept)
    expect(readFileSync(join(one.parentPath, one.name), 'utf8'), one.name).not.toContain(KEY)
  expect(refused.log + accepts.log + good.log).not.toContain(KEY)
})
