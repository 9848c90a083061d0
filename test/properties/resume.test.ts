// Protects resume: a run that is killed after any record of its journal and resumed ends as if it had never
// been stopped. Every turn has one row, nothing is sent twice without cause, the budget holds, and every call
// is accounted for.
import { describe, expect, test } from 'vitest'
import { temporaryPaths } from '../support/temporary.ts'
import {
  attemptsOf,
  journalLines,
  copyKilledRun,
  readRun,
  resumeRun,
  resentWithoutCause,
  startRun,
  continuedAfterAmbiguous,
  type LedgerLine,
  type Session,
} from './harness.ts'
import { chance, choose, faultyEndpoint, makeWorld, messageOf, type World, worlds } from './worlds.ts'

const newRun = temporaryPaths()

interface Left {
  readonly path: string
  readonly ledger: readonly LedgerLine[]
}

/**
 * The process dies when `kept` lines of the journal are written, and perhaps half of the next. Calls whose
 * intents are not among these lines were never sent. A call in flight may or may not have been sent.
 */
function kill({ path, ledger }: Left, kept: number, isTorn: boolean, seed: number): Left {
  const lines = journalLines(path)
  const next = lines[kept] ?? ''
  const torn = isTorn ? next.slice(0, Math.ceil(next.length / 2)) : ''
  const to = newRun()
  copyKilledRun(path, to, lines.slice(0, kept).join('') + torn)
  const sent = new Map(attemptsOf(to).map((attempt) => [attempt.number, attempt]))
  return {
    path: to,
    ledger: ledger.flatMap((line) => {
      const attempt = sent.get(line.call.number)
      if (attempt === undefined) return []
      const wasSent = attempt.result !== 'nothing' || chance(seed, kept, line.call.number) < 0.5
      return [wasSent ? line : { ...line, counted: false }]
    }),
  }
}

async function resume({ path, ledger }: Left, seed: number, sessionNumber: number, maxCalls?: number) {
  const session: Session = await resumeRun(path, faultyEndpoint(seed, sessionNumber), {
    concurrency: 1 + choose(3, seed, sessionNumber),
    maxCalls,
  })
  return { path, ledger: [...ledger, ...session.ledger], stop: session.stop }
}

/** What must hold for a run whenever it is left. */
async function expectConsistent({ path, ledger }: Left, { ids, options }: World, maxCalls?: number) {
  const { rows, account, warnings } = await readRun(path)
  const attempts = attemptsOf(path)
  // One row for each turn, in the order of the set.
  const wanted = ids.flatMap((id) => Array.from({ length: options.repeat }, (_, at) => `${id} ${at + 1}`))
  expect(rows.map(({ id, repeat }) => `${id} ${repeat}`)).toEqual(wanted)
  // The reported answer is the last that was recorded, and the endpoint gave it.
  const given = new Set(
    ledger.flatMap(({ result }) => (result.kind === 'reply' ? [result.reply.message] : [])),
  )
  for (const { id = '', repeat, outcome, answer } of rows) {
    if (outcome !== 'answered') continue
    const own = attempts.filter((one) => one.message === messageOf(id) && String(one.repeat) === repeat)
    expect(answer).toBe(own.at(-1)?.answer)
    expect(given).toContain(answer)
  }
  expect(resentWithoutCause(attempts)).toEqual([])
  expect(continuedAfterAmbiguous(attempts)).toEqual([])
  // Attempts and calls correspond one to one.
  expect(attempts.map(({ number, message }) => [number, message])).toEqual(
    ledger.map(({ call }) => [call.number, call.message]),
  )
  expect(account.attempts).toBe(ledger.length)
  const counted = ledger.filter((line) => line.counted).length
  expect(account.min).toBeLessThanOrEqual(counted)
  expect(account.max).toBeGreaterThanOrEqual(counted)
  if (maxCalls !== undefined) expect(ledger.length).toBeLessThanOrEqual(maxCalls)
  // A torn line is not reported as damage.
  expect(warnings.filter((line) => /cannot be read|without a record|damage/.test(line))).toEqual([])
  return rows
}

async function expectDone(left: Left & { readonly stop: string }, world: World, maxCalls?: number) {
  const rows = await expectConsistent(left, world, maxCalls)
  expect(left.stop).toBe('done')
  expect(rows.filter(({ outcome }) => outcome === '')).toEqual([])
}

const SEEDS = [3, 2, 4, 6].slice(0, worlds(4))

describe('a run that is killed after any record of its journal', () => {
  test.each(SEEDS)('ends after a resume as if it had not been stopped (seed %i)', async (seed) => {
    const world = makeWorld(seed)
    const { maxCalls } = world.options
    const path = newRun()
    const first = await startRun(path, world.csv, faultyEndpoint(seed, 1), world.options)
    const whole = { path, ledger: first.ledger }
    await expectConsistent(whole, world, maxCalls)
    const length = journalLines(path).length - 1
    for (let kept = 0; kept <= length; kept += 1) {
      // Every other line is torn: even ones with one seed, odd ones with the next.
      const isTorn = (kept + SEEDS.indexOf(seed)) % 2 === 0
      let left = kill(whole, kept, isTorn, seed)
      let sessionNumber = 2
      // Some are killed a second time.
      if (choose(4, seed, kept) === 0) {
        const before = journalLines(left.path).length
        const again = await resume(left, seed, sessionNumber++)
        const written = journalLines(again.path).length - 1 - before
        left = kill(again, before + choose(Math.max(1, written), seed, kept, 7), isTorn, seed)
      }
      const ended = await resume(left, seed, sessionNumber++)
      if (ended.stop !== 'budget') await expectDone(ended, world, maxCalls)
      else {
        await expectConsistent(ended, world, maxCalls)
        expect(ended.ledger).toHaveLength(maxCalls ?? 0)
        // A larger budget sends what is left.
        await expectDone(await resume(ended, seed, sessionNumber++, 1000), world, 1000)
      }
    }
  })
})
