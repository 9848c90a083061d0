// Compares a ledger (the endpoint's own count) with a run's usage: entries matched by id, else the total.
import { replyOf } from '../domain/attempt.ts'
import type { IntentRecord, JournalEvent } from '../domain/journal.ts'
import type { LedgerEntry, LedgerResult, UsageRange } from '../domain/quota.ts'
import { createQuestions } from './questions.ts'

/** `runIds`: ids of the run and of its merged shards. The harness builds end user references from them. */
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
  const addEndUser = ({ question: index, repeat, conversation }: IntentRecord): void => {
    const question = questions.all[index]
    if (question?.endUserRef !== undefined) endUserRefs.add(question.endUserRef)
    else if (question !== undefined)
      for (const runId of runIds)
        for (const first of questions.threadOf(index))
          endUserRefs.add(`${runId}-${first + 1}-${repeat}-${conversation}`)
  }
  return {
    add: (event: JournalEvent): void => {
      questions.add(event)
      if (event.kind === 'intent') {
        addCall(event.at, event.conversationId)
        addEndUser(event)
      } else if (event.kind === 'result') addCall(event.at, replyOf(event.result)?.conversationId ?? null)
    },
    /**
     * `from`: first call sent; `until`: last call ended. Milliseconds since the epoch, infinite if nothing
     * was sent.
     */
    finish: () => ({ from, until, conversationIds, endUserRefs }),
  }
}

/** Clocks differ, and a ledger may round to seconds. */
const CLOCK_TOLERANCE_MS = 5_000

/** `min` and `max` are the run's usage as the journals show it. */
export function compareWithLedger(
  entries: readonly LedgerEntry[],
  {
    from,
    until,
    conversationIds,
    endUserRefs,
  }: ReturnType<ReturnType<typeof createLedgerKeyCollector>['finish']>,
  { min, max }: UsageRange,
): LedgerResult {
  const isInTime = ({ at }: LedgerEntry): boolean =>
    at === undefined || (at >= from - CLOCK_TOLERANCE_MS && at <= until + CLOCK_TOLERANCE_MS)
  const belongsToRun = (entry: LedgerEntry): boolean =>
    (entry.conversationId !== undefined && conversationIds.has(entry.conversationId)) ||
    (entry.endUserRef !== undefined && endUserRefs.has(entry.endUserRef) && isInTime(entry))
  const sum = (some: readonly LedgerEntry[]): number => some.reduce((all, { count }) => all + count, 0)
  const own = entries.filter(belongsToRun)
  const inTime = entries.filter(isInTime)
  const isMatched = own.length > 0
  const matched = isMatched ? own : inTime
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
