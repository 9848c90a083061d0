// Protects what is said while a command runs: the progress line (done, pace, coverage, 429s, errors, time left, and a
// pause), and `--log-format json`: one JSON object a line, whatever happens, and no text of a question.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createRunCounts } from '../../src/analysis/judging/progress.ts'
import { createListener, runLine } from '../../src/cli/progress.ts'
import type { Screen } from '../../src/cli/screen.ts'
import { createTurnJoiner, type JournalRecord } from '../../src/domain/journal.ts'
import type { RunProgress } from '../../src/domain/progress.ts'
import type { PaceEvent } from '../../src/runner/events.ts'
import { startEndpoint } from '../support/endpoint.ts'
import { KEY_ENV, splitWords } from '../support/program.ts'
import {
  callRecords,
  makeReply,
  makeThreads,
  makeTurn,
  rejection,
  START,
  timedOut,
} from '../support/recorded.ts'
import { runResident } from '../support/resident.ts'
import { openWorkspace } from '../support/workspace.ts'

const at = START
const place = { repeat: 1, conversation: 1 }

/** The records of an answered question. */
const answered = (index: number, contextSource: string): JournalRecord[] =>
  callRecords(makeTurn({ index, result: makeReply(contextSource) }), index + 1)
const KB = 'KNOWLEDGE_BASE'
const restart = { kind: 'restart', at, question: 0, repeat: 1, conversation: 2, cause: 'timeout' } as const
const pace: PaceEvent = { kind: 'pace', pace: 4, pausedUntil: null, cause: 'start' }
const slow: PaceEvent = { ...pace, pace: 1 / 90, cause: 'the endpoint states 10 calls in 15 min' }
const pause = { ...pace, pausedUntil: at + 43_000, cause: '429, Retry-After 43 s' }

const none = createRunCounts(makeThreads(4), [KB]).progress()

/** With a pace or a pause, ten seconds have passed since nothing was done. */
test.each<[string, Partial<RunProgress>, PaceEvent | undefined, string]>([
  ['shows no coverage without answers', {}, undefined, '░░░░░░░░░░░░ 0/4 · 429s 0 · errors 0'],
  [
    'separates thousands',
    { total: 2000, done: 1200, answered: 1200, grounded: 1200 },
    undefined,
    '███████░░░░░ 1,200/2,000 · grounded 100.0 % · 429s 0 · errors 0',
  ],
  [
    'shows that the speed is not the pace while calls hang',
    { done: 1, answered: 1, grounded: 1, ended: 1, inFlight: 2, oldestAt: at + 1000 },
    pace,
    '███░░░░░░░░░ 1/4 · 0.1/s calls · pace 4/s · in flight 2, oldest 9 s · grounded 100.0 % · 429s 0 · errors 0 · 30 s left',
  ],
  [
    'shows the end and the cause of a pause, and no time left',
    { done: 1, answered: 1, grounded: 1, rateLimited: 1 },
    pause,
    '███░░░░░░░░░ 1/4 · paused until 12:00:43Z: 429, Retry-After 43 s · grounded 100.0 % · 429s 1 · errors 0',
  ],
  [
    'shows when and why the next call is sent, if that is not soon',
    { done: 1, answered: 1, grounded: 1, nextAt: at + 100_000 },
    slow,
    '███░░░░░░░░░ 1/4 · pace 40/h · next call at 12:01:40Z: the endpoint states 10 calls in 15 min · grounded 100.0 % · 429s 0 · errors 0',
  ],
])('the line %s', (_, more, paced, line) => {
  const isLater = paced === pace || paced === pause
  const [recent, now] = isLater ? [[{ at, done: 0, ended: 0 }], at + 10_000] : [[], at]
  expect(runLine({ ...none, ...more }, paced, recent, now)).toBe(line)
})

test('progress of a resumed run counts the turns of this session, and those that a restart sends again', () => {
  const threads = makeThreads(2, 2).map((thread, order) => (order === 0 ? { ...thread, next: 1 } : thread))
  const counts = createRunCounts(threads, [KB])
  for (const event of answered(1, KB).map(createTurnJoiner())) counts.add(event)
  expect(counts.progress()).toMatchObject({ done: 1, total: 3, answered: 1, grounded: 1 })
  counts.add(restart)
  expect(counts.progress()).toMatchObject({ done: 0, total: 4, answered: 0 })
})

test('progress counts what became of turns and calls', () => {
  const counts = createRunCounts(makeThreads(2, 1, 1), [KB])
  const call = { ...place, question: 2, conversationId: null }
  const records: JournalRecord[] = [
    ...answered(0, KB),
    ...answered(1, 'MODEL'),
    { kind: 'intent', at, attempt: 3, ...call },
    { kind: 'result', at, attempt: 3, waitMs: 0, serviceMs: 5, result: rejection(429) },
    ...callRecords(makeTurn({ index: 2, ...timedOut }), 4),
    { kind: 'intent', at: at + 1000, attempt: 5, ...call, question: 3 },
  ]
  for (const event of records.map(createTurnJoiner())) counts.add(event)
  const turns = { total: 4, done: 3, answered: 2, grounded: 1, errors: 1 }
  const calls = { attempts: 5, ended: 4, rateLimited: 1, inFlight: 1, oldestAt: at + 1000 }
  expect(counts.progress()).toEqual({ of: 'run', ...turns, ...calls })
})

afterEach(() => void vi.useRealTimers())

test('without a terminal, a pause in which nothing is done is one line a minute, whatever its probes', () => {
  vi.useFakeTimers({ now: at })
  const said: string[] = []
  const screen = { isJson: false, isTerminal: false, say: (line: string) => said.push(line), draw: vi.fn() }
  const { hear, end } = createListener('run', false, { screen: screen as unknown as Screen })
  const counts = createRunCounts(makeThreads(2, 2), [KB])
  const play = (seconds: number, pauseMs: number): void => {
    for (let second = 0; second < seconds; second += 1) {
      const now = Date.now()
      // Each pause ends with a probe that takes a second, and is refused.
      const isProbing = pauseMs > 0 && second % 20 === 19
      hear({ ...pause, at: now, pausedUntil: isProbing ? now : now + pauseMs })
      hear({ kind: 'progress', at: now, progress: counts.progress() })
      vi.advanceTimersByTime(1000)
    }
  }
  play(11, 0)
  expect(said).toHaveLength(2)
  play(600, 20_000)
  expect(said.splice(0).filter((line) => line.includes('paused until')).length).toBeLessThanOrEqual(11)
  play(11, 0)
  for (const event of answered(0, KB).map(createTurnJoiner())) counts.add(event)
  // After the first minute a line comes every half a minute.
  play(290, 0)
  expect(said.length).toBeGreaterThanOrEqual(9)
  expect(said.length).toBeLessThanOrEqual(11)
  end()
})

const { folder, put } = openWorkspace({ 'set.csv': 'message\nIs Carl Jones ill?\nAnd Ada?\n' })

async function logOf(line: string, env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runResident(splitWords(`${line} --log-format json`), {
    cwd: folder,
    env,
  })
  const lines = stderr.trim().split('\n')
  const events = lines.map((text) => JSON.parse(text) as { time: string; event: string })
  for (const { time } of events) expect(new Date(time).toISOString()).toBe(time)
  return { code, stdout, stderr, kinds: events.map(({ event }) => event) }
}

describe('--log-format json', () => {
  test('gives each event as an object, and the account on stdout as before', async () => {
    const endpoint = await startEndpoint()
    const env = { ...KEY_ENV, ASSIST_BASE_URL: endpoint.url }
    const { code, stdout, stderr, kinds } = await logOf('run set.csv --out one', env)
    expect(code, stderr).toBe(0)
    expect(new Set(kinds)).toEqual(new Set(['started', 'pace', 'progress', 'reporting', 'ended']))
    expect(stderr).not.toContain('Carl Jones')
    expect(stdout).toContain('2 of 2 answered')
    // With --debug, calls and their texts, too.
    const debugged = await logOf('run set.csv --out two --debug', env)
    expect(debugged.kinds).toEqual(expect.arrayContaining(['attempt', 'turn']))
    expect(debugged.stderr).toContain('Carl Jones')
  })

  test('holds for errors, and in the config file', async () => {
    expect(await logOf('run nowhere.csv --sandbox')).toMatchObject({ code: 2, kinds: ['message', 'message'] })
    put('logging.yaml', 'logFormat: json\nsandbox: true\n')
    const { code, stderr } = await runResident(splitWords('run set.csv --config logging.yaml --out three'), {
      cwd: folder,
      env: {},
    })
    expect(code, stderr).toBe(0)
    for (const line of stderr.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('event')
  })
})
