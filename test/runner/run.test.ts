// Protects "One turn, exactly" in the runner, without network, disk or waiting: the order and times of calls and the ends of a run
// that scenarios/faults.ts and ends.ts do not show.
import { expect, test } from 'vitest'
import type { AttemptResult } from '../../src/domain/attempt.ts'
import { groupBy } from '../../src/domain/counts.ts'
import { openThread } from '../../src/runner/thread.ts'
import { type Answer, type Call, goodAnswer, playRun, type RunScript } from '../support/play.ts'
import { makeThreads, network, rejection, timeout } from '../support/recorded.ts'

/** Calls with these numbers get their own answer, the others a good one. */
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
    /** `answered t1.1 t2.1; skipped t1.2`; a question may have none. */
    outcomes: [...groupBy(played.of('outcome'), ({ outcome }) => outcome)]
      .map(([outcome, of]) =>
        [outcome, ...of.map(({ question }) => ids[question] ?? '').toSorted()].join(' '),
      )
      .toSorted()
      .join('; '),
    /** Ids of the questions in the order of sending. */
    asked: played.calls.map(({ request }) => request.message.replace('message of ', '')).join(' '),
    at: played.calls.map(({ at }) => at),
    sent: played.calls.length,
    now: played.clock.now(),
  }
}

const unreadable = { ...network(true), code: 'UND_ERR_HEADERS_OVERFLOW' }
const waits = (seconds: number) => ({ 'retry-after': String(seconds) })
const resets = { 'ratelimit-limit': '9', 'ratelimit-remaining': '0', 'ratelimit-reset': '7200' }
const forMinute = { giveUpAfterMs: 60_000 }
const forTen = { giveUpAfterMs: 600_000 }
/** These calls and no others get this result. */
const each = (numbers: readonly number[], result: AttemptResult): Record<number, AttemptResult> =>
  Object.fromEntries(numbers.map((number) => [number, result]))
const login = rejection(302, { location: 'https://me:pass@sso.example.com/login;id=7?state=secret#top' })
const lost = rejection(404)
const ELSEWHERE = { kind: 'elsewhere', httpStatus: 302, location: 'https://sso.example.com/login' }
const refusedWith = (code: string, headers: Record<string, string> = {}): AttemptResult => ({
  kind: 'rejection',
  httpStatus: 429,
  error: { code, message: 'refused' },
  headers,
})
/** From call `first` on, every call gets this result, but for those with their own. */
const from =
  (first: number, result: AttemptResult, others: Record<number, AttemptResult> = {}): Answer =>
  (call) =>
    others[call.number] ?? (call.number < first ? goodAnswer(call) : result)
const always =
  (result: AttemptResult): Answer =>
  () =>
    result

interface Expected {
  /** Default: done. */
  readonly stop?: object
  readonly sent?: number
  readonly asked?: string
  readonly at?: readonly number[]
  /** The clock at the end. */
  readonly now?: number
  readonly outcomes?: string
}

const QUOTA = { kind: 'gaveUp', over: 'refusals', code: 'quota_exceeded', afterMs: 180_000 }
const FOREVER = { giveUpAfterMs: 2 ** 40 }

test.each<[string, number[], Record<number, AttemptResult> | Answer, Expected, RunScript?]>([
  [
    'sends the threads with the most turns left first',
    [1, 3, 2],
    {},
    { asked: 't2.1 t2.2 t3.1 t1.1 t2.3 t3.2' },
  ],
  [
    'sends a turn that got a 429 before all others',
    [3, 1],
    { 2: rejection(429) },
    { asked: 't1.1 t2.1 t1.2 t2.1 t1.3' },
    { concurrency: 2 },
  ],
  [
    'ends at the third 404 in a row, between redirects',
    [2, 1, 1, 1, 1],
    from(3, lost, { 4: rejection(307) }),
    { stop: { kind: 'elsewhere', httpStatus: 404 }, sent: 5, outcomes: 'answered t1.1 t1.2' },
  ],
  [
    'goes on after redirects with another reply between: they are refused, and later turns skipped',
    [3, 2, 1, 1, 1, 1],
    { ...each([1, 2, 4, 5], login), 6: rejection(413) },
    { sent: 6, outcomes: 'answered t3.1; refused t1.1 t2.1 t4.1 t5.1 t6.1; skipped t1.2 t1.3 t2.2' },
  ],
  [
    'ends with refused turns where its last two calls are redirected',
    [1, 2, 1],
    from(3, login),
    { sent: 4, outcomes: 'answered t1.1 t2.1; refused t2.2 t3.1' },
  ],
  [
    'that meets nothing but a redirect and a 404 is not at its endpoint',
    [1, 3],
    from(1, lost, { 1: login }),
    { stop: ELSEWHERE, sent: 2, outcomes: '' },
  ],
  [
    'takes a lost connection between redirects for no reply',
    [1, 1, 1, 1],
    from(1, login, { 2: network(false) }),
    { stop: ELSEWHERE, sent: 4, outcomes: '' },
  ],
  [
    'counts redirects in the order of sending: slow answers to earlier calls arrive among them',
    [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
    from(5, login),
    { stop: ELSEWHERE, sent: 9, outcomes: 'answered t1.1 t2.1 t3.1 t4.1' },
    { concurrency: 4, ms: ({ number }) => (number < 5 ? 10 * number : 12) },
  ],
  [
    'waits for the slow answers between 404s, which arrive at once',
    [1, 1, 1, 1, 1, 1, 1],
    each([1, 3, 5, 7], lost),
    { sent: 7, outcomes: 'answered t2.1 t4.1 t6.1; refused t1.1 t3.1 t5.1 t7.1' },
    { concurrency: 7, ms: ({ number }) => (number % 2 === 1 ? 10 : 500) },
  ],
  [
    'keeps the turns of redirects without an outcome if it is interrupted before the next answer',
    [1, 1, 1],
    from(2, login),
    { stop: { kind: 'interrupted' }, sent: 2, outcomes: 'answered t1.1' },
    { onCall: ({ number }, interrupt) => number === 2 && interrupt() },
  ],
  [
    'ends at a 401, after the calls in flight, and leaves its turn without outcome',
    [1, 1, 1, 1, 1],
    { 2: rejection(401) },
    { stop: { kind: 'keyRefused', httpStatus: 401 }, sent: 3, outcomes: 'answered t1.1 t3.1' },
    { concurrency: 2 },
  ],
  [
    'ends at a 403 that names a quota',
    [1, 1],
    { 1: { ...refusedWith('quota_exceeded'), httpStatus: 403 } as AttemptResult },
    { stop: { kind: 'quotaUsedUp', httpStatus: 403, code: 'quota_exceeded' }, sent: 1, outcomes: '' },
  ],
  [
    'ends at a 407 of a proxy on the way',
    [1, 1],
    { 1: rejection(407) },
    { stop: { kind: 'proxyRefused' }, sent: 1, outcomes: '' },
  ],
  [
    'ends when its budget is used up, earlier sessions included',
    [1, 1],
    { 1: rejection(429) },
    { stop: { kind: 'budget', maxCalls: 11 }, sent: 1 },
    { maxCalls: 11, attemptsBefore: 10 },
  ],
  [
    'ends at a reset beyond giveUpAfter',
    [1, 1],
    always(rejection(429, resets)),
    { stop: { kind: 'gaveUp', afterMs: 60_000, namedMs: 7_200_000 }, sent: 1, outcomes: '' },
    forMinute,
  ],
  [
    'ends at a wait that exceeds what is left of giveUpAfter',
    [1],
    always(rejection(429, waits(20))),
    { stop: { kind: 'gaveUp', over: 'refusals', namedMs: 20_000 }, at: [0, 20_010, 40_020], outcomes: '' },
    forMinute,
  ],
  [
    'waits if the wait equals what is left of giveUpAfter',
    [1],
    always(rejection(429, waits(30))),
    { stop: { kind: 'gaveUp', over: 'refusals' }, at: [0, 30_000], now: 60_000 },
    { ...forMinute, ms: () => 0 },
  ],
  [
    'ends after three answers in a row that cannot be read',
    [1, 1, 1, 1],
    always(unreadable),
    { stop: { kind: 'gaveUp', over: 'unreadable' }, sent: 3 },
  ],
  [
    'is done if it is interrupted during its last call',
    [1],
    {},
    { sent: 1 },
    { onCall: (_, interrupt) => interrupt() },
  ],
  [
    'gives up a turn after fifty 429s and skips the later turns of its thread',
    [3],
    (call) => (call.number === 1 ? goodAnswer(call) : rejection(429)),
    { sent: 51, outcomes: 'answered t1.1; rate_limited t1.2; skipped t1.3' },
    FOREVER,
  ],
  [
    'pauses after a 429 although calls that were sent before it are answered',
    [1, 1, 1, 1, 1],
    { 3: rejection(429) },
    { at: [0, 0, 0, 760, 770, 770] },
    { concurrency: 3, ms: ({ number }) => (number < 3 ? 100 * number : 10) },
  ],
  [
    'waits for its first answer for a minute, whatever giveUpAfter says',
    [1],
    always(network(false)),
    { stop: { kind: 'gaveUp', over: 'failures', afterMs: 60_000, isFirst: true }, now: 62_000 },
  ],
  [
    'ends at once if the endpoint names a longer wait before the first answer',
    [1],
    always(rejection(429, waits(90))),
    { stop: { kind: 'gaveUp', isFirst: true, namedMs: 90_000 }, sent: 1, now: 10 },
  ],
  [
    'sends a call as a window of a minute turns, before it gives up',
    [1],
    { 1: rejection(429, waits(60)) },
    { at: [0, 61_000], now: 69_000 },
    { ms: ({ number }) => (number === 1 ? 1000 : 8000) },
  ],
  [
    'ends after three minutes of 429s with one code after which nothing was answered',
    [1, 1],
    from(2, refusedWith('quota_exceeded')),
    { stop: { ...QUOTA, last: '429 quota_exceeded refused' }, now: 180_010, outcomes: 'answered t1.1' },
  ],
  [
    'ends so although each 429 names a wait of a minute',
    [1, 1],
    from(2, refusedWith('quota_exceeded', waits(60))),
    { stop: QUOTA, sent: 4, now: 180_010 },
  ],
  [
    'waits longer for a code after which a turn was answered',
    [1, 1, 1],
    from(4, refusedWith('rate_limited'), each([2], refusedWith('rate_limited'))),
    { stop: { kind: 'gaveUp', code: 'rate_limited', afterMs: 600_000 } },
    forTen,
  ],
  [
    'takes the answer to another turn for no sign that a code passes',
    [1, 1, 1, 1],
    from(2, refusedWith('quota_exceeded')),
    { stop: QUOTA },
    { concurrency: 2, ms: ({ number }) => (number === 1 ? 5000 : 10) },
  ],
  [
    'waits longer for 429s with several codes, or with none',
    [1, 1],
    (call) =>
      call.number === 1
        ? goodAnswer(call)
        : call.number % 3 === 0
          ? refusedWith('busy')
          : call.number % 3 === 1
            ? rejection(429)
            : refusedWith('full'),
    { stop: { kind: 'gaveUp', over: 'refusals', afterMs: 600_000 } },
    forTen,
  ],
  [
    'waits for as long as a 429 names, whatever its code, and counts from then on',
    [1, 1],
    from(5, refusedWith('rate_limited'), {
      2: refusedWith('rate_limited', waits(2400)),
      3: refusedWith('rate_limited', waits(1)),
      4: refusedWith('rate_limited', waits(1)),
    }),
    { stop: { ...QUOTA, code: 'rate_limited' }, now: 2_400_020 + 180_000 },
    { giveUpAfterMs: 7_200_000 },
  ],
  [
    'prefers Retry-After to a reset',
    [1],
    { 1: rejection(429, { ...resets, ...waits(1) }) },
    { sent: 2 },
    forMinute,
  ],
  [
    'is done if its code passes after a wait of many minutes',
    [1, 1],
    { 2: refusedWith('rate_limited', waits(2400)), 3: refusedWith('rate_limited', waits(1)) },
    { sent: 4 },
    { giveUpAfterMs: 7_200_000 },
  ],
  [
    'names the last refusal with a budget that refusals have used up',
    [1],
    always(rejection(429)),
    { stop: { kind: 'budget', last: '429 status 429' }, sent: 2 },
    { maxCalls: 2 },
  ],
])('a run %s', async (_, lengths, odd, { stop = { kind: 'done' }, ...expected }, script = {}) => {
  const played = await play(lengths, odd, script)
  expect(played.stop).toMatchObject(stop)
  expect(played.clock.timers).toBe(0)
  const names = Object.keys(expected) as (keyof typeof expected)[]
  expect(Object.fromEntries(names.map((name) => [name, played[name]]))).toEqual(expected)
})

test('each conversation has its own opaque end user, unless the set names one', async () => {
  const { calls } = await play([2, 1], { 2: timeout })
  const sent = calls.map(({ request }) => [request.endUserRef, request.conversationId])
  expect(sent).toEqual([
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

test('redirects of the repeats of one question count once', async () => {
  const [first, second, third] = makeThreads(1, 1, 1)
  const repeats = [1, 2, 3].flatMap((repeat) => (second ? [openThread(1, second.turns, repeat)] : []))
  const threads = [first, ...repeats, third].filter((thread) => thread !== undefined)
  const isSecond = ({ request }: Call): boolean => request.message.endsWith('t2.1')
  const played = await playRun(threads, (call) => (isSecond(call) ? login : goodAnswer(call)))
  expect([played.stop.kind, played.calls.length]).toEqual(['done', 5])
})

test('wait and service time are separate; the intent is recorded before the call, the result before the outcome', async () => {
  const { of, records } = await play([1], { 1: rejection(429, waits(3)) }, { ms: () => 40 })
  const times = of('result').map(({ waitMs, serviceMs }) => [waitMs, serviceMs])
  expect(times).toEqual([
    [0, 40],
    [3000, 40],
  ])
  expect(records.map(({ kind }) => kind)).toEqual(['intent', 'result', 'intent', 'result', 'outcome'])
})

test.each([
  ['429s', rejection(429), { over: 'refusals' }],
  ['failures', network(false), { over: 'failures', last: 'E: no connection' }],
])('nothing but %s for giveUpAfter ends a run, even between calls', async (_, result, stop) => {
  // The run has an answer after 50 s.
  const answer: Answer = (call) => (call.number === 1 ? goodAnswer(call) : result)
  const ms: RunScript['ms'] = ({ number }) => (number === 1 ? 50_000 : 10)
  const { stop: seen, outcomes, clock } = await play([1, 1], answer, { ...forMinute, ms })
  expect(seen).toMatchObject({ kind: 'gaveUp', ...stop })
  expect(outcomes).toBe('answered t1.1')
  expect([clock.now() >= 110_000, clock.now() < 180_000]).toEqual([true, true])
})

test('a limiter that grants no call although one is due is named, and ends the run like any silence', async () => {
  const notes: string[] = []
  const note = (text: string) => notes.push(text)
  const silent: RunScript = {
    ...forMinute,
    note,
    limit: (limiter) => ({
      request: () => () => undefined,
      expect: (left) => limiter.expect(left),
      onChange: () => () => undefined,
      state: () => limiter.state(),
      close: () => undefined,
    }),
  }
  const { stop, sent, clock } = await play([1, 1], {}, silent)
  expect(stop).toMatchObject({
    kind: 'limiterLost',
    reason: expect.stringMatching(/^No call was granted for 1 min/),
  })
  expect([sent, clock.now() >= 60_000, clock.now() < 63_000, clock.timers]).toEqual([0, true, true, 0])
  expect(notes).toEqual([expect.stringMatching(/^No call was granted for 10 s/)])
  // Less than that may be this machine's own delay, however short the patience.
  const impatient = await play([1, 1], {}, { ...silent, giveUpAfterMs: 1000 })
  expect(impatient.stop).toMatchObject({ reason: expect.stringMatching(/^No call was granted for 10 s/) })
  // Nor is a pause, although a late answer comes in it.
  const late: RunScript = { concurrency: 2, ms: ({ number }) => (number === 1 ? 5000 : 10) }
  const paused = await play([1, 1, 1], { 2: rejection(429, waits(40)) }, { ...late, note })
  expect([paused.stop, paused.now, notes.length]).toEqual([{ kind: 'done' }, 40_030, 1])
})

test('a record that cannot be written ends the run, and nothing is sent', async () => {
  const onRecord = (): void => {
    throw new Error('no space left on device')
  }
  const { stop, calls } = await play([1, 1], {}, { onRecord })
  expect([stop, calls]).toEqual([{ kind: 'fault', message: 'no space left on device' }, []])
})
