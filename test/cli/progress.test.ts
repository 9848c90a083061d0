// Protects the progress line, from records to text: done, pace, coverage, 429s, errors, time left, and a
// pause.
import { afterEach, expect, test, vi } from 'vitest'
import { createListener, runLine } from '../../src/cli/progress.ts'
import type { Screen } from '../../src/cli/screen.ts'
import { createTurnJoiner, type JournalRecord } from '../../src/domain/journal.ts'
import type { PaceEvent } from '../../src/runner/events.ts'
import { createRunCounts } from '../../src/analysis/judging/progress.ts'
import { rejection } from '../support/play.ts'
import { makeThreads } from '../support/questions.ts'
import { makeReply } from '../support/turns.ts'

const at = Date.UTC(2026, 10, 20, 12, 0, 0)
const place = { repeat: 1, conversation: 1 }

/** The records of an answered question. */
const answered = (question: number, contextSource: string, attempt = question + 1): JournalRecord[] => [
  { kind: 'intent', at, attempt, question, ...place, conversationId: null },
  { kind: 'result', at, attempt, waitMs: 0, serviceMs: 5, result: makeReply(contextSource) },
  { kind: 'outcome', at, question, ...place, outcome: 'answered', attempt, contextLost: false },
]
const KB = 'KNOWLEDGE_BASE'
/** A call that was sent that long after the start, and has no answer yet. */
const sent = (question: number, afterMs: number): JournalRecord => ({
  kind: 'intent',
  at: at + afterMs,
  attempt: question + 1,
  question,
  ...place,
  conversationId: null,
})
const result = rejection(429)
const refusal: JournalRecord = { kind: 'result', at, attempt: 2, waitMs: 0, serviceMs: 5, result }
const restart: JournalRecord = {
  kind: 'restart',
  at,
  question: 0,
  repeat: 1,
  conversation: 2,
  cause: 'timeout',
}
const pace: PaceEvent = { kind: 'pace', pace: 4, pausedUntil: null, cause: 'start' }
const slow: PaceEvent = { ...pace, pace: 1 / 90, cause: 'the endpoint states 10 calls in 15 min' }
const pause = { ...pace, pausedUntil: at + 43_000, cause: '429, Retry-After 43 s' }

/**
 * The set has two threads of two turns, or one thread of `turns`. With a pace, ten seconds have passed since
 * nothing was done.
 */
test.each<[string, readonly JournalRecord[], PaceEvent | undefined, string, number?]>([
  ['shows no coverage without answers', [], undefined, '░░░░░░░░░░░░ 0/4 · 429s 0 · errors 0'],
  [
    'separates thousands',
    Array.from({ length: 1200 }, (_, question) => answered(question, KB)).flat(),
    undefined,
    '███████░░░░░ 1,200/2,000 · grounded 100.0 % · 429s 0 · errors 0',
    2000,
  ],
  [
    'shows the pace and the time left',
    [...answered(0, KB), ...answered(1, 'MODEL')],
    pace,
    '██████░░░░░░ 2/4 · 12/min calls · pace 4/s · grounded 50.0 % · 429s 0 · errors 0 · 10 s left',
  ],
  [
    'shows that the speed is not the pace while calls hang',
    [...answered(0, KB).map((record) => ({ ...record, at: at - 5000 })), sent(2, 1000), sent(3, 4000)],
    pace,
    '███░░░░░░░░░ 1/4 · 6/min calls · pace 4/s · in flight 2, oldest 9 s · grounded 100.0 % · 429s 0 · errors 0 · 30 s left',
  ],
  [
    'shows the end and the cause of a pause, and no time left',
    [...answered(0, KB), refusal],
    pause,
    '███░░░░░░░░░ 1/4 · paused until 12:00:43Z: 429, Retry-After 43 s · grounded 100.0 % · 429s 1 · errors 0',
  ],
  [
    'shows when and why the next call is sent, if that is not soon',
    [...answered(0, KB)],
    slow,
    '███░░░░░░░░░ 1/4 · pace 40/h · next call at 12:01:40Z: the endpoint states 10 calls in 15 min · grounded 100.0 % · 429s 0 · errors 0',
  ],
  [
    'does not count the answers of a restarted thread',
    [...answered(0, 'MODEL'), ...answered(2, KB, 2), restart],
    undefined,
    '███░░░░░░░░░ 1/4 · grounded 100.0 % · 429s 0 · errors 0',
  ],
])('the line %s', (_, records, paced, line, turns) => {
  const threads = turns === undefined ? makeThreads(2, 2) : makeThreads(turns)
  const counts = createRunCounts(threads, [KB])
  for (const event of records.map(createTurnJoiner())) counts.add(event)
  const progress = { ...counts.progress(), ...(paced === slow && { nextAt: at + 100_000 }) }
  const [recent, now] = paced === pace ? [[{ at, done: 0, ended: 0 }], at + 10_000] : [[], at]
  expect(runLine(progress, paced, recent, now)).toBe(line)
})

test('progress of a resumed run counts the turns of this session, and those that a restart sends again', () => {
  const threads = makeThreads(2, 2).map((thread, order) => (order === 0 ? { ...thread, next: 1 } : thread))
  const counts = createRunCounts(threads, [KB])
  for (const event of answered(1, KB).map(createTurnJoiner())) counts.add(event)
  expect(counts.progress()).toMatchObject({ done: 1, total: 3, answered: 1, grounded: 1 })
  counts.add(restart)
  expect(counts.progress()).toMatchObject({ done: 0, total: 4, answered: 0 })
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
  play(21, 0)
  expect(said.length).toBeGreaterThanOrEqual(4)
  end()
})
