// A run that stops early: signals, budget, an endpoint that is gone or only refuses; and what resumes it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { answerJson, type TestEndpoint } from '../support/endpoint.ts'
import { holdAnswers, openEndpoint, withEndpoint } from '../support/open-endpoint.ts'
import {
  main,
  readResults,
  readSummary,
  runProgram,
  startProgram,
  type Ended,
  type Running,
} from '../support/program.ts'
import { KEY_ENV, resumeWords, runWords } from '../support/runs.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const rows = Array.from(
  { length: 12 },
  (_, place) => `q${place + 1},t${Math.ceil((place + 1) / 3)},Question ${place + 1}?`,
)
writeFileSync(join(folder, 'set.csv'), `id,thread,message\n${rows.join('\n')}\n`)

let endpoint: TestEndpoint
let runs = 0
const newOut = (): string => join(folder, `run-${(runs += 1)}`)
const words = (asked: TestEndpoint, out: string, ...more: string[]): string[] =>
  runWords('set.csv', asked, out, ...(more.includes('--concurrency') ? [] : ['--concurrency', '2']), ...more)
const go = async (...typed: readonly string[]): Promise<Ended> =>
  runProgram(typed, { cwd: folder, env: KEY_ENV })
const start = (out: string): Running => startProgram(words(endpoint, out), { cwd: folder, env: KEY_ENV })
const outcomes = (out: string): (string | undefined)[] => readResults(out).map((row) => row['outcome'])

describe('a signal', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    // A closed terminal.
    ['SIGHUP', 143],
  ] as const)(
    '(%s) finishes what is in flight, writes everything, says how to resume',
    async (name, code) => {
      const answers = holdAnswers()
      endpoint = await openEndpoint((call) => call.number > 2 && answers.hold(call))
      const out = newOut()
      const running = start(out)
      await endpoint.called(4)
      running.signal(name)
      await running.says(/nothing more is sent/)
      answers.release()
      const { code: exitCode, stderr } = await running.ended
      expect(exitCode).toBe(code)
      expect(stderr).toMatch(new RegExp(`Incomplete: interrupted \\(${name}\\); 8 turns have no outcome`))
      expect(outcomes(out).filter((outcome) => outcome === 'answered')).toHaveLength(4)
      expect(readSummary(out)).toMatchObject({
        state: 'interrupted',
        exitCode: code,
        quota: { certain: 4, possible: 0 },
      })

      const resumed = await go(...resumeWords(stderr))
      expect(resumed.code).toBe(0)
      expect(outcomes(out)).toEqual(Array.from({ length: 12 }, () => 'answered'))
      // Nothing was asked twice, and threads went on in their conversations.
      expect(new Set(endpoint.calls.map(({ body }) => body.message)).size).toBe(12)
      expect(endpoint.calls).toHaveLength(12)
      expect(readSummary(out)).toMatchObject({
        state: 'complete',
        run: { sittings: 2 },
        quota: { attempts: 12, certain: 12 },
      })
    },
  )

  test('for the second time stops now; what was in flight is possible usage, and its thread starts again', async () => {
    endpoint = await openEndpoint(({ number }) => number === 3 || number === 4)
    const out = newOut()
    const running = start(out)
    await endpoint.called(4)
    running.signal('SIGINT')
    await running.says(/SIGINT: nothing more is sent/)
    running.signal('SIGINT')
    const { code, stderr } = await running.ended
    expect(code).toBe(130)
    expect(readSummary(out).quota).toMatchObject({ attempts: 4, certain: 2, possible: 2 })

    const resumed = await go(...resumeWords(stderr))
    expect(resumed.code).toBe(0)
    expect(outcomes(out)).toEqual(Array.from({ length: 12 }, () => 'answered'))
    // Threads with the most turns left go first: the first four calls are the first turns of the threads, in whatever order.
    for (const { body } of endpoint.calls.slice(2, 4)) {
      const asked = endpoint.calls.filter((call) => call.body.message === body.message)
      expect(asked).toHaveLength(2)
      expect(asked[1]?.body.conversationId).toBeUndefined()
    }
    const { quota } = readSummary(out)
    expect(quota).toMatchObject({ possible: 2, min: quota.certain, max: quota.certain + 2 })
    // The endpoint saw as many calls as the account holds.
    expect(quota.attempts).toBe(endpoint.calls.length)
    const total = readResults(out).reduce((sum, row) => sum + Number(row['attempts']), 0)
    expect(total).toBe(quota.attempts)
  })
})

test.each(['run', 'load'])('a signal while the command %s is still loading says so, too', async (command) => {
  // Help asks nobody: whoever listens for signals here does so before the command itself begins.
  const press = `process.on('newListener', (name) => name === 'SIGINT' && queueMicrotask(() => process.kill(process.pid, name)))`
  const { stdout, stderr } = await runProgram([command, '--help'], {
    cwd: folder,
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(press)}` },
  })
  expect([stdout, stderr.trim()]).toEqual(['', 'SIGINT: nothing was asked'])
})

test.each(['SIGINT', 'SIGTERM'] as const)(
  'a signal (%s) before the first call says that nothing was asked',
  async (name) => {
    // What is no Redis, and never answers: the run waits for it.
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const out = newOut()
    const running = startProgram(['run', 'set.csv', '--sandbox', '--limiter', 'redis', '--out', out], {
      cwd: folder,
      env: { ASSIST_REDIS_URL: `redis://127.0.0.1:${port}` },
    })
    const [socket] = (await once(silent, 'connection')) as [Socket]
    running.signal(name)
    const { stderr } = await running.ended
    socket.destroy()
    silent.close()
    expect(stderr.trim()).toBe(`${name}: nothing was asked`)
    expect(existsSync(out)).toBe(false)
  },
)

describe('a run folder', () => {
  test('is written by one process at a time; a process that was killed holds nothing', async () => {
    // Silent until the process is killed, so that it dies with calls in flight however slow the machine is.
    let isKilled = false
    endpoint = await openEndpoint(() => !isKilled)
    const out = newOut()
    const running = start(out)
    await endpoint.called(2)
    const second = await go('run', '--resume', out)
    expect(second.code).toBe(2)
    expect(second.stderr).toContain(
      `${out} is being written by process ${running.pid}; wait for it, or stop it`,
    )

    const report = await go('report', out)
    expect([report.code, report.stderr]).toEqual([
      2,
      expect.stringContaining(`process ${running.pid} is still writing this run`),
    ])

    running.signal('SIGKILL')
    await running.ended
    isKilled = true
    const before = endpoint.calls.length
    const resumed = await go('run', '--resume', out)
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(outcomes(out)).toEqual(Array.from({ length: 12 }, () => 'answered'))
    // What was in flight when it was killed may have been processed: its thread was asked again.
    const { quota } = readSummary(out)
    expect(quota.possible).toBe(2)
    expect(quota.attempts).toBe(endpoint.calls.length)
    expect(endpoint.calls.length).toBeGreaterThan(before)
  })
})

describe('an output', () => {
  test('that cannot be written is a fault, not a failed gate', async () => {
    endpoint = await openEndpoint()
    const out = newOut()
    const shell = [process.execPath, main, ...words(endpoint, out), '--json', '>/dev/full'].join(' ')
    const child = spawn('sh', ['-c', shell], { cwd: folder, env: { ...process.env, ...KEY_ENV } })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    const [code] = (await once(child, 'close')) as [number]
    expect([code, said]).toEqual([5, expect.stringMatching(/cannot be written: .*ENOSPC/)])
    expect(readSummary(out).exitCode).toBe(0)
  })

  test('of a run with many calls in flight holds no warning of Node', async () => {
    const answers = holdAnswers()
    endpoint = await openEndpoint(answers.hold)
    const rowsOfMany = Array.from({ length: 60 }, (_, place) => `Question ${place}?`)
    writeFileSync(join(folder, 'many.csv'), `message\n${rowsOfMany.join('\n')}\n`)
    const typed = runWords('many.csv', endpoint, newOut(), '--concurrency', '60')
    const running = startProgram(typed, { cwd: folder, env: KEY_ENV })
    await endpoint.called(60)
    answers.release()
    const { code, stderr } = await running.ended
    expect(code).toBe(0)
    expect(stderr).not.toMatch(/Warning/)
  })
})

describe('a budget', () => {
  test('is never exceeded, by one; the resume command raises it', async () => {
    endpoint = await openEndpoint()
    const out = newOut()
    const { code, stderr } = await go(...words(endpoint, out, '--max-calls', '5'))
    expect(code).toBe(4)
    expect(endpoint.calls).toHaveLength(5)
    expect(stderr).toMatch(/Incomplete: the call budget of 5 is used up; 7 turns have no outcome/)
    expect(resumeWords(stderr)).toEqual(['run', '--resume', out, '--max-calls', '12'])
    const resumed = await go(...resumeWords(stderr))
    expect(resumed.code).toBe(0)
    expect(endpoint.calls).toHaveLength(12)
  })
})

test('questions that were not asked are not among those that could not be graded', async () => {
  // The first is an error, and may not be graded.
  endpoint = await openEndpoint((call) => call.number === 1 && answerJson(call, 404, { success: false }))
  const out = newOut()
  const expected = Array.from({ length: 9 }, (_, place) => `e${place},Expected ${place}?,KNOWLEDGE_BASE`)
  writeFileSync(join(folder, 'expected.csv'), `id,message,expect_source\n${expected.join('\n')}\n`)
  const { code, stderr } = await go(...runWords('expected.csv', endpoint, out, '--max-calls', '4'))
  expect(code).toBe(4)
  expect(readSummary(out)).toMatchObject({
    turns: { notAsked: 5 },
    expectations: { passed: 3, failed: 0, none: 0, notGraded: 1, notAsked: 5 },
  })
  const told =
    '3 of 3 questions with expectations passed, 1 not graded (an error, or no context), 5 not asked'
  expect(stderr).toContain(told)
  expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain(
    '5 questions with expectations were not asked.',
  )
  const resumed = await go(...resumeWords(stderr))
  expect(readSummary(out).expectations, resumed.stderr).toEqual({
    rate: 1,
    passed: 8,
    failed: 0,
    none: 0,
    notGraded: 1,
  })
})

// Side by side: they do little but wait.
describe.concurrent('an endpoint', () => {
  test('that keeps silent beyond the grace time after SIGTERM has its calls recorded as ambiguous', async () => {
    await withEndpoint(
      () => true,
      async (own) => {
        const out = newOut()
        const running = startProgram(words(own, out), { cwd: folder, env: KEY_ENV })
        await own.called(2)
        running.signal('SIGTERM')
        const { code, stderr } = await running.ended
        expect(code, stderr).toBe(143)
        expect(stderr).toMatch(/calls in flight have 8 s, then they are recorded as ambiguous/)
        expect(readSummary(out).quota).toMatchObject({ attempts: 2, certain: 0, possible: 2 })
        const journal = readFileSync(join(out, 'journal.ndjson'), 'utf8')
        expect(journal.match(/"kind":"abandoned","sent":true/g)).toHaveLength(2)
      },
    )
  })

  test('that nobody listens on is tried again, then given up', async () => {
    // A port below 1024: nothing that runs beside the tests is given it.
    const out = newOut()
    const nobody = ['run', 'set.csv', '--base-url', 'http://127.0.0.1:9', '--rate', 'unlimited', '--out', out]
    const { code, stderr } = await go(...nobody, '--give-up-after', '2s')
    expect(code).toBe(4)
    expect(stderr).toMatch(/nothing but failures for 2 s, last ECONNREFUSED/)
    expect(stderr).toMatch(/ECONNREFUSED/)
    const { quota, turns, state } = readSummary(out)
    expect(quota).toMatchObject({ certain: 0, possible: 0 })
    expect(quota.notCounted).toBeGreaterThan(2)
    expect([turns.notAsked, state]).toEqual([12, 'incomplete'])
  })

  test('that only refuses is given up, and no turn is failed for it', async () => {
    const out = newOut()
    const { code, stderr } = await withEndpoint(
      (call) => answerJson(call, 429, { success: false, error: { code: 'RATE' } }),
      async (own) => go(...words(own, out, '--give-up-after', '3s')),
    )
    expect(code).toBe(4)
    expect(stderr).toMatch(/nothing but refusals \(429\) for/)
    const summary = readSummary(out)
    expect(summary.turns).toMatchObject({ answered: 0, rate_limited: 0, notAsked: 12 })
    expect(summary.pacing).toMatchObject({ rate429: 1, rateLimited: summary.quota.attempts })
    const journal = readFileSync(join(out, 'journal.ndjson'), 'utf8')
    expect(journal).toContain('"kind":"pace"')
  })

  test.each([429, 503])('that answers %i and names hours is given up at once', async (status) => {
    const spent = { success: false, error: { code: 'AI_QUOTA_EXCEEDED', message: 'not now' } }
    const out = newOut()
    const { code, stderr, received } = await withEndpoint(
      (call) => call.number > 1 && answerJson(call, status, spent, { 'retry-after': '7200' }),
      async (own) => {
        const ended = await go(...words(own, out, '--concurrency', '1', '--give-up-after', '10s'))
        return { ...ended, received: own.calls.length }
      },
    )
    expect(code, stderr).toBe(4)
    expect(stderr).toContain(
      `the endpoint asks to wait 2 h (${status} AI_QUOTA_EXCEEDED not now), more than is left of --give-up-after 10 s`,
    )
    expect(received).toBe(2)
    expect(readSummary(out)).toMatchObject({ state: 'incomplete', turns: { answered: 1, notAsked: 11 } })
    expect(resumeWords(stderr)).toEqual(['run', '--resume', out])
  })
})
