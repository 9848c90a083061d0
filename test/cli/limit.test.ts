// The limit of an organization in the reports of a run, through the built program, against limiters whose truth is known.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { limitSentence } from '../../src/report/limit-document.ts'
import { readSummary, runProgram } from '../support/program.ts'
import { startSandboxProgram } from '../support/sandbox-program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
/** Processes of one organization share its pace: each run has its own. */
const keyOf = (name: Name): string => `key-of-${name}-0123456789`
const limits = {
  bucket: '{ kind: token-bucket, limit: 12, window: 1s, burst: 10 }',
  window: '{ kind: fixed-window, limit: 15, window: 1s }',
  none: undefined,
} as const
type Name = keyof typeof limits

const runOf = (name: Name): string => join(folder, name)
const summaryOf = (name: Name) => readSummary(runOf(name))

async function runAgainst(name: Name): Promise<void> {
  const rule = limits[name]
  const config = `organizations: { acme: { keys: [{ key: ${keyOf(name)} }] } }
latency: { kind: constant, delay: 30ms }
${rule === undefined ? '' : `rateLimit: { rules: [${rule}], retryAfter: none }`}
`
  writeFileSync(join(folder, `${name}.yaml`), config)
  const sandbox = await startSandboxProgram(['--config', `${name}.yaml`], folder)
  const words = ['run', 'set.csv', '--base-url', sandbox.url, '--rate', '30/s', '--out', name]
  await runProgram(words, { cwd: folder, env: { ASSIST_API_KEY: keyOf(name) } })
  await sandbox.stop()
}

/** What a sure finding says; a machine that is busy elsewhere disturbs a measurement: it is taken three times at most. */
async function measure(name: Name): Promise<void> {
  for (let time = 1; time <= 3; time += 1) {
    rmSync(runOf(name), { recursive: true, force: true })
    await runAgainst(name)
    const { limit } = summaryOf(name).pacing
    const isFound =
      name === 'bucket'
        ? limit?.kind === 'token-bucket' && Math.abs(limit.ratePerSecond / 12 - 1) < 0.05
        : limit?.kind === 'fixed-window' && limit.limit === 15
    if (name === 'none' || isFound) return
  }
}

beforeAll(async () => {
  const questions = Array.from({ length: 70 }, (_, at) => `Question ${at}?`)
  writeFileSync(join(folder, 'set.csv'), `message\n${questions.join('\n')}\n`)
  await Promise.all((Object.keys(limits) as Name[]).map(measure))
})

describe('calls were refused', () => {
  test('a bucket: its rate and its size', () => {
    const { limit } = summaryOf('bucket').pacing
    expect(limit).toMatchObject({ kind: 'token-bucket', ratePerSecond: expect.closeTo(12, 0) })
    expect(Math.abs((limit as { burst: number }).burst - 10)).toBeLessThanOrEqual(1)
  })

  test('a window: its number', () => {
    const { pacing, quota } = summaryOf('window')
    expect(pacing.limit).toMatchObject({
      kind: expect.stringMatching(/window$/),
      limit: 15,
      calls: quota.attempts,
      refused: pacing.rateLimited,
    })
  })

  test.each(['bucket', 'window'] as const)('%s: summary.json and page say the same of it', (name) => {
    const { limit } = summaryOf(name).pacing
    const sentence = limit === null ? '' : limitSentence(limit)
    expect(sentence).toMatch(/confidence\)$/)
    const page = readFileSync(join(runOf(name), 'report.html'), 'utf8')
    expect({ sentence, isInPage: page.includes(sentence) }).toMatchObject({ isInPage: true })
  })

  test('report makes the same of the record again', async () => {
    const before = summaryOf('bucket').pacing.limit
    const { code } = await runProgram(['report', 'bucket'], { cwd: folder })
    expect(code).toBe(0)
    expect(summaryOf('bucket').pacing.limit).toEqual(before)
  })
})

test('no refusal, no finding: nothing is claimed', () => {
  expect(summaryOf('none').pacing).toMatchObject({ rateLimited: 0, limit: null })
  const page = readFileSync(join(runOf('none'), 'report.html'), 'utf8')
  expect(page).not.toContain('The organization’s limit')
})
