// "One turn, exactly", with no network, disk or waiting: what scenarios/faults.ts and ends.ts do not show of the order of calls,
// their times, and what ends a run.
import { describe, expect, test } from 'vitest'
import type { AttemptResult } from '../../src/domain/attempt.ts'
import {
  goodAnswer,
  network,
  playRun,
  rejection,
  timeout,
  type Answer,
  type RunScript,
} from '../support/play.ts'
import { makeThreads } from '../support/questions.ts'

/** The n-th call gets its own answer; the others a good one. */
const except =
  (odd: Record<number, AttemptResult>): Answer =>
  (call) =>
    odd[call.number] ?? goodAnswer(call)

async function play(
  lengths: readonly number[],
  odd: Record<number, AttemptResult> | Answer,
  script?: RunScript,
) {
  const answer = typeof odd === 'function' ? odd : except(odd)
  const threads = makeThreads(...lengths)
  const played = await playRun(threads, answer, script)
  const ids = threads.flatMap(({ turns }) => turns.map(({ question }) => question.id))
  return {
    ...played,
    /** By question; none where it was left open. */
    outcomes: Object.fromEntries(
      played.of('outcome').map(({ question, outcome }) => [ids[question], outcome]),
    ),
    /** Which questions, in the order in which they were sent. */
    asked: played.calls.map(({ request }) => request.message.replace('message of ', '')).join(' '),
    at: played.calls.map(({ at }) => at),
  }
}

const waits = (seconds: number) => ({ 'retry-after': String(seconds) })
const resets = { 'ratelimit-limit': '9', 'ratelimit-remaining': '0', 'ratelimit-reset': '7200' }
const forMinute = { giveUpAfterMs: 60_000 }
const done = { kind: 'done' }
const always =
  (result: AttemptResult): Answer =>
  () =>
    result

describe('the order of calls:', () => {
  test.each<[string, number[], Record<number, AttemptResult>, RunScript, string]>([
    ['the threads with the most turns left first', [1, 3, 2], {}, {}, 't2.1 t2.2 t3.1 t1.1 t2.3 t3.2'],
    [
      'what was refused goes before everything else',
      [3, 1],
      { 2: rejection(429) },
      { concurrency: 2 },
      't1.1 t2.1 t1.2 t2.1 t1.3',
    ],
    ['a thread again after a 5xx', [2], { 2: rejection(503) }, {}, 't1.1 t1.2 t1.1 t1.2'],
    ['a thread again after a timeout', [2], { 2: timeout }, {}, 't1.1 t1.2 t1.1 t1.2'],
    ['a thread again after a reset', [2], { 2: network(true) }, {}, 't1.1 t1.2 t1.1 t1.2'],
    [
      'a turn again that never left',
      [2],
      { 2: network(false), 3: network(false) },
      {},
      't1.1 t1.2 t1.2 t1.2',
    ],
    ['no turn again after another error, nor the later ones', [4], { 2: rejection(302) }, {}, 't1.1 t1.2'],
    ['just as many as the budget has', [2, 1], {}, { maxCalls: 3 }, 't1.1 t1.2 t2.1'],
  ])('%s', async (_, lengths, odd, script, expected) => {
    const { stop, asked } = await play(lengths, odd, script)
    expect([stop, asked]).toEqual([done, expected])
  })

  test('each conversation has an opaque end user of its own, unless the set names one', async () => {
    const { calls } = await play([2, 1], { 2: timeout })
    const told = calls.map(({ request }) => [request.endUserRef, request.conversationId])
    expect(told).toEqual([
      ['run-1-1-1', undefined],
      ['run-1-1-1', 'c1'],
      ['run-1-1-2', undefined],
      ['run-1-1-2', 'c3'],
      ['run-3-1-1', undefined],
    ])
    const named = makeThreads(1)
    Object.assign(named[0]?.turns[0].question ?? {}, { endUserRef: 'emp-7' })
    expect((await playRun(named, goodAnswer)).calls[0]?.request.endUserRef).toBe('emp-7')
  })
})

describe('times:', () => {
  test.each<[string, number[], Record<number, AttemptResult>, number[]]>([
    ['a wait that a 429 names holds for everybody', [1, 1], { 1: rejection(429, waits(5)) }, [0, 5010, 5020]],
    [
      'three ambiguous failures in a row, of any threads, pause everybody',
      [1, 1, 1, 1],
      { 1: timeout, 2: timeout, 3: timeout },
      [0, 10, 20, 780, 790, 800],
    ],
  ])('%s', async (_, lengths, odd, expected) => {
    const { at, clock } = await play(lengths, odd)
    expect(at).toEqual(expected)
    expect(clock.timers).toBe(0)
  })

  test('waiting is apart from service; the intent comes before it is sent, the result before the outcome', async () => {
    const { of, records } = await play([1], { 1: rejection(429, waits(3)) }, { ms: () => 40 })
    const times = of('result').map(({ waitMs, serviceMs }) => [waitMs, serviceMs])
    expect(times).toEqual([
      [0, 40],
      [3000, 40],
    ])
    expect(records.map(({ kind }) => kind)).toEqual(['intent', 'result', 'intent', 'result', 'outcome'])
  })
})

describe('what ends a run:', () => {
  test.each<[string, number[], Record<number, AttemptResult> | Answer, RunScript, object, number]>([
    [
      'a 401, after what is under way',
      [1, 1, 1, 1, 1],
      { 2: rejection(401) },
      { concurrency: 2 },
      { kind: 'keyRefused' },
      3,
    ],
    [
      'the budget, earlier sessions included',
      [1, 1],
      { 1: rejection(429) },
      { maxCalls: 11, attemptsBefore: 10 },
      { kind: 'budget', maxCalls: 11 },
      1,
    ],
    [
      'a reset that is too far off',
      [1, 1],
      always(rejection(429, resets)),
      forMinute,
      { kind: 'gaveUp', namedMs: 7_200_000 },
      1,
    ],
    [
      'not a reset with a Retry-After beside it',
      [1],
      { 1: rejection(429, { ...resets, ...waits(1) }) },
      forMinute,
      done,
      2,
    ],
    ['not an interruption during the last call', [1], {}, { onCall: (_, interrupt) => interrupt() }, done, 1],
    [
      'not a turn that was refused fifty times',
      [1],
      always(rejection(429)),
      { giveUpAfterMs: 2 ** 40 },
      done,
      50,
    ],
  ])('%s', async (_, lengths, odd, script, stop, count) => {
    const played = await play(lengths, odd, script)
    expect(played.stop).toMatchObject(stop)
    expect(played.calls).toHaveLength(count)
  })

  test.each<[string, number[], Record<number, AttemptResult> | Answer, RunScript, object]>([
    [
      'at a 401 leaves its turn open, and those behind it',
      [1, 1, 1, 1],
      { 2: rejection(401) },
      { concurrency: 2 },
      { 't1.1': 'answered', 't3.1': 'answered' },
    ],
    [
      'of refusals gives a turn up, and skips those behind it',
      [2],
      always(rejection(429)),
      { giveUpAfterMs: 2 ** 40 },
      { 't1.1': 'rate_limited', 't1.2': 'skipped' },
    ],
  ])('a run that ends %s', async (_, lengths, odd, script, expected) => {
    expect((await play(lengths, odd, script)).outcomes).toEqual(expected)
  })

  test.each([
    ['refusals alone', rejection(429), { over: 'refusals' }],
    ['failures alone', network(false), { over: 'failures', last: 'E' }],
  ])('%s for as long as patience lasts, though no call ends then', async (_, result, stop) => {
    const { stop: seen, outcomes, clock } = await play([1], always(result), forMinute)
    expect(seen).toMatchObject({ kind: 'gaveUp', ...stop })
    expect([outcomes, clock.now() >= 60_000, clock.now() < 130_000]).toEqual([{}, true, true])
  })

  test('a record that cannot be written, and nothing is sent', async () => {
    const onRecord = (): void => {
      throw new Error('no space left on device')
    }
    const { stop, calls } = await play([1, 1], {}, { onRecord })
    expect([stop, calls]).toEqual([{ kind: 'fault', message: 'no space left on device' }, []])
  })
})
