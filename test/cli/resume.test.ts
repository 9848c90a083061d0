// `run --resume`: what it checks, what it asks, and what it leaves alone, through the built program.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import {
  answerJson,
  goodReply,
  startEndpoint,
  type ReceivedCall,
  type TestEndpoint,
} from '../support/endpoint.ts'
import { readResults, readSummary, runProgram, type Ended } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const env = { ASSIST_API_KEY: 'test-key-0123456789' }
let endpoint: TestEndpoint | undefined
afterEach(async () => endpoint?.close())

let made = 0
interface Started {
  readonly set: string
  readonly out: string
}
const name = (): Started => {
  made += 1
  return { set: `set-${made}.csv`, out: join(folder, `run-${made}`) }
}
const write = ({ set }: Started, ...rows: readonly string[]): void =>
  writeFileSync(join(folder, set), `id,thread,message,tags\n${rows.join('\n')}\n`)
const go = async (...words: readonly string[]): Promise<Ended> => runProgram(words, { cwd: folder, env })
const start = async (started: Started, ...more: readonly string[]): Promise<Ended> => {
  const { set, out } = started
  const words = ['run', set, '--base-url', endpoint?.url ?? '', '--rate', 'unlimited', '--concurrency', '1']
  return go(...words, '--out', out, ...more)
}
const asked = (): string[] => (endpoint?.calls ?? []).map(({ body }) => body.message)
const outcomes = (out: string): Record<string, string> =>
  Object.fromEntries(readResults(out).map((row) => [row['id'] ?? '', row['outcome'] ?? '']))

describe('a resume', () => {
  test('asks what is left in the recorded conversation, and needs nothing else on the command line', async () => {
    endpoint = await startEndpoint()
    const run = name()
    write(run, 'a1,a,A1', 'a2,a,A2', 'a3,a,A3', 'b1,b,B1')
    await start(run, '--max-calls', '2')
    const resumed = await go('run', '--resume', run.out, '--max-calls', '10')
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(asked()).toEqual(['A1', 'A2', 'A3', 'B1'])
    const ids = endpoint.calls.map(({ body }) => body.conversationId)
    expect(ids).toEqual([undefined, 'conversation-1', 'conversation-1', undefined])
    expect(readSummary(run.out)).toMatchObject({ run: { sittings: 2 }, quota: { attempts: 4, certain: 4 } })
  })

  test('starts a thread again whose conversation the endpoint has forgotten', async () => {
    endpoint = await startEndpoint((call) =>
      call.number === 3 ? answerJson(call, 200, { ...goodReply(call), conversationId: 'fresh' }) : false,
    )
    const run = name()
    write(run, 'a1,a,A1', 'a2,a,A2', 'a3,a,A3')
    await start(run, '--max-calls', '2')
    const resumed = await go('run', '--resume', run.out, '--max-calls', '20')
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(asked()).toEqual(['A1', 'A2', 'A3', 'A1', 'A2', 'A3'])
    expect(readSummary(run.out)).toMatchObject({
      turns: { answered: 3, contextLost: 0 },
      quota: { certain: 6 },
    })
  })

  test('of a run that is done asks nothing', async () => {
    endpoint = await startEndpoint()
    const run = name()
    write(run, 'a1,a,A1')
    await start(run)
    const resumed = await go('run', '--resume', run.out)
    expect([resumed.code, asked()]).toEqual([0, ['A1']])
  })

  test('with --retry-errors asks threads with an error again, whole, and counts both', async () => {
    let isDown = true
    endpoint = await startEndpoint((call) =>
      isDown && call.body.message === 'A2'
        ? answerJson(call, 404, { success: false, error: { code: 'GONE', message: 'no' } })
        : false,
    )
    const run = name()
    write(run, 'a1,a,A1', 'a2,a,A2', 'a3,a,A3', 'b1,b,B1')
    expect((await start(run)).code).toBe(1)
    expect(outcomes(run.out)).toEqual({ a1: 'answered', a2: 'refused', a3: 'skipped', b1: 'answered' })
    expect((await go('run', '--resume', run.out)).code).toBe(1)
    isDown = false
    const before = asked().length
    const resumed = await go('run', '--resume', run.out, '--retry-errors')
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(asked().slice(before)).toEqual(['A1', 'A2', 'A3'])
    expect(readSummary(run.out).quota).toMatchObject({ attempts: 6, certain: 5, notCounted: 1 })
    expect(readResults(run.out).map((row) => row['attempts'])).toEqual(['2', '2', '1', '1'])
  })

  test('refuses other options with the difference, and takes the same ones', async () => {
    endpoint = await startEndpoint()
    const run = name()
    write(run, 'a1,a,A1', 'a2,a,A2')
    await start(run, '--max-calls', '1', '--grounded-sources', 'FAQ')
    for (const [words, difference] of [
      [['--grounded-sources', 'KNOWLEDGE_BASE'], '--grounded-sources was'],
      [['--base-url', 'http://127.0.0.1:9'], '--base-url was'],
      [['--tag', 'x'], '--tag was'],
      [['--out', 'elsewhere'], '--out cannot be given again'],
    ] as const) {
      const refused = await go('run', '--resume', run.out, '--max-calls', '9', ...words)
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(difference)])
    }
    expect(endpoint.calls).toHaveLength(1)
    const same = ['--grounded-sources', 'FAQ', '--base-url', endpoint.url]
    const resumed = await go('run', '--resume', run.out, '--max-calls', '9', ...same)
    expect(resumed.code, resumed.stderr).toBe(0)
  })

  test('does not send another key to a desk that the environment no longer names', async () => {
    endpoint = await startEndpoint()
    const run = name()
    write(run, 'a1,a,A1', 'a2,a,A2')
    await start(run, '--max-calls', '1')
    const words = ['run', '--resume', run.out, '--max-calls', '9']
    const other = { ASSIST_API_KEY: 'another-key-987654321', ASSIST_BASE_URL: 'https://other.example.com' }
    const refused = await runProgram(words, { cwd: folder, env: other })
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('https://other.example.com')])
    const newKey = await runProgram(words, { cwd: folder, env: { ASSIST_API_KEY: 'another-key-987654321' } })
    expect(newKey.code).toBe(0)
    expect(newKey.stderr).toMatch(/the key in ASSIST_API_KEY is another one than before/)
  })
})

describe('a question set that has changed', () => {
  const before = ['a1,a,A1', 'a2,a,A2', 'd1,d,D1', 'd2,d,D2', 'b1,b,B1', 'c1,c,C1']

  test('is refused with the difference, and nothing is sent', async () => {
    endpoint = await startEndpoint()
    const run = name()
    write(run, ...before)
    await start(run, '--max-calls', '3')
    write(run, 'a1,a,A1', 'a2,a,A2 anew', 'c1,c,C1,tagged', 'd1,d,D1', 'd2,d,D2', 'e1,e,E1')
    const refused = await go('run', '--resume', run.out, '--max-calls', '20')
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain(`${run.set} has changed since the run was started:`)
    expect(refused.stderr).toMatch(
      /1 question added: e1\n.*1 question edited: a2\n.*1 question removed: b1\n/,
    )
    expect(refused.stderr).toMatch(/1 question with other expectations, tags or columns: c1/)
    expect(endpoint.calls).toHaveLength(3)
  })

  test('is taken on with --accept-changes: what was answered stands, the rest is asked', async () => {
    endpoint = await startEndpoint()
    const run = name()
    write(run, ...before)
    // The longest threads first: a and d are under way, b and c not yet.
    await start(run, '--max-calls', '4')
    expect(asked()).toEqual(['A1', 'D1', 'A2', 'D2'])
    write(run, 'e1,e,E1', 'a1,a,A1', 'a2,a,A2 anew', 'c1,c,C1,tagged', 'd1,d,D1', 'd2,d,D2', 'd3,d,D3')
    const resumed = await go('run', '--resume', run.out, '--accept-changes', '--max-calls', '20')
    expect(resumed.code, resumed.stderr).toBe(0)
    const later = asked().slice(4).sort()
    // The edited turn's conversation held the old text: its thread starts again. D3 goes on with D's conversation.
    expect(later).toEqual(['A1', 'A2 anew', 'C1', 'D3', 'E1'])
    expect(endpoint.calls.find(({ body }) => body.message === 'D3')?.body.conversationId).toBe(
      endpoint.calls.find(({ body }) => body.message === 'D2')?.body.conversationId,
    )
    expect(Object.keys(outcomes(run.out))).toEqual(['e1', 'a1', 'a2', 'c1', 'd1', 'd2', 'd3'])
    const summary = readSummary(run.out)
    expect(summary.turns).toMatchObject({ total: 7, answered: 7, notAsked: 0 })
    expect(summary.quota).toMatchObject({ attempts: 9, certain: 9 })
    expect(summary.warnings.join('\n')).toMatch(/1 attempt went to questions that have left the set/)
    expect(summary.tags).toHaveProperty('tagged')
    // Once taken on, it is the set of the run.
    expect((await go('run', '--resume', run.out)).code).toBe(0)
    expect(endpoint.calls).toHaveLength(9)
  })

  test('is not needed to go on: the journal holds the questions', async () => {
    endpoint = await startEndpoint()
    const run = name()
    write(run, 'a1,a,A1', 'a2,a,A2')
    await start(run, '--max-calls', '1')
    rmSync(join(folder, run.set))
    const resumed = await go('run', '--resume', run.out, '--max-calls', '5')
    expect([resumed.code, asked()]).toEqual([0, ['A1', 'A2']])
    expect(resumed.stderr).toMatch(/is not there any more: going on with the questions as recorded/)
    const changes = await go('run', '--resume', run.out, '--accept-changes')
    expect([changes.code, changes.stderr]).toEqual([2, expect.stringContaining('is not there')])
  })

  test('may have moved: it is named behind the run', async () => {
    endpoint = await startEndpoint()
    const run = name()
    write(run, 'a1,a,A1', 'a2,a,A2')
    await start(run, '--max-calls', '1')
    writeFileSync(join(folder, 'moved.csv'), readFileSync(join(folder, run.set)))
    rmSync(join(folder, run.set))
    const resumed = await go('run', '--resume', run.out, '--max-calls', '5', 'moved.csv')
    expect([resumed.code, resumed.stderr]).toEqual([0, expect.not.stringContaining('not there')])
  })
})

describe('a journal cut off before its first call', () => {
  test.each([0, 1, 2])('after %i lines: the run is asked from the set', async (lines) => {
    endpoint = await startEndpoint()
    const run = name()
    write(run, 'a1,a,A1', 'b1,b,B1')
    await start(run, '--max-calls', '1')
    const path = join(run.out, 'journal.ndjson')
    const kept = readFileSync(path, 'utf8').split('\n').slice(0, lines)
    writeFileSync(path, kept.map((line) => `${line}\n`).join(''))
    const resumed = await go('run', '--resume', run.out, '--max-calls', '5')
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(outcomes(run.out)).toEqual({ a1: 'answered', b1: 'answered' })
  })

  test('or without a journal at all', async () => {
    endpoint = await startEndpoint()
    const run = name()
    write(run, 'a1,a,A1')
    await start(run, '--max-calls', '1')
    rmSync(join(run.out, 'journal.ndjson'))
    expect((await go('run', '--resume', run.out, '--max-calls', '5')).code).toBe(0)
    expect(outcomes(run.out)).toEqual({ a1: 'answered' })
  })
})

test('a sitting that died between an answer and its outcome does not ask the turn again', async () => {
  endpoint = await startEndpoint()
  const run = name()
  write(run, 'a1,a,A1', 'a2,a,A2')
  await start(run, '--max-calls', '1')
  const path = join(run.out, 'journal.ndjson')
  const lines = readFileSync(path, 'utf8').split('\n')
  const end = lines.findIndex((line) => line.includes('"kind":"outcome"'))
  writeFileSync(path, `${lines.slice(0, end).join('\n')}\n`)
  const resumed = await go('run', '--resume', run.out, '--max-calls', '5')
  expect(resumed.code, resumed.stderr).toBe(0)
  expect(asked()).toEqual(['A1', 'A2'])
  expect(endpoint.calls[1]?.body.conversationId).toBe('conversation-1')
})

test('--on-ambiguous fail records the error instead of asking the thread again', async () => {
  const broken = (call: ReceivedCall): boolean => {
    if (call.body.message !== 'A2') return false
    return answerJson(call, 503, { success: false, error: { code: 'DOWN', message: 'no' } })
  }
  endpoint = await startEndpoint(broken)
  const run = name()
  write(run, 'a1,a,A1', 'a2,a,A2', 'a3,a,A3')
  expect((await start(run, '--on-ambiguous', 'fail')).code).toBe(1)
  expect(asked()).toEqual(['A1', 'A2'])
  expect(outcomes(run.out)).toEqual({ a1: 'answered', a2: 'server_error', a3: 'skipped' })
  expect(readSummary(run.out).quota).toMatchObject({ certain: 1, possible: 1 })
})

test('--retry-errors and --accept-changes belong to a resume', async () => {
  for (const option of ['--retry-errors', '--accept-changes']) {
    const { code, stderr } = await go('run', 'set-1.csv', '--sandbox', option)
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${option} goes with --resume`)])
  }
})
