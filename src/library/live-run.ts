// How far a run is that any process writes: counted from its journal as it grows.
import { existsSync } from 'node:fs'
import { createRunCounts } from '../analysis/progress.ts'
import { createTurnJoiner, type JournalRecord, type RecordOf } from '../domain/journal.ts'
import type { LiveRun } from '../domain/listed-run.ts'
import type { Question } from '../domain/question.ts'
import { followJournal } from '../journal/follow.ts'
import type { RunManifest } from '../options/manifest.ts'
import { openThreads } from '../runner/thread-state.ts'
import type { RunFolder } from '../store/folder.ts'

const MAX_GAPS = 20

/** Each call reads what the journal has gained. Null until it holds the questions. */
export function followRun(
  { journal }: RunFolder,
  { options: { groundedSources } }: Pick<RunManifest, 'options'>,
): () => Promise<LiveRun | null> {
  const follow = followJournal(journal)
  const join = createTurnJoiner()
  const questions: Question[] = []
  const gaps: { readonly id: string; readonly message: string }[] = []
  let counts: ReturnType<typeof createRunCounts> | undefined
  let pace: RecordOf<'pace'> | undefined
  const add = (record: JournalRecord): void => {
    if (record.kind === 'question') questions[record.index] = record.question
    if (record.kind === 'set') counts = createRunCounts(threadsOf(record, questions), groundedSources)
    if (record.kind === 'pace') pace = record
    const event = join(record)
    counts?.add(event)
    if (event.kind !== 'turnEnded' || event.result?.result.kind !== 'reply' || event.contextLost) return
    const question = questions[event.question]
    if (question === undefined || groundedSources.includes(event.result.result.reply.contextSource)) return
    gaps.unshift({ id: question.id, message: question.message })
    gaps.length = Math.min(gaps.length, MAX_GAPS)
  }
  return async () => {
    if (existsSync(journal)) await follow(add)
    if (counts === undefined) return null
    const { total, done, answered, grounded, errors, attempts, rateLimited } = counts.progress()
    return {
      total,
      done,
      answered,
      grounded,
      errors,
      calls: attempts,
      rateLimited,
      pace: pace?.pace ?? null,
      pausedUntil: pace?.pausedUntil ?? null,
      cause: pace?.cause ?? '',
      gaps: [...gaps],
    }
  }
}

function threadsOf({ ranges, repeats }: RecordOf<'set'>, questions: readonly Question[]) {
  const turns = ranges.flatMap(([from, to]) =>
    questions.slice(from, to + 1).map((question, offset) => ({ index: from + offset, question })),
  )
  return openThreads(turns, repeats)
}
