// Protects `--until-decided` from end to end: a run that stopped early and is resumed ends with the exit code
// that it was given, whatever the endpoint does then, and whatever it did before.
import { expect, test } from 'vitest'
import { temporaryPaths } from '../support/temporary.ts'
import {
  copyDamagedRun,
  type Endpoint,
  journalLines,
  readRun,
  resumeRun,
  type RunOptions,
  startRun,
} from './harness.ts'
import { chance, choose, csvOf, faultyEndpoint, steadyEndpoint, threadsOf } from './worlds.ts'

const newRun = temporaryPaths()

/** Six to fifteen conversations of one to three turns; every third question has an expectation. */
const makeSet = (seed: number): string =>
  csvOf(threadsOf(seed, 6 + choose(10, seed, 1), 3).flat(), (at) => ({
    tags: `tag${at % 2}`,
    expect_contains: chance(seed, 3, at) < 0.3 ? 'item 0' : '',
    must_pass: chance(seed, 4, at) < 0.1 ? 'yes' : '',
  }))

const GATES: readonly (readonly string[])[] = [
  [],
  ['coverage>=80%'],
  ['coverage>=60%', 'errors<=30%', 'status.success>=50%', 'passed>=20%'],
  ['coverage[tag0]>=50%', 'errors<=50%', 'status.success>=50%', 'passed[tag1]>=50%'],
  ['errors.errors<=3', 'expectations.failed<=2'],
  ['errors<=40%', 'passed>=10%', 'status.success>=10%', 'turns.skipped<=6', 'coverage>=10%'],
  ['latency.p95<1s', 'errors<=10%'],
]

const gatesOf = (seed: number): readonly string[] => GATES[choose(GATES.length, seed, 7)] ?? []

/** Some runs send what failed again, others repeat every question. */
const optionsOf = (seed: number): RunOptions => ({
  untilDecided: true,
  ...(chance(seed, 11) < 0.4 ? { confirm: 1 + choose(2, seed, 12) } : { repeat: 1 + choose(3, seed, 5) }),
  concurrency: 1 + choose(3, seed, 6),
  ...(gatesOf(seed).length > 0 ? { threshold: gatesOf(seed) } : {}),
  passPolicy: (['all', 'majority', 'any'] as const)[choose(3, seed, 8)] ?? 'all',
})

const endpointOf = (seed: number, session: number): Endpoint =>
  chance(seed, session, 9) < 0.5 ? steadyEndpoint(seed + session) : faultyEndpoint(seed, session)

test('a run that was decided and is resumed ends with the exit code that was given', async () => {
  const seen = { decided: 0, done: 0, passed: 0, resumed: 0 }
  for (let seed = 1; seed <= 60; seed += 1) {
    const path = newRun()
    const { stop } = await startRun(path, makeSet(seed), endpointOf(seed, 1), optionsOf(seed))
    const { verdict: given } = await readRun(path)
    expect([stop, given.state]).toEqual(stop === 'done' ? ['done', 'complete'] : ['decided', 'decided'])
    if (stop === 'done') {
      seen.done += 1
      continue
    }
    seen.decided += 1
    if (given.exitCode === 0) seen.passed += 1
    expect([0, 1]).toContain(given.exitCode)
    expect(given.reason).toMatch(/decided after \d+ of \d+ calls/)
    for (const session of [2, 3, 4]) {
      const copy = newRun()
      copyDamagedRun(path, copy, journalLines(path).join(''))
      const resumed = await resumeRun(copy, endpointOf(seed, session), { concurrency: 2 })
      expect(resumed.stop).toBe('done')
      const { verdict } = await readRun(copy)
      expect({ seed, session, ...verdict }).toMatchObject({ state: 'complete', exitCode: given.exitCode })
      seen.resumed += 1
    }
  }
  expect(seen.decided).toBeGreaterThan(20)
  expect(seen.passed).toBeGreaterThan(3)
})
