// "One turn, exactly", with no network, disk or waiting.
import { describe, expect, test } from 'vitest'
import { createFold } from '../../src/analysis/fold.ts'
import type { AttemptResult } from '../../src/domain/attempt.ts'
import type { JournalRecord } from '../../src/domain/journal.ts'
import { createLimiter } from '../../src/pace/limiter.ts'
import { runThreads } from '../../src/runner/run.ts'
import type { ThreadState } from '../../src/runner/thread-state.ts'
import { goodAnswer, rejection } from '../support/load.ts'
import { playRun, RUN_OPTIONS, type PlayedRun, type RunCall, type RunScript } from '../support/play-run.ts'
import { makeThreads } from '../support/questions.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

type Answer = (call: RunCall) => AttemptResult

interface Played extends PlayedRun {
  /** Question id to outcome that stands, with `*` for a lost context. */
  readonly outcomes: Record<string, string | undefined>
  readonly usage: { certain: number; possible: number; notCounted: number }
}

/** Nothing is read again. */
const PLACE = { journal: 0, offset: 0, length: 0 }

async function play(threads: ThreadState[], answer: Answer, script?: RunScript): Promise<Played> {
  const played = await playRun(threads, answer, script)
  const fold = createFold()
  for (const { turns } of threads)
    for (const { index, question } of turns) {
      const record: JournalRecord = { kind: 'question', index, question }
      fold.add(record, PLACE)
    }
  for (const record of played.records) fold.add(record, PLACE)
  const { slots, questions } = fold.finish()
  const outcomes = Object.fromEntries(
    Array.from(slots, (slot) => [
      questions.at(slot.index)?.id ?? '',
      slot.outcome === undefined ? undefined : `${slot.outcome}${slot.contextLost ? '*' : ''}`,
    ]),
  )
  const sum = (name: 'certain' | 'possible' | 'notCounted'): number =>
    [...slots].reduce((total, slot) => total + slot[name], 0)
  const usage = { certain: sum('certain'), possible: sum('possible'), notCounted: sum('notCounted') }
  return { ...played, outcomes, usage }
}

const timeout: AttemptResult = { kind: 'timeout', message: 'no answer' }
const network = (sent: boolean): AttemptResult => ({
  kind: 'network',
  sent,
  code: 'E',
  message: 'no connection',
})

/** The n-th call gets its own answer; the others a good one. */
const except =
  (odd: Record<number, AttemptResult>): Answer =>
  (call) =>
    odd[call.number] ?? goodAnswer(call)

/** Which questions, in the order in which they were sent. */
const askedIn = (calls: readonly RunCall[]): string =>
  calls.map(({ request }) => request.message.replace('message of ', '')).join(' ')

describe('a thread', () => {
  test('has an opaque end user of its own, and keeps one that the set names', async () => {
    const threads = makeThreads(1, 2)
    const named = makeThreads(1)
    Object.assign(named[0]?.turns[0].question ?? {}, { endUserRef: 'emp-7' })
    const refs = (await play(threads, goodAnswer)).calls.map(({ request }) => request.endUserRef)
    expect(new Set(refs)).toEqual(new Set(['run-1-1-1', 'run-2-1-1']))
    expect((await play(named, goodAnswer)).calls[0]?.request.endUserRef).toBe('emp-7')
  })

  test.each([
    ['400', rejection(400), 'refused'],
    ['302', rejection(302), 'refused'],
    ['malformed', { kind: 'malformed', httpStatus: 200, reason: 'r', excerpt: '' } as const, 'malformed'],
  ])('skips its later turns after a %s, without sending again', async (_, result, outcome) => {
    const { outcomes, calls } = await play(makeThreads(4), except({ 2: result }))
    expect(outcomes).toEqual({ 't1.1': 'answered', 't1.2': outcome, 't1.3': 'skipped', 't1.4': 'skipped' })
    expect(calls).toHaveLength(2)
  })
})

describe('an ambiguous failure', () => {
  test.each([
    ['5xx', rejection(503), 'server_error'],
    ['timeout', timeout, 'timeout'],
    ['reset after sending', network(true), 'network_error'],
  ])('(%s) sends the whole thread again in a fresh conversation, once', async (_, result, outcome) => {
    const once = await play(makeThreads(2), except({ 2: result }))
    expect(once.outcomes).toEqual({ 't1.1': 'answered', 't1.2': 'answered' })
    expect(askedIn(once.calls)).toBe('t1.1 t1.2 t1.1 t1.2')
    expect(once.calls[2]?.request.conversationId).toBeUndefined()
    expect(once.calls[2]?.request.endUserRef).toBe('run-1-1-2')
    expect(once.usage).toEqual({ certain: 3, possible: 1, notCounted: 0 })

    const twice = await play(makeThreads(2), except({ 2: result, 4: result }))
    expect(twice.outcomes).toEqual({ 't1.1': 'answered', 't1.2': outcome })
    expect(twice.usage).toEqual({ certain: 2, possible: 2, notCounted: 0 })
  })

  test('three in a row, of any threads, pause everybody', async () => {
    const { calls, clock } = await play(
      makeThreads(1, 1, 1, 1),
      except({ 1: timeout, 2: timeout, 3: timeout }),
      {
        concurrency: 1,
      },
    )
    const gaps = calls.slice(1).map(({ at }, place) => at - (calls[place]?.at ?? 0))
    expect(gaps.slice(0, 3)).toEqual([10, 10, 760])
    expect(clock.timers).toBe(0)
  })

  test('a cut-off 2xx is ambiguous to us, but certain to the account', async () => {
    const cut: AttemptResult = { kind: 'network', sent: true, httpStatus: 200, code: 'E', message: 'cut' }
    const { outcomes, usage } = await play(makeThreads(1), except({ 1: cut }))
    expect(outcomes).toEqual({ 't1.1': 'answered' })
    expect(usage).toEqual({ certain: 2, possible: 0, notCounted: 0 })
  })
})

describe('what never reached the assistant', () => {
  test('429 is sent again after the wait that was named, by everybody', async () => {
    const { calls, outcomes, usage } = await play(
      makeThreads(1, 1),
      except({ 1: rejection(429, { 'retry-after': '5' }) }),
    )
    expect(calls.map(({ at }) => at)).toEqual([0, 5010, 5020])
    expect(calls[1]?.request.message).toBe('message of t1.1')
    expect(outcomes).toEqual({ 't1.1': 'answered', 't1.2': undefined, 't2.1': 'answered' })
    expect(usage).toEqual({ certain: 2, possible: 0, notCounted: 1 })
  })

  test('what was refused goes before everything else', async () => {
    const { calls } = await play(makeThreads(3, 1), except({ 2: rejection(429) }), { concurrency: 2 })
    expect(askedIn(calls)).toBe('t1.1 t2.1 t1.2 t2.1 t1.3')
  })

  test('a refused connection is sent again', async () => {
    const { outcomes, usage } = await play(makeThreads(1), except({ 1: network(false), 2: network(false) }))
    expect(outcomes).toEqual({ 't1.1': 'answered' })
    expect(usage).toEqual({ certain: 1, possible: 0, notCounted: 2 })
  })

  test('a turn refused fifty times is given up as rate limited', async () => {
    const { outcomes, calls } = await play(makeThreads(2), () => rejection(429), { giveUpAfterMs: 2 ** 40 })
    expect(outcomes).toEqual({ 't1.1': 'rate_limited', 't1.2': 'skipped' })
    expect(calls).toHaveLength(50)
  })
})

describe('a run', () => {
  test('takes the threads with the most turns left first', async () => {
    const { calls } = await play(makeThreads(1, 3, 2), goodAnswer)
    expect(askedIn(calls)).toBe('t2.1 t2.2 t3.1 t1.1 t2.3 t3.2')
  })

  test.each([401, 403])(
    'stops at once at %i, leaves that turn without an outcome, records what is under way',
    async (status) => {
      const { stop, outcomes, calls } = await play(
        makeThreads(1, 1, 1, 1, 1),
        except({ 2: rejection(status) }),
        {
          concurrency: 2,
        },
      )
      expect(stop).toMatchObject({ kind: 'keyRefused', httpStatus: status })
      expect(calls).toHaveLength(3)
      expect(outcomes).toEqual({
        't1.1': 'answered',
        't2.1': undefined,
        't3.1': 'answered',
        't4.1': undefined,
        't5.1': undefined,
      })
    },
  )

  test('never sends more than its budget, retries and earlier sessions included', async () => {
    const { stop, calls } = await play(makeThreads(1, 1, 1, 1), except({ 1: rejection(429) }), {
      maxCalls: 13,
      attemptsBefore: 10,
      concurrency: 4,
    })
    expect(calls).toHaveLength(3)
    expect(stop).toEqual({ kind: 'budget', maxCalls: 13 })
  })

  test('whose budget is just enough is done', async () => {
    expect((await play(makeThreads(2, 1), goodAnswer, { maxCalls: 3 })).stop).toEqual({ kind: 'done' })
  })

  test('gives up after refusals alone for so long, waits that were named included', async () => {
    const named = await play(makeThreads(1), () => rejection(429, { 'retry-after': '20' }), {
      giveUpAfterMs: 60_000,
    })
    expect(named.stop).toMatchObject({ kind: 'gaveUp', over: 'refusals', namedMs: 20_000 })
    expect(named.clock.now()).toBeLessThan(60_000)
    const unnamed = await play(makeThreads(1), () => rejection(429), { giveUpAfterMs: 60_000 })
    expect(unnamed.stop).toMatchObject({ kind: 'gaveUp', over: 'refusals' })
    expect(unnamed.outcomes).toEqual({ 't1.1': undefined })
    expect(unnamed.clock.now()).toBeLessThan(130_000)
  })

  test.each([
    [429, { 'retry-after': '7200' }],
    [503, { 'retry-after': '7200' }],
    [429, { 'ratelimit-limit': '9', 'ratelimit-remaining': '0', 'ratelimit-reset': '7200' }],
  ])('gives up at once where a %i names a wait that is too long: %j', async (status, headers) => {
    const { stop, outcomes, calls } = await play(makeThreads(1, 1), () => rejection(status, headers), {
      giveUpAfterMs: 60_000,
    })
    expect(stop).toMatchObject({ kind: 'gaveUp', afterMs: 60_000, namedMs: 7_200_000 })
    expect(calls).toHaveLength(1)
    expect(Object.values(outcomes)).toEqual([undefined, undefined])
  })

  test('goes by Retry-After where a longer reset stands beside it', async () => {
    const headers = {
      'retry-after': '1',
      'ratelimit-limit': '9',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '7200',
    }
    const { stop } = await play(makeThreads(1), except({ 1: rejection(429, headers) }), {
      giveUpAfterMs: 60_000,
    })
    expect(stop).toEqual({ kind: 'done' })
  })

  test('gives up after failures alone for so long; an answer in between starts the count anew', async () => {
    const dead = await play(makeThreads(1), () => network(false), { giveUpAfterMs: 60_000 })
    expect(dead.stop).toMatchObject({ kind: 'gaveUp', over: 'failures', last: 'E' })
    const flickering = await play(
      makeThreads(...Array.from({ length: 40 }, () => 1)),
      (call) => (call.number % 2 === 0 ? goodAnswer(call) : network(false)),
      { giveUpAfterMs: 3000 },
    )
    expect(flickering.stop).toEqual({ kind: 'done' })
  })

  test('that is interrupted during its last call is done', async () => {
    const { stop } = await play(makeThreads(1), goodAnswer, { onCall: (_, interrupt) => interrupt() })
    expect(stop).toEqual({ kind: 'done' })
  })

  test('writes the intent before it sends, the result before the outcome', async () => {
    const { records } = await play(makeThreads(1), except({ 1: rejection(429) }))
    expect(records.map(({ kind }) => kind)).toEqual(['intent', 'result', 'intent', 'result', 'outcome'])
  })

  test('that cannot record stops with a fault and sends nothing more', async () => {
    const clock = new VirtualClock()
    const limiter = createLimiter({ rate: { kind: 'unlimited' }, concurrency: 1 }, clock, () => 0.5)
    let sent = 0
    const stop = await clock.runUntil(
      runThreads(
        makeThreads(1, 1),
        {
          send: () => {
            sent += 1
          },
          record: () => {
            throw new Error('no space left on device')
          },

          limiter,
          clock,
        },
        RUN_OPTIONS,
        { stop: new AbortController().signal, abandon: new AbortController().signal },
      ),
    )
    expect(stop).toEqual({ kind: 'fault', message: 'no space left on device' })
    expect(sent).toBe(0)
  })

  test('separates waiting from service', async () => {
    const { records } = await play(makeThreads(1), except({ 1: rejection(429, { 'retry-after': '3' }) }), {
      ms: 40,
    })
    const results = records.flatMap((record) => (record.kind === 'result' ? [record] : []))
    expect(results.map(({ waitMs, serviceMs }) => [waitMs, serviceMs])).toEqual([
      [0, 40],
      [3000, 40],
    ])
  })
})
