// A run that is stopped after any record of its journal, resumed and resumed again, ends as if it had never been stopped:
// every turn once, nothing sent twice without cause, the budget kept, every call accounted for.
import { describe, expect, test } from 'vitest'
import { temporaryPaths } from '../support/temporary.ts'
import {
  attemptsOf,
  journalLines,
  leaveRun,
  readRun,
  resumeRun,
  sentAgainWithoutCause,
  startRun,
  wentOnInDoubt,
  type LedgerLine,
  type Session,
} from './harness.ts'
import { chance, choose, faultyEndpoint, makeWorld, messageOf, type World } from './worlds.ts'

const newRun = temporaryPaths()

/** A run as it is left, and what the endpoint knows of it. */
interface Left {
  readonly path: string
  readonly ledger: readonly LedgerLine[]
}

/**
 * The process dies once `kept` lines of the journal are written, and perhaps half of the next. Calls whose intents are not
 * among them never left; of a call that was under way nobody knows whether it had.
 */
function kill({ path, ledger }: Left, kept: number, isTorn: boolean, seed: number): Left {
  const lines = journalLines(path)
  const next = lines[kept] ?? ''
  const torn = isTorn ? next.slice(0, Math.ceil(next.length / 2)) : ''
  const to = newRun()
  leaveRun(path, to, lines.slice(0, kept).join('') + torn)
  const sent = new Map(attemptsOf(to).map((attempt) => [attempt.number, attempt]))
  return {
    path: to,
    ledger: ledger.flatMap((line) => {
      const attempt = sent.get(line.call.number)
      if (attempt === undefined) return []
      const hasLeft = attempt.came !== 'nothing' || chance(seed, kept, line.call.number) < 0.5
      return [hasLeft ? line : { ...line, counted: false }]
    }),
  }
}

async function resume({ path, ledger }: Left, seed: number, sitting: number, maxCalls?: number) {
  const session: Session = await resumeRun(path, faultyEndpoint(seed, sitting), {
    concurrency: 1 + choose(3, seed, sitting),
    ...(maxCalls === undefined ? {} : { maxCalls }),
  })
  return { path, ledger: [...ledger, ...session.ledger], stop: session.stop }
}

/** What must hold of a run whenever it is left. */
async function expectKept({ path, ledger }: Left, { ids, options }: World, maxCalls?: number) {
  const { rows, account, warnings } = await readRun(path)
  const attempts = attemptsOf(path)
  // Each turn once, in the order of the set.
  const wanted = ids.flatMap((id) => Array.from({ length: options.repeats }, (_, at) => `${id} ${at + 1}`))
  expect(rows.map(({ id, repeat }) => `${id} ${repeat}`)).toEqual(wanted)
  // The answer that stands is the last that was recorded, and the endpoint gave it.
  const given = new Set(
    ledger.flatMap(({ result }) => (result.kind === 'reply' ? [result.reply.message] : [])),
  )
  for (const { id = '', repeat, outcome, answer } of rows) {
    if (outcome !== 'answered') continue
    const own = attempts.filter((one) => one.message === messageOf(id) && String(one.repeat) === repeat)
    expect(answer).toBe(own.at(-1)?.answer)
    expect(given).toContain(answer)
  }
  expect(sentAgainWithoutCause(attempts)).toEqual([])
  expect(wentOnInDoubt(attempts)).toEqual([])
  // One attempt for each call, one call for each attempt.
  expect(attempts.map(({ number, message }) => [number, message])).toEqual(
    ledger.map(({ call }) => [call.number, call.message]),
  )
  expect(account.attempts).toBe(ledger.length)
  const counted = ledger.filter((line) => line.counted).length
  expect(account.min).toBeLessThanOrEqual(counted)
  expect(account.max).toBeGreaterThanOrEqual(counted)
  if (maxCalls !== undefined) expect(ledger.length).toBeLessThanOrEqual(maxCalls)
  // A torn line is no damage.
  expect(warnings.filter((line) => /cannot be read|without a record|damage/.test(line))).toEqual([])
  return rows
}

async function expectDone(left: Left & { readonly stop: string }, world: World, maxCalls?: number) {
  const rows = await expectKept(left, world, maxCalls)
  expect(left.stop).toBe('done')
  expect(rows.filter(({ outcome }) => outcome === '')).toEqual([])
}

const SEEDS = [2, 3, 4, 6]

describe('a run that is stopped after any record of its journal', () => {
  test.each(SEEDS)('and resumed, ends as it should (seed %i)', async (seed) => {
    const world = makeWorld(seed)
    const { maxCalls } = world.options
    const path = newRun()
    const first = await startRun(path, world.csv, faultyEndpoint(seed, 1), world.options)
    const whole = { path, ledger: first.ledger }
    await expectKept(whole, world, maxCalls)
    const length = journalLines(path).length - 1
    for (let kept = 0; kept <= length; kept += 1) {
      // Every other line is torn, those that are not in one seed in the next.
      const isTorn = (kept + SEEDS.indexOf(seed)) % 2 === 0
      let left = kill(whole, kept, isTorn, seed)
      let sitting = 2
      // Some die again.
      if (choose(4, seed, kept) === 0) {
        const before = journalLines(left.path).length
        const again = await resume(left, seed, sitting++)
        const written = journalLines(again.path).length - 1 - before
        left = kill(again, before + choose(Math.max(1, written), seed, kept, 7), isTorn, seed)
      }
      const ended = await resume(left, seed, sitting++)
      if (ended.stop !== 'budget') await expectDone(ended, world, maxCalls)
      else {
        await expectKept(ended, world, maxCalls)
        expect(ended.ledger).toHaveLength(maxCalls ?? 0)
        // More calls are granted, and what was left to ask is asked.
        await expectDone(await resume(ended, seed, sitting++, 1000), world, 1000)
      }
    }
  })
})
