// Protects readers of a damaged journal: a report on it is right, or says that the journal is damaged. It is never silently wrong.
//
// Reported: the run cannot be read at all, or a warning names the damage, or the verdict is not that of the undamaged run.
// Silently wrong: nothing is reported, and a turn has another outcome or answer than was recorded, or the endpoint's ledger
// lies outside the account. Reported or not, no turn shows an outcome or an answer that it never had.
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { temporaryPaths } from '../support/temporary.ts'
import {
  attemptsOf,
  copyDamagedRun,
  journalLines,
  copyKilledRun,
  readRun,
  resumeRun,
  startRun,
  type Attempt,
  type Reading,
  type Row,
} from './harness.ts'
import { faultyEndpoint, makeWorld, messageOf } from './worlds.ts'

const newRun = temporaryPaths()

/** A world with restarts, refusals, skipped turns and lost contexts. */
const SEED = 10

let path = ''
let lines: string[] = []
let whole = Buffer.alloc(0)
let clean: Reading
/** Numbers of the calls that counted toward the quota. */
const charged = new Set<number>()
/** By number of lines: the reading of the journal cut after that many. */
const cuts: (Reading | undefined)[] = []
/** Every answer and every outcome that each turn ever had. */
const answers = new Map<string, Set<string>>()
const outcomes = new Map<string, Set<string>>()

const nameOf = ({ id, repeat }: Row): string => `${id} ${repeat}`
const shownOf = ({ outcome, answer }: Row): string => `${outcome}: ${answer}`

beforeAll(async () => {
  // Two sessions: the first was killed before it ended.
  const world = makeWorld(SEED)
  const first = newRun()
  const { ledger } = await startRun(first, world.csv, faultyEndpoint(SEED, 1), world.options)
  const kept = journalLines(first).slice(0, -20)
  path = newRun()
  copyKilledRun(first, path, kept.join(''))
  const sent = attemptsOf(path).length
  const second = await resumeRun(path, faultyEndpoint(SEED, 2), { concurrency: 2 })
  expect(second.stop).toBe('done')
  for (const line of [...ledger.slice(0, sent), ...second.ledger])
    if (line.counted) charged.add(line.call.number)
  lines = journalLines(path).filter((line) => line !== '')
  whole = Buffer.from(lines.join(''))
  clean = await readRun(path)
  for (const row of clean.rows) {
    const attempts = attemptsOf(path).filter(
      ({ message, repeat }) => message === messageOf(row['id'] ?? '') && String(repeat) === row['repeat'],
    )
    answers.set(nameOf(row), new Set(attempts.flatMap(({ answer }) => answer ?? [])))
  }
  for (let length = 0; length <= lines.length; length += 1)
    cuts.push(await readDamaged(lines.slice(0, length).join('')))
  for (const cut of cuts)
    for (const row of cut?.rows ?? [])
      outcomes.set(nameOf(row), (outcomes.get(nameOf(row)) ?? new Set()).add(row['outcome'] ?? ''))
})

/** Undefined if it cannot be read: that counts as reported. */
async function readDamaged(journal: Uint8Array | string): Promise<Reading | undefined> {
  const damaged = newRun()
  copyDamagedRun(path, damaged, journal)
  try {
    return await readRun(damaged)
  } catch {
    return undefined
  }
}

function expectNothingInvented({ rows }: Reading): void {
  for (const row of rows) {
    if (row['answer'] !== '') expect(answers.get(nameOf(row))).toContain(row['answer'])
    if (row['outcome'] !== '') expect(outcomes.get(nameOf(row))).toContain(row['outcome'])
  }
}

const expectNotSilentlyWrong = async (journal: Uint8Array | string): Promise<void> =>
  expectReported(await readDamaged(journal))

function expectReported(reading: Reading | undefined): void {
  if (reading === undefined) return
  expectNothingInvented(reading)
  for (const row of reading.rows) if (row['outcome'] === 'answered') expect(row['answer']).not.toBe('')
  const isReported =
    reading.warnings.some((line) => !clean.warnings.includes(line)) ||
    reading.figures.verdict !== clean.figures.verdict
  if (isReported) return
  expect(reading.rows.map((row) => [nameOf(row), shownOf(row)])).toEqual(
    clean.rows.map((row) => [nameOf(row), shownOf(row)]),
  )
  expect(reading.account.min).toBeLessThanOrEqual(charged.size)
  expect(reading.account.max).toBeGreaterThanOrEqual(charged.size)
}

const without = (place: number): string => lines.filter((_, at) => at !== place).join('')

describe('a damaged journal is never silently wrong', () => {
  test('the undamaged journal reads as it was recorded', async () => {
    // Some turns failed, and every turn has an outcome.
    expect(clean.figures.verdict).toBe('failed')
    expect(new Set(clean.rows.map(({ outcome }) => outcome)).size).toBeGreaterThan(2)
    expect([...answers.values()].some(({ size }) => size > 1)).toBe(true)
    expect(lines.length).toBeGreaterThan(50)
    await expectNotSilentlyWrong(whole)
  })

  test('if it is cut after any line', () => {
    for (const cut of cuts.slice(0, -1)) expectReported(cut)
  })

  test('if it is cut at any byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length }), async (end) =>
        expectNotSilentlyWrong(whole.subarray(0, end)),
      ),
      { numRuns: 100 },
    )
  })

  test('if bytes are flipped', async () => {
    const flip = fc.record({ at: fc.nat({ max: whole.length - 1 }), bits: fc.integer({ min: 1, max: 255 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(flip, { minLength: 1, maxLength: 3 }), async (flips) => {
        const bytes = Buffer.from(whole)
        for (const { at, bits } of flips) bytes[at] = (bytes[at] ?? 0) ^ bits
        await expectNotSilentlyWrong(bytes)
      }),
      { numRuns: 200 },
    )
  })

  test('if a byte of a line is flipped: the account still covers every call, calls in flight included', async () => {
    const ends = lines.flatMap((line, at) => (/"kind":"(intent|result)"/.test(line) ? [at + 1] : []))
    const flips = fc.record({
      end: fc.constantFrom(...ends),
      back: fc.nat({ max: 2 }),
      at: fc.nat(),
      bits: fc.integer({ min: 1, max: 255 }),
    })
    await fc.assert(
      fc.asyncProperty(flips, async ({ end, back, at, bits }) => {
        const left = lines.slice(0, end)
        const undamaged = newRun()
        copyKilledRun(path, undamaged, left.join(''))
        const attempts = attemptsOf(undamaged)
        const isDoubtful = ({ result }: Attempt): boolean => result === 'ambiguous' || result === 'nothing'
        const doubtful = attempts.filter(isDoubtful).length
        const certain = attempts.filter((one) => !isDoubtful(one) && charged.has(one.number)).length
        const place = end - 1 - Math.min(back, end - 1)
        const line = Buffer.from(left[place] ?? '')
        const byte = at % (line.length - 1)
        line[byte] = (line[byte] ?? 0) ^ bits
        const parts = left.map((one, number) => (number === place ? line : Buffer.from(one)))
        const reading = await readDamaged(Buffer.concat(parts))
        if (reading === undefined) return
        expect(reading.account.min).toBeLessThanOrEqual(certain)
        expect(reading.account.max).toBeGreaterThanOrEqual(certain + doubtful)
      }),
      { numRuns: 100 },
    )
  })

  test('if any one line is missing', async () => {
    for (const place of lines.keys()) await expectNotSilentlyWrong(without(place))
  })

  test('if garbage is inserted', async () => {
    const garbage = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 40 }),
      fc.constantFrom('\n', '{}\n', 'null\n', '{"kind":"end","at":1,"stop":{"kind":"done"}}\n', ' torn\n'),
    )
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length }), garbage, async (at, bytes) => {
        const parts = [whole.subarray(0, at), Buffer.from(bytes), whole.subarray(at)]
        await expectNotSilentlyWrong(Buffer.concat(parts))
      }),
      { numRuns: 150 },
    )
  })
})
