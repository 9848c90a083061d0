// Protects "One turn, exactly" in the runner, without network, disk or waiting: the order and times of calls and the ends of a run
// that scenarios/faults.yaml and ends.yaml do not show. run.yaml is its table.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { AttemptResult } from '../../src/domain/attempt.ts'
import { groupBy } from '../../src/domain/counts.ts'
import type { RunnerOptions } from '../../src/runner/run.ts'
import { openThread } from '../../src/runner/thread.ts'
import { type Answer, type Call, goodAnswer, playRun, type RunScript } from '../support/play.ts'
import { makeThreads, network, rejection, timeout } from '../support/recorded.ts'

async function play(lengths: readonly number[], answer: Answer, script?: RunScript) {
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
    asked: played.calls.map(({ request }) => request.message.replace('message of ', '')).join(' '),
    at: played.calls.map(({ at }) => at),
    sent: played.calls.length,
    now: played.clock.now(),
  }
}

const login = rejection(302, { location: 'https://me:pass@sso.example.com/login;id=7?state=secret#top' })
const NAMED: Readonly<Record<string, AttemptResult>> = {
  login,
  lost: network(false),
  unreadable: { ...network(true), code: 'UND_ERR_HEADERS_OVERFLOW' } as AttemptResult,
}
const RESET = { 'ratelimit-limit': '9', 'ratelimit-remaining': '0', 'ratelimit-reset': '7200' }

function resultOf(word: string): AttemptResult {
  const named = NAMED[word]
  if (named !== undefined) return named
  const [, status, code, seconds, reset] = /^(\d+)(?:=(\w+))?(?::(\d+))?(:reset)?$/.exec(word) ?? []
  if (status === undefined) throw new Error(`no answer ${word}`)
  const headers = { ...(reset && RESET), ...(seconds && { 'retry-after': seconds }) }
  const refused = rejection(Number(status), headers) as Extract<AttemptResult, { kind: 'rejection' }>
  return code === undefined ? refused : { ...refused, error: { code, message: 'refused' } }
}

/** Gives the word for a call from 1 on: of `a b (c d)` the words in brackets again and again. */
function wordsOf(text: string): (number: number) => string | undefined {
  const [first = '', again = ''] = text.split(/[()]/)
  const [once, repeated] = [first, again].map((words) => words.split(' ').filter(Boolean)) as [
    string[],
    string[],
  ]
  return (number) => once[number - 1] ?? repeated[(number - 1 - once.length) % repeated.length]
}

const answersOf = (calls: string): Answer => {
  const wordOf = wordsOf(calls)
  return (call) => {
    const word = wordOf(call.number) ?? 'ok'
    return word === 'ok' ? goodAnswer(call) : resultOf(word)
  }
}

interface Row {
  readonly threads: string
  readonly calls?: string
  readonly ms?: string
  /** At this call Ctrl-C is pressed. */
  readonly interruptAt?: number
  readonly options?: Partial<RunnerOptions> & { readonly concurrency?: number }
  readonly stop?: object
  readonly expect?: Partial<Omit<Awaited<ReturnType<typeof play>>, keyof RunScript>>
}

const rows = parse(readFileSync(new URL('run.yaml', import.meta.url), 'utf8')) as Record<string, Row>[]

test.each(rows.flatMap((row) => Object.entries(row)))('a run %s', async (_, row) => {
  const {
    threads,
    calls = '',
    ms = '(10)',
    interruptAt,
    options,
    stop = { kind: 'done' },
    expect: wanted = {},
  } = row
  const msOf = wordsOf(ms)
  const played = await play(threads.split(' ').map(Number), answersOf(calls), {
    ...options,
    ms: ({ number }) => Number(msOf(number)),
    onCall: ({ number }, interrupt) => number === interruptAt && interrupt(),
  })
  expect(played.stop).toMatchObject(stop)
  expect(played.clock.timers).toBe(0)
  const names = Object.keys(wanted) as (keyof typeof played)[]
  expect(Object.fromEntries(names.map((name) => [name, played[name]]))).toEqual(wanted)
})

test('each conversation has its own opaque end user, unless the set names one', async () => {
  const { calls } = await play([2, 1], (call) => (call.number === 2 ? timeout : goodAnswer(call)))
  const sent = calls.map(({ request }) => [request.endUserRef, request.conversationId])
  expect(sent).toEqual([
    ['run-1-1-1', undefined],
    ['run-1-1-1', 'c1'],
    ['run-3-1-1', undefined],
    ['run-1-1-2', undefined],
    ['run-1-1-2', 'c4'],
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
  const { of, records } = await play([1], answersOf('429:3'), { ms: () => 40 })
  const times = of('result').map(({ waitMs, serviceMs }) => [waitMs, serviceMs])
  expect(times).toEqual([
    [0, 40],
    [3000, 40],
  ])
  expect(records.map(({ kind }) => kind)).toEqual(['intent', 'result', 'intent', 'result', 'outcome'])
})

test('a limiter that grants no call although one is due is named, and ends the run like any silence', async () => {
  const notes: string[] = []
  const note = (text: string) => notes.push(text)
  const silent: RunScript = {
    giveUpAfterMs: 60_000,
    note,
    limit: (limiter) => ({
      request: () => () => undefined,
      expect: (left) => limiter.expect(left),
      onChange: () => () => undefined,
      state: () => limiter.state(),
      close: () => undefined,
    }),
  }
  const { stop, sent, clock } = await play([1, 1], goodAnswer, silent)
  expect(stop).toMatchObject({
    kind: 'limiterLost',
    reason: expect.stringMatching(/^No call was granted for 1 min/),
  })
  expect([sent, clock.now() >= 60_000, clock.now() < 63_000, clock.timers]).toEqual([0, true, true, 0])
  expect(notes).toEqual([expect.stringMatching(/^No call was granted for 10 s/)])
  // Less than that may be this machine's own delay, however short the patience.
  const impatient = await play([1, 1], goodAnswer, { ...silent, giveUpAfterMs: 1000 })
  expect(impatient.stop).toMatchObject({ reason: expect.stringMatching(/^No call was granted for 10 s/) })
  // Nor is a pause, although a late answer comes in it.
  const late: RunScript = { concurrency: 2, ms: ({ number }) => (number === 1 ? 5000 : 10) }
  const paused = await play([1, 1, 1], answersOf('ok 429:40'), { ...late, note })
  expect([paused.stop, paused.now, notes.length]).toEqual([{ kind: 'done' }, 40_030, 1])
})

test('a record that cannot be written ends the run, and nothing is sent', async () => {
  const onRecord = (): void => {
    throw new Error('no space left on device')
  }
  const { stop, calls } = await play([1, 1], goodAnswer, { onRecord })
  expect([stop, calls]).toEqual([{ kind: 'fault', message: 'no space left on device' }, []])
})
