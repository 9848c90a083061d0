// The limit of an organization in the reports of a run, through the built program, against limiters whose truth is known.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { readSummary, runProgram, type Ended } from '../support/program.ts'
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
const ended = new Map<Name, Ended>()

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
  ended.set(name, await runProgram(words, { cwd: folder, env: { ASSIST_API_KEY: keyOf(name) } }))
  await sandbox.stop()
}

/** What a sure finding says; a machine that is busy elsewhere disturbs a measurement: it is taken three times at most. */
async function measure(name: Name): Promise<void> {
  for (let time = 1; time <= 3; time += 1) {
    rmSync(runOf(name), { recursive: true, force: true })
    await runAgainst(name)
    const { finding } = summaryOf(name).pacing
    const isFound =
      name === 'bucket'
        ? finding?.kind === 'token-bucket' &&
          finding.confidence !== 'low' &&
          Math.abs((finding.sustainedPerSecond?.value ?? 0) - 12) < 1 &&
          Math.abs((finding.burst?.value ?? 0) - 10) <= 1
        : finding?.burst?.value === 15
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
    const { finding } = summaryOf('bucket').pacing
    expect(finding).toMatchObject({ kind: 'token-bucket', tiers: [{ kind: 'token-bucket' }] })
    expect(finding?.confidence).not.toBe('low')
    expect(finding?.sustainedPerSecond?.value).toBeGreaterThan(11)
    expect(finding?.sustainedPerSecond?.value).toBeLessThan(13)
    expect(finding?.burst?.value).toBeGreaterThanOrEqual(9)
    expect(finding?.burst?.value).toBeLessThanOrEqual(11)
  })

  test('a window: its number', () => {
    const { pacing, quota } = summaryOf('window')
    expect(pacing.finding?.evidence).toMatchObject({
      calls: quota.attempts,
      refusals: pacing.rateLimited,
    })
    expect(pacing.finding?.burst?.value).toBe(15)
    expect(pacing.finding?.kind).toMatch(/window$/)
  })

  test.each(['bucket', 'window'] as const)('%s: screen, summary and page say the same of it', (name) => {
    const line = /^Limit +(.*)$/m.exec(ended.get(name)?.screen ?? '')?.[1] ?? ''
    expect(line).toMatch(/confidence|^about /)
    const isIn = (file: string, text: string): boolean =>
      readFileSync(join(runOf(name), file), 'utf8').includes(text)
    const opening = line.slice(0, 60)
    expect({ opening, isInSummary: isIn('summary.md', `| **Limit** | ${opening}`) }).toMatchObject({
      isInSummary: true,
    })
    expect({ opening, isInPage: isIn('report.html', opening) }).toMatchObject({ isInPage: true })
    expect(isIn('report.html', 'id="overview-limit-chart-1-title"')).toBe(true)
  })

  test('report makes the same of the record again', async () => {
    const before = summaryOf('bucket').pacing.finding
    const { code } = await runProgram(['report', 'bucket'], { cwd: folder })
    expect(code).toBe(0)
    expect(summaryOf('bucket').pacing.finding).toEqual(before)
  })
})

test('no refusal, no finding: nothing is claimed', () => {
  expect(summaryOf('none').pacing).toMatchObject({ rateLimited: 0, finding: null, limit: null })
  expect(ended.get('none')?.screen).not.toMatch(/^Limit/m)
  expect(readFileSync(join(runOf('none'), 'report.html'), 'utf8').includes('overview-limit')).toBe(false)
})
