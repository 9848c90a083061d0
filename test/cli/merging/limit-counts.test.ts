// What the limiters of several parts learned, in the journal of the whole: the evidence of all, counted once.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLearnedLimit } from '../../../src/analysis/limit/learned-limit.ts'
import { createLimitCounts } from '../../../src/cli/merging/limit-counts.ts'
import { createSittings } from '../../../src/cli/merging/sittings.ts'
import type { JournalRecord } from '../../../src/domain/journal.ts'

const AT = Date.UTC(2026, 10, 21)

/** Journals of parts: for each sitting, by how much its limiter's counts grew from one word to the next. */
const parts = fc.array(fc.array(fc.array(fc.nat(5), { maxLength: 4 }), { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 4,
})

function journalOf(sittings: readonly (readonly number[])[]): JournalRecord[] {
  return sittings.flatMap((grown, place): JournalRecord[] => {
    let refusals = 0
    return [
      { kind: 'sitting', at: AT, sitting: place + 1, harnessVersion: '0.1.0' },
      ...grown.map((more): JournalRecord => {
        refusals += more
        const figures = { perSecond: 1, windowMs: null, burst: null, atOnce: null }
        const limit = { kind: 'rate', ...figures, episodes: 2 * refusals, refusals } as const
        return { kind: 'pace', at: AT, pace: 1, cause: '', limit }
      }),
    ]
  })
}

const learnedOf = (records: readonly JournalRecord[]) => {
  const learned = createLearnedLimit()
  for (const record of records) learned.add(record)
  return learned.finish()
}

test('the whole has met what its parts have, in whatever order their records come', () => {
  fc.assert(
    fc.property(parts, fc.infiniteStream(fc.nat()), (all, choices) => {
      const limits = createLimitCounts()
      const sittings = createSittings()
      const journals = all.map(journalOf)
      const streams = journals.map((journal) => ({
        left: [...journal],
        recount: limits.ofPart(),
        toSitting: sittings.ofPart(),
      }))
      const joined: JournalRecord[] = [sittings.first(AT, '0.1.0')]
      for (const choice of choices) {
        const open = streams.filter(({ left }) => left.length > 0)
        const stream = open[choice % Math.max(1, open.length)]
        const record = stream?.left.shift()
        if (stream === undefined || record === undefined) break
        const kept = stream.toSitting(stream.recount(record))
        if (kept?.kind === 'sitting') limits.beginSitting()
        if (kept !== undefined) joined.push(kept)
      }
      const each = journals.map((journal) => learnedOf(journal)?.refusals ?? 0)
      const refusals = each.reduce((sum, one) => sum + one, 0)
      const whole = learnedOf(joined)
      expect([whole?.refusals ?? 0, whole?.episodes ?? 0]).toEqual([refusals, 2 * refusals])
    }),
  )
})
