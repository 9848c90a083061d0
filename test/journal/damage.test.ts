// A damaged journal: cut anywhere in its last records, or with bytes flipped anywhere. No outcome is invented.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFold, type Model } from '../../src/analysis/fold.ts'
import type { JournalRecord } from '../../src/domain/journal.ts'
import type { Outcome } from '../../src/domain/outcome.ts'
import { encodeRecord } from '../../src/journal/line.ts'
import { readJournal, type Place } from '../../src/journal/read.ts'
import { makeThreads } from '../support/questions.ts'
import { makeReply } from '../support/turns.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
let files = 0

/** A run of three threads with a restart, a failure, a refusal and a dangling intent. */
function recordRun(): JournalRecord[] {
  const records: JournalRecord[] = [{ kind: 'sitting', at: 1, sitting: 1, harnessVersion: '0.1.0' }]
  for (const { turns } of makeThreads(2, 3, 1))
    for (const { index, question } of turns) records.push({ kind: 'question', index, question })
  records.push({ kind: 'set', at: 1, digests: ['sha256:0'], ranges: [[0, 5]], repeats: 1 })
  let attempt = 0
  const ask = (question: number, conversation: number, outcome: Outcome | undefined): void => {
    attempt += 1
    const place = { question, repeat: 1, conversation }
    records.push({ kind: 'intent', at: 2, attempt, ...place, conversationId: null })
    if (outcome === undefined) return
    const result =
      outcome === 'answered'
        ? makeReply('KNOWLEDGE_BASE', `answer ${attempt}`)
        : ({ kind: 'rejection', httpStatus: 500, error: { message: 'no' } } as const)
    records.push({ kind: 'result', at: 3, attempt, waitMs: 0, serviceMs: 5, result })
    records.push({ kind: 'outcome', at: 3, ...place, outcome, attempt, contextLost: false })
  }
  ask(0, 1, 'answered')
  ask(2, 1, 'answered')
  ask(1, 1, 'answered')
  records.push({ kind: 'restart', at: 4, question: 2, repeat: 1, conversation: 2, cause: 'timeout' })
  ask(2, 2, 'answered')
  ask(3, 2, 'server_error')
  records.push({
    kind: 'outcome',
    at: 5,
    question: 4,
    repeat: 1,
    conversation: 2,
    outcome: 'skipped',
    contextLost: false,
  })
  ask(5, 1, undefined)
  return records
}

const records = recordRun()
const lines = records.map((record) => Buffer.from(`${encodeRecord(record, undefined)}\n`))
const whole = Buffer.concat(lines)

async function indexOf(bytes: Buffer): Promise<Model<Place>> {
  const path = join(folder, `${(files += 1)}.ndjson`)
  writeFileSync(path, bytes)
  const fold = createFold<Place>()
  for await (const entry of readJournal(path))
    if (entry.kind === 'record') fold.add(entry.record, entry.place)
    else if (entry.kind === 'garbled' && entry.mayBeIntent) fold.addLostIntent()
  return fold.finish()
}

async function unreadIntents(bytes: Buffer): Promise<number> {
  const path = join(folder, `${(files += 1)}.ndjson`)
  writeFileSync(path, bytes)
  let count = 0
  for await (const entry of readJournal(path)) if (entry.kind === 'garbled' && entry.mayBeIntent) count += 1
  return count
}

const outcomesOf = ({ slots }: Model<unknown>): Map<number, Outcome | undefined> =>
  new Map(Array.from(slots, ({ index, outcome }) => [index, outcome]))

/** Every outcome that each turn had at any time. */
const everHad = new Map<number, Set<Outcome>>()
for (const record of records)
  if (record.kind === 'outcome')
    everHad.set(record.question, new Set([...(everHad.get(record.question) ?? []), record.outcome]))

describe('a damaged journal', () => {
  test('cut at any byte of its last three records holds just what stood before the cut', async () => {
    const tail = lines.slice(-3).reduce((sum, { length }) => sum + length, 0)
    for (let cut = whole.length - tail; cut <= whole.length; cut += 1) {
      let [end, kept] = [0, 0]
      for (const { length } of lines) {
        if (end + length > cut) break
        end += length
        kept += 1
      }
      const fold = createFold<number>()
      for (const [place, record] of records.slice(0, kept).entries()) fold.add(record, place)
      const read = await indexOf(whole.subarray(0, cut))
      expect(outcomesOf(read)).toEqual(outcomesOf(fold.finish()))
      expect(read.attempts).toBe(fold.finish().attempts)
    }
  })

  test('with flipped bytes is read to its end, and gives no turn an outcome that it never had', async () => {
    const flips = fc.array(
      fc.record({ at: fc.nat({ max: whole.length - 1 }), bits: fc.integer({ min: 1, max: 255 }) }),
      { minLength: 1, maxLength: 6 },
    )
    await fc.assert(
      fc.asyncProperty(flips, async (changes) => {
        const bytes = Buffer.from(whole)
        for (const { at, bits } of changes) bytes[at] = (bytes[at] ?? 0) ^ bits
        const index = await indexOf(bytes)
        for (const [question, outcome] of outcomesOf(index))
          if (outcome !== undefined) expect(everHad.get(question)).toContain(outcome)
        // No attempt is counted that was not made, and none goes missing while a later one is there.
        const { certain, possible, notCounted } = index.usage
        const counted = certain + possible + notCounted
        expect(counted).toBe(index.attempts)
        // But for lines that nobody can tell from intents any more.
        const unread = await unreadIntents(bytes)
        expect(counted).toBeLessThanOrEqual(6 + unread)
        if (unread === 0) expect(counted).toBeLessThanOrEqual(6)
        expect(index.slots.length).toBeLessThanOrEqual(6)
      }),
      { numRuns: 300 },
    )
  })

  test('that lost a restart does not let the answers before it stand', async () => {
    const lost = lines.filter((_, place) => records[place]?.kind !== 'restart')
    const upTo = records.findIndex(({ kind }) => kind === 'restart') + 1
    const index = await indexOf(Buffer.concat(lost.slice(0, upTo)))
    expect(outcomesOf(index).get(2)).toBeUndefined()
  })
})
