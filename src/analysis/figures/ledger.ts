// Compares a ledger (the endpoint's own count) with a run's usage: entries matched by id, else the total.
import { replyOf } from '../../domain/attempt.ts'
import type { JournalEvent } from '../../domain/journal.ts'
import type { LedgerEntry, LedgerResult, UsageRange } from '../../domain/quota.ts'
import { createQuestions } from './fold.ts'

/** The harness builds end user references from the ids of the run and of its merged shards. */
export function createLedgerKeyCollector(runIds: readonly string[]) {
  const questions = createQuestions()
  const conversationIds = new Set<string>()
  const endUserRefs = new Set<string>()
  let [from, until] = [Infinity, -Infinity]

  const addCall = (at: number, conversationId: string | null): void => {
    from = Math.min(from, at)
    until = Math.max(until, at)
    if (conversationId !== null) conversationIds.add(conversationId)
  }
  return {
    add: (event: JournalEvent): void => {
      questions.add(event)
      if (event.kind === 'result') addCall(event.at, replyOf(event.result)?.conversationId ?? null)
      if (event.kind !== 'intent') return
      addCall(event.at, event.conversationId)
      const question = questions.all[event.question]
      if (question?.endUserRef !== undefined) endUserRefs.add(question.endUserRef)
      else if (question !== undefined)
        for (const runId of runIds)
          for (const first of questions.threadOf(event.question))
            endUserRefs.add(`${runId}-${first + 1}-${event.repeat}-${event.conversation}`)
    },
    /** Times are milliseconds since the epoch, infinite if nothing was sent. */
    finish: () => ({ from, until, conversationIds, endUserRefs }),
  }
}

/** Clocks differ, and a ledger may round to seconds. */
const CLOCK_TOLERANCE_MS = 5_000

export function compareWithLedger(
  entries: readonly LedgerEntry[],
  run: ReturnType<ReturnType<typeof createLedgerKeyCollector>['finish']>,
  { min, max }: UsageRange,
): LedgerResult {
  const isInTime = ({ at }: LedgerEntry): boolean =>
    at === undefined || (at >= run.from - CLOCK_TOLERANCE_MS && at <= run.until + CLOCK_TOLERANCE_MS)
  const belongsToRun = (entry: LedgerEntry): boolean =>
    (entry.conversationId !== undefined && run.conversationIds.has(entry.conversationId)) ||
    (entry.endUserRef !== undefined && run.endUserRefs.has(entry.endUserRef) && isInTime(entry))
  const sum = (some: readonly LedgerEntry[]): number => some.reduce((all, { count }) => all + count, 0)
  const ofRun = entries.filter(belongsToRun)
  const inTime = entries.filter(isInTime)
  const isMatched = ofRun.length > 0
  const matched = isMatched ? ofRun : inTime
  const counted = sum(matched)
  return {
    matchedBy: isMatched ? 'id' : 'total',
    counted,
    others: isMatched ? sum(inTime.filter((entry) => !belongsToRun(entry))) : 0,
    duplicates: matched.length - new Set(matched.map(({ row }) => row)).size,
    min,
    max,
    verdict: counted < min ? 'below' : counted > max ? 'above' : 'within',
    by: Math.max(0, min - counted, counted - max),
  }
}
