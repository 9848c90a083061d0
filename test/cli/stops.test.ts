// A run that stops early: signals, budget, an endpoint that is gone or only refuses; and what resumes it.
import { readFileSync, writeFileSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { startEndpoint, type ReceivedCall, type TestEndpoint } from '../support/endpoint.ts'
import { main, readResults, readSummary, runProgram, startProgram } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const rows = Array.from(
  { length: 12 },
  (_, place) => `q${place + 1},t${Math.ceil((place + 1) / 3)},Question ${place + 1}?`,
)
writeFileSync(join(folder, 'set.csv'), `id,thread,message\n${rows.join('\n')}\n`)
const env = { ASSIST_API_KEY: 'test-key-0123456789' }

let endpoint: TestEndpoint | undefined
afterEach(async () => endpoint?.close())

let runs = 0
const newOut = (): string => join(folder, `run-${(runs += 1)}`)
const wordsFor = (url: string, out: string): string[] => [
  'run',
  'set.csv',
  '--base-url',
  url,
  '--rate',
  'unlimited',
  '--concurrency',
  '2',
  '--out',
  out,
]
const outcomes = (out: string): (string | undefined)[] => readResults(out).map((row) => row['outcome'])
const resumeWords = (stderr: string): string[] =>
  (/^Resume: {2}npx assist-harness (.*)$/m.exec(stderr)?.[1] ?? 'no resume command').split(' ')

/** Answers after a while, so that calls are in flight when something happens. */
const slow =
  (ms: number) =>
  (call: ReceivedCall): true => {
    const { body, number } = call
    setTimeout(() => {
      call.response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          conversationId: body.conversationId ?? `c${number}`,
          message: 'm',
          status: 'success',
          contextSource: 'KNOWLEDGE_BASE',
        }),
      )
    }, ms)
    return true
  }

describe('a signal', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    '(%s) finishes what is in flight, writes everything, says how to resume',
    async (name, code) => {
      endpoint = await startEndpoint(slow(400))
      const out = newOut()
      const running = startProgram(wordsFor(endpoint.url, out), { cwd: folder, env })
      await expect.poll(() => endpoint?.calls.length, { timeout: 10_000 }).toBe(4)
      running.signal(name)
      const { code: exitCode, stderr } = await running.ended
      expect(exitCode).toBe(code)
      expect(stderr).toMatch(new RegExp(`Incomplete: interrupted \\(${name}\\); 8 turns have no outcome`))
      expect(outcomes(out).filter((outcome) => outcome === 'answered')).toHaveLength(4)
      expect(readSummary(out)).toMatchObject({
        state: 'interrupted',
        exitCode: code,
        quota: { certain: 4, possible: 0 },
      })

      const resumed = await runProgram(resumeWords(stderr), { cwd: folder, env })
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
    endpoint = await startEndpoint((call) => (call.number > 2 && call.number <= 4 ? true : slow(50)(call)))
    const out = newOut()
    const running = startProgram(wordsFor(endpoint.url, out), { cwd: folder, env })
    await expect.poll(() => endpoint?.calls.length, { timeout: 10_000 }).toBe(4)
    running.signal('SIGINT')
    await running.says(/SIGINT: nothing more is sent/)
    running.signal('SIGINT')
    const { code, stderr } = await running.ended
    expect(code).toBe(130)
    expect(readSummary(out).quota).toMatchObject({ attempts: 4, certain: 2, possible: 2 })

    const resumed = await runProgram(resumeWords(stderr), { cwd: folder, env })
    expect(resumed.code).toBe(0)
    expect(outcomes(out)).toEqual(Array.from({ length: 12 }, () => 'answered'))
    // Threads with the most turns left go first: the calls in flight were the first turns of the other two threads.
    const asked = endpoint.calls.filter(({ body }) => body.message === 'Question 7?')
    expect(asked).toHaveLength(2)
    expect(asked[1]?.body.conversationId).toBeUndefined()
    const { quota } = readSummary(out)
    expect(quota).toMatchObject({ possible: 2, min: quota.certain, max: quota.certain + 2 })
    // The endpoint saw as many calls as the account holds.
    expect(quota.attempts).toBe(endpoint.calls.length)
    const total = readResults(out).reduce((sum, row) => sum + Number(row['attempts']), 0)
    expect(total).toBe(quota.attempts)
  })
})

test(
  'a call that outlasts the grace time after SIGTERM is recorded as ambiguous',
  { timeout: 20_000 },
  async () => {
    endpoint = await startEndpoint(() => true)
    const out = newOut()
    const running = startProgram(wordsFor(endpoint.url, out), { cwd: folder, env })
    await expect.poll(() => endpoint?.calls.length, { timeout: 10_000 }).toBe(2)
    running.signal('SIGTERM')
    const { code, stderr } = await running.ended
    expect(code, stderr).toBe(143)
    expect(stderr).toMatch(/calls in flight have 8 s, then they are recorded as ambiguous/)
    expect(readSummary(out).quota).toMatchObject({ attempts: 2, certain: 0, possible: 2 })
    const journal = readFileSync(join(out, 'journal.ndjson'), 'utf8')
    expect(journal.match(/"kind":"abandoned","sent":true/g)).toHaveLength(2)
  },
)

describe('a run folder', () => {
  test('is written by one process at a time; a process that was killed holds nothing', async () => {
    // Silent until the process is killed, so that it dies with calls in flight however slow the machine is.
    let isKilled = false
    endpoint = await startEndpoint(() => !isKilled)
    const out = newOut()
    const running = startProgram(wordsFor(endpoint.url, out), { cwd: folder, env })
    await expect.poll(() => endpoint?.calls.length, { timeout: 10_000 }).toBe(2)
    const second = await runProgram(['run', '--resume', out], { cwd: folder, env })
    expect(second.code).toBe(2)
    expect(second.stderr).toContain(
      `${out} is being written by process ${running.pid}; wait for it, or stop it`,
    )

    const report = await runProgram(['report', out], { cwd: folder, env })
    expect([report.code, report.stderr]).toEqual([
      2,
      expect.stringContaining(`process ${running.pid} is still writing this run`),
    ])

    running.signal('SIGKILL')
    await running.ended
    isKilled = true
    const before = endpoint.calls.length
    const resumed = await runProgram(['run', '--resume', out], { cwd: folder, env })
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
    endpoint = await startEndpoint()
    const out = newOut()
    const shell = [process.execPath, main, ...wordsFor(endpoint.url, out), '--json', '>/dev/full'].join(' ')
    const child = spawn('sh', ['-c', shell], { cwd: folder, env: { ...process.env, ...env } })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    const [code] = (await once(child, 'close')) as [number]
    expect([code, said]).toEqual([5, expect.stringMatching(/cannot be written: .*ENOSPC/)])
    expect(readSummary(out).exitCode).toBe(0)
  })

  test('of a run with many calls in flight holds no warning of Node', async () => {
    endpoint = await startEndpoint(slow(100))
    const rowsOfMany = Array.from({ length: 60 }, (_, place) => `Question ${place}?`)
    writeFileSync(join(folder, 'many.csv'), `message\n${rowsOfMany.join('\n')}\n`)
    const words = ['run', 'many.csv', '--base-url', endpoint.url, '--rate', 'unlimited', '--out', newOut()]
    const { code, stderr } = await runProgram(words, { cwd: folder, env })
    expect(code).toBe(0)
    expect(stderr).not.toMatch(/Warning/)
  })
})

describe('a budget', () => {
  test('is never exceeded, by one; the resume command raises it', async () => {
    endpoint = await startEndpoint()
    const out = newOut()
    const { code, stderr } = await runProgram([...wordsFor(endpoint.url, out), '--max-calls', '5'], {
      cwd: folder,
      env,
    })
    expect(code).toBe(4)
    expect(endpoint.calls).toHaveLength(5)
    expect(stderr).toMatch(/Incomplete: the call budget of 5 is used up; 7 turns have no outcome/)
    expect(resumeWords(stderr)).toEqual(['run', '--resume', out, '--max-calls', '12'])
    const resumed = await runProgram(resumeWords(stderr), { cwd: folder, env })
    expect(resumed.code).toBe(0)
    expect(endpoint.calls).toHaveLength(12)
  })
})

describe('an endpoint', () => {
  test('that nobody listens on is tried again, then given up', async () => {
    const port = await freePort()
    const out = newOut()
    const started = startProgram([...wordsFor(`http://127.0.0.1:${port}`, out), '--give-up-after', '2s'], {
      cwd: folder,
      env,
    })
    const { code, stderr } = await started.ended
    expect(code).toBe(4)
    expect(stderr).toMatch(/nothing but failures for 2 s, last ECONNREFUSED/)
    expect(stderr).toMatch(/ECONNREFUSED/)
    const { quota, turns, state } = readSummary(out)
    expect(quota).toMatchObject({ certain: 0, possible: 0 })
    expect(quota.notCounted).toBeGreaterThan(2)
    expect([turns.notAsked, state]).toEqual([12, 'incomplete'])
  })

  test('that only refuses is given up, and no turn is failed for it', async () => {
    endpoint = await startEndpoint(({ response }) => {
      response
        .writeHead(429, { 'content-type': 'application/json' })
        .end('{"success":false,"error":{"code":"RATE"}}')
      return true
    })
    const out = newOut()
    const { code, stderr } = await runProgram([...wordsFor(endpoint.url, out), '--give-up-after', '3s'], {
      cwd: folder,
      env,
    })
    expect(code).toBe(4)
    expect(stderr).toMatch(/nothing but refusals \(429\) for/)
    const summary = readSummary(out)
    expect(summary.turns).toMatchObject({ answered: 0, rate_limited: 0, notAsked: 12 })
    expect(summary.pacing).toMatchObject({ rate429: 1, rateLimited: summary.quota.attempts })
    const journal = readFileSync(join(out, 'journal.ndjson'), 'utf8')
    expect(journal).toContain('"kind":"pace"')
  })
})

async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
