// Protects merged load tests: the journals of all shards, read side by side, give the report that one process
// would have given. On virtual ports, where the endpoint answers each conversation alike, whoever sends it.
import { mkdirSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLoadFold } from '../../src/analysis/load/fold.ts'
import type { JournalRecord } from '../../src/domain/journal.ts'
import type { LoadSettings, LoadReport } from '../../src/domain/load.ts'
import type { Stop } from '../../src/domain/stop.ts'
import { nthJournal } from '../../src/journal/read.ts'
import { encodeRecord } from '../../src/journal/line.ts'
import { foldJournals } from '../../src/library/recorded-run.ts'
import type { LoadManifest } from '../../src/options/manifest.ts'
import { runFolder } from '../../src/store/folder.ts'
import { loadManifest, makeLoad } from '../support/load-journal.ts'
import { goodAnswer, playLoad, rejection, timeout, WALL_START, type Call } from '../support/play.ts'
import { makeThreads } from '../support/questions.ts'
import { temporaryPaths } from '../support/temporary.ts'

const newFolder = temporaryPaths()

interface Case {
  readonly load: LoadSettings
  readonly lengths: readonly number[]
  readonly seed: number
}

/** A number from 0 that depends on the conversation and the turn alone. */
function drawOf({ request }: Call, seed: number): number {
  let hash = seed
  for (const sign of `${request.endUserRef} ${request.message}`)
    hash = (hash * 31 + sign.charCodeAt(0)) % 99_991
  return hash
}

const answerOf = (call: Call, seed: number) => {
  const kind = drawOf(call, seed) % 10
  if (kind === 0) return rejection(429)
  if (kind === 1) return rejection(503)
  return kind === 2 ? timeout : { ...goodAnswer(call), httpStatus: 200 }
}

/** What a process records that sends one shard. */
async function recordsOf({ load, lengths, seed }: Case, index: number, of: number): Promise<JournalRecord[]> {
  const threads = makeThreads(...lengths)
  const { records, stop } = await playLoad(threads, {
    load,
    rules: { shard: { index, of } },
    // No two events of different conversations at one moment, whose order would be open.
    ms: (call) => 1.37 + (drawOf(call, seed) % 7919) / 3.1,
    answer: (call) => answerOf(call, seed),
  })
  return withHead(threads, records, stop)
}

function withHead(
  threads: ReturnType<typeof makeThreads>,
  records: readonly JournalRecord[],
  stop: Stop,
): JournalRecord[] {
  const questions = threads.flatMap(({ turns }) =>
    turns.map((turn) => ({ kind: 'question' as const, ...turn })),
  )
  const at = WALL_START
  return [
    { kind: 'session', at, session: 1, harnessVersion: '0.3.0' },
    ...questions,
    { kind: 'set', at, digests: [], ranges: [[0, questions.length - 1]], repeats: 1 },
    { kind: 'pace', at, pace: null, cause: 'start' },
    ...records,
    { kind: 'end', at: records.findLast((one) => 'at' in one)?.at ?? at, stop },
  ]
}

async function reportOf(manifest: LoadManifest, journals: readonly JournalRecord[][]): Promise<LoadReport> {
  const folder = runFolder(newFolder())
  mkdirSync(folder.path)
  for (const [index, records] of journals.entries())
    writeFileSync(
      nthJournal(folder.journal, index + 1),
      records.map((record) => `${encodeRecord(record, undefined)}\n`).join(''),
    )
  const fold = createLoadFold(manifest)
  return fold.finish(await foldJournals(folder, fold, 'side-by-side'))
}

const startsAt = (...starts: readonly number[]): Pick<LoadManifest, 'merged'> => ({
  merged: {
    parts: starts.map((ms, index) => ({
      runId: `part${index}`,
      startedAt: new Date(WALL_START + ms).toISOString(),
    })),
  },
})

/** Without what says that there were several processes. */
const figuresOf = ({ run: _run, ...report }: LoadReport) => report

const rate = fc.integer({ min: 0, max: 40 })
const cases = fc.record({
  load: fc.record({
    stages: fc.array(fc.record({ durationMs: fc.integer({ min: 200, max: 3000 }), from: rate, to: rate }), {
      minLength: 1,
      maxLength: 3,
    }),
    thinkTime: fc.constantFrom(
      { kind: 'constant', ms: 21.3 } as const,
      { kind: 'uniform', fromMs: 0, toMs: 300 } as const,
    ),
  }),
  lengths: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 }),
  seed: fc.nat(10_000),
  of: fc.integer({ min: 2, max: 5 }),
})

test('the journals of all shards give every figure of the whole', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ load: { stages, thinkTime }, lengths, seed, of }) => {
      const load = makeLoad({ model: { kind: 'open', stages }, thinkTime, maxInFlight: 1000, seed })
      const one = { load, lengths, seed }
      const whole = await reportOf(loadManifest(load), [await recordsOf(one, 1, 1)])
      const shards = await Promise.all(
        Array.from({ length: of }, async (_, before) => recordsOf(one, before + 1, of)),
      )
      const starts = startsAt(...shards.map((_, before) => before))
      const merged = await reportOf(loadManifest(load, starts), shards)
      expect(figuresOf(merged)).toEqual(figuresOf(whole))
    }),
    { numRuns: 60 },
  )
})

const steady: Case = {
  load: makeLoad({ model: { kind: 'open', stages: [{ durationMs: 10_000, from: 10, to: 10 }] } }),
  lengths: [1],
  seed: 4,
}

test('shards that started apart are placed where they were, and the report says so', async () => {
  const [one, two] = [await recordsOf(steady, 1, 2), await recordsOf(steady, 2, 2)]
  const late = two.map((record) => ({
    ...record,
    ...('at' in record ? { at: record.at + 5000 } : {}),
    ...('dueAt' in record && record.dueAt !== undefined ? { dueAt: record.dueAt + 5000 } : {}),
  })) as JournalRecord[]
  const merged = await reportOf(loadManifest(steady.load, startsAt(0, 5000)), [one, late])
  // 5/s from 0 to 10 s, and 5/s from 5 to 15 s.
  expect(merged.overTime?.bins.slice(0, 15).map(({ started }) => started)).toEqual(
    Array.from({ length: 15 }, (_, second) => (second >= 5 && second < 10 ? 10 : 5)),
  )
  expect(merged.offered).toEqual({ threads: 100, rate: 100 / 15 })
  expect(merged.warnings.map(({ text }) => text)).toContain(
    'The shards started up to 5 s apart. Until the last one started, less than the whole load was offered; ' +
      'rates count from the first start. Give all shards one --start-at.',
  )
})

test('a shard that stopped early makes the whole incomplete, and its journal still counts', async () => {
  const [one, two] = [await recordsOf(steady, 1, 2), await recordsOf(steady, 2, 2)]
  const cut = two.findIndex((record) => 'at' in record && record.at >= WALL_START + 4000)
  const stop = { kind: 'interrupted', signal: 'SIGTERM' } as const
  const end = { kind: 'end', at: WALL_START + 4000, stop } as const
  const together = loadManifest(steady.load, startsAt(0, 0))
  const stopped = await reportOf(together, [one, [...two.slice(0, cut), end]])
  expect(stopped).toMatchObject({ verdict: 'incomplete', exitCode: 143, state: 'interrupted' })
  expect(stopped.reason).toMatch(/^shard 2 of 2: /)
  expect(stopped.offered).toEqual({ threads: 70, rate: 7 })
  const killed = await reportOf(together, [one, two.slice(0, cut)])
  expect(killed).toMatchObject({ verdict: 'incomplete', exitCode: 4, offered: { threads: 70 } })
  const both = await reportOf(together, [
    [
      ...one.slice(
        0,
        one.findIndex((record) => 'at' in record && record.at >= WALL_START + 4000),
      ),
      end,
    ],
    [...two.slice(0, cut), end],
  ])
  // Both offered until the next arrival would have been due.
  expect(both.offered).toEqual({ threads: 40, rate: 40 / 4.1 })
})

test('an outcome belongs to the result before it in its own journal', async () => {
  const one = await recordsOf(steady, 1, 1)
  const two = one.map((record) =>
    'attempt' in record && record.attempt !== undefined ? { ...record, attempt: record.attempt + 1 } : record,
  )
  // Two results, then their outcomes, in turn.
  const shift = (records: readonly JournalRecord[], result: number, outcome: number): JournalRecord[] =>
    records.map((record) => {
      if (record.kind === 'result') return { ...record, at: record.at + result }
      return record.kind === 'outcome' ? { ...record, at: record.at + outcome } : record
    })
  const alone = await reportOf(loadManifest(steady.load), [one])
  const both = await reportOf(loadManifest(steady.load, startsAt(0, 0)), [
    shift(one, 0, 0.002),
    shift(two, 0.001, 0.003),
  ])
  expect(alone.serviceMs.count).toBeGreaterThan(50)
  expect(both.serviceMs.count).toBe(2 * alone.serviceMs.count)
  expect(both.responseMs.count).toBe(2 * alone.responseMs.count)
})
