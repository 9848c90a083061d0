// What was said of a load test and what it means; contradictions are refused with the mend.
import { describe, expect, test } from 'vitest'
import type { Quota } from '../../src/domain/quota.ts'
import { describeLoad, mergeLoad, planLoad } from '../../src/library/load-plan.ts'
import { readOptions, toCamelCase, type RunSettings } from '../../src/library/options.ts'
import { makeThreads } from '../support/questions.ts'

const readCommandLine = (typed: Readonly<Record<string, unknown>>): RunSettings =>
  readOptions(
    'load',
    Object.fromEntries(Object.entries(typed).map(([name, value]) => [toCamelCase(name), value])),
  )

const flat = (durationMs: number, rate: number) => ({ durationMs, from: rate, to: rate })

describe('what is offered', () => {
  test.each([
    [{ 'arrival-rate': '2/s', duration: '30s' }, [flat(30_000, 2)]],
    [{ 'arrival-rate': '90/min', duration: '1m' }, [flat(60_000, 1.5)]],
    [
      { 'arrival-rate': '2/s', stages: ['30s:5/s,1m:5/s'] },
      [{ durationMs: 30_000, from: 2, to: 5 }, flat(60_000, 5)],
    ],
    [
      { stages: ['10s:10/s', '10s:0/s'] },
      [
        { durationMs: 10_000, from: 0, to: 10 },
        { durationMs: 10_000, from: 10, to: 0 },
      ],
    ],
  ])('%j', (words, stages) => {
    expect(planLoad(readCommandLine(words)).model).toEqual({ kind: 'open', stages })
  })

  test('users in a loop have as many calls in flight as they are', () => {
    const { model, maxInFlight } = planLoad(readCommandLine({ users: '7', duration: '1m' }))
    expect([model, maxInFlight]).toEqual([{ kind: 'closed', users: 7, durationMs: 60_000 }, 7])
  })

  test.each([
    ['0', { kind: 'constant', ms: 0 }],
    ['2s', { kind: 'constant', ms: 2000 }],
    ['constant:500ms', { kind: 'constant', ms: 500 }],
    ['uniform:0s:1m', { kind: 'uniform', fromMs: 0, toMs: 60_000 }],
    ['lognormal:3s:10s', { kind: 'lognormal', medianMs: 3000, p95Ms: 10_000 }],
  ])('--think-time %s', (word, thinkTime) => {
    const words = { 'arrival-rate': '1/s', duration: '1s', 'think-time': word }
    expect(planLoad(readCommandLine(words)).thinkTime).toEqual(thinkTime)
  })

  test('what is typed gives the config file another model, or another shape of it', () => {
    const file = readCommandLine({ 'arrival-rate': '1/s', stages: ['1m:5/s'] })
    const closed = planLoad(mergeLoad(readCommandLine({ users: '3', duration: '1m' }), file))
    expect(closed.model.kind).toBe('closed')
    const short = planLoad(mergeLoad(readCommandLine({ duration: '10s' }), file))
    expect(short.model).toEqual({ kind: 'open', stages: [flat(10_000, 1)] })
    const open = mergeLoad(readCommandLine({ 'arrival-rate': '2/s' }), { users: 4, duration: 1000 })
    expect(planLoad(open).model).toMatchObject({ kind: 'open', stages: [flat(1000, 2)] })
  })
})

describe('refused, with the mend', () => {
  const time = { duration: '10s' }
  test.each([
    [{}, 'the load is missing: add --arrival-rate 2/s --duration 1m'],
    [{ 'arrival-rate': '2/s' }, 'arrivalRate needs --duration 1m'],
    [{ 'arrival-rate': '2/s', stages: ['1s:1/s'], ...time }, 'stages cannot be used with --duration'],
    [{ 'arrival-rate': '0/s', ...time }, 'arrivalRate is 0, so no conversation starts'],
    [{ stages: ['10s:0/s'] }, 'arrivalRate is 0, so no conversation starts'],
    [{ users: '2' }, 'users needs --duration'],
    [{ users: '2', 'arrival-rate': '1/s', ...time }, 'users cannot be used with --arrival-rate'],
    [{ users: '2', 'max-in-flight': '2', ...time }, 'users cannot be used with --max-in-flight'],
    [{ users: '0', ...time }, 'users must be a whole number from 1'],
    [{ 'arrival-rate': '20001/s', ...time }, 'arrivalRate is above 20000/s'],
    [{ stages: ['1s:1000000/s'] }, 'is above 20000/s'],
    [{ 'arrival-rate': '5', ...time }, 'arrivalRate must be a rate like 2/s'],
    [{ stages: ['5/s:10s'] }, 'stages must be a time and a rate, like 30s:5/s,1m:5/s'],
    [{ stages: ['10s'] }, 'stages must be a time and a rate, like 30s:5/s,1m:5/s'],
    [{ 'arrival-rate': '1/s', ...time, 'think-time': 'uniform:5s:1s' }, 'thinkTime must be'],
    [{ 'arrival-rate': '1/s', ...time, 'think-time': 'lognormal:5s:5s' }, 'thinkTime must be'],
    [{ 'arrival-rate': '1/s', ...time, 'think-time': 'normal:5s' }, 'thinkTime must be'],
    [{ 'arrival-rate': '1/s', ...time, 'max-in-flight': '20000' }, 'maxInFlight must be a whole number'],
  ])('%j', (words, message) => {
    expect(() => planLoad(readCommandLine(words))).toThrow(message)
  })
})

describe('what is said before the first call', () => {
  const quota = { calls: 1000, period: 'month' } as const
  const flatRate = { 'arrival-rate': '1/s', duration: '5s' }
  const ramp = { stages: ['10s:2/s'], 'max-in-flight': '9' }
  const loop = { users: '1', duration: '1m' }

  // Of threads of one and of three turns, five arrivals: three of the first, two of the second.
  test.each<[Record<string, unknown>, number | null, Quota | null, string]>([
    [
      flatRate,
      null,
      null,
      'Starting 5 conversations in 5.0 s, at most 60/min and 512 calls in flight. Calls if all are answered: 9.',
    ],
    [
      flatRate,
      null,
      quota,
      'Starting 5 conversations in 5.0 s, at most 60/min and 512 calls in flight. Calls if all are answered: 9, 0.9 % of the quota.',
    ],
    [
      ramp,
      12,
      null,
      'Starting 10 conversations in 10.0 s, at most 2/s and 9 calls in flight. Calls if all are answered: 20. The budget of 12 calls (--max-calls) ends the test early.',
    ],
    [
      loop,
      50,
      quota,
      'Starting 1 users for 1 min 0 s; the number of calls depends on the answers, at most 50 (--max-calls), 5.0 % of the quota.',
    ],
  ])('%j', (words, maxCalls, allowance, said) => {
    const plan = planLoad(readCommandLine(words))
    expect(describeLoad(plan, makeThreads(1, 3), maxCalls, allowance).join(' ')).toBe(said)
  })
})
