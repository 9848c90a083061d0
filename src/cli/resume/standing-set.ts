// Which questions a resumed run asks: those of its journal.
import type { RunIndex } from '../../analysis/run-index.ts'
import type { JournalRecord } from '../../domain/journal.ts'
import type { Manifest } from '../../domain/manifest.ts'
import type { PlannedTurn } from '../../runner/thread-state.ts'
import { datasetsOf } from '../plan.ts'
import { setRecord } from '../set-record.ts'
import { UsageError } from '../../library/usage-error.ts'
import type { Resuming } from './resume.ts'
import type { RecordedRun } from './runs.ts'
import { findFiles, readSetAgain } from './set-now.ts'

export interface StandingSet {
  readonly turns: readonly PlannedTurn[]
  readonly repeats: number
  /** What the journal must hold of it and does not yet. */
  readonly records: readonly JournalRecord[]
  readonly manifest: Partial<Manifest>
  /** What the user should know. */
  readonly notes: readonly string[]
}

export async function standingSet(
  run: RecordedRun,
  index: RunIndex<unknown>,
  resuming: Resuming,
): Promise<StandingSet> {
  const turns = recordedSet(index, run.manifest)
  if (turns === undefined) return fromFiles(run, index, resuming)
  return { turns, repeats: index.set?.repeats ?? 1, records: [], manifest: {}, notes: [] }
}

/** The questions that stand, where the journal holds all of them. */
function recordedSet(
  { questions, set, attempts }: RunIndex<unknown>,
  manifest: Manifest,
): readonly PlannedTurn[] | undefined {
  const turns = (set?.ranges ?? [[0, questions.length - 1]]).flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, place) => from + place).flatMap((index): PlannedTurn[] => {
      const question = questions[index]
      return question === undefined ? [] : [{ index, question }]
    }),
  )
  // Journals of version 0.1.0 hold no word on which questions stand.
  const expected = manifest.datasets.reduce((sum, { turns: count }) => sum + count, 0)
  const isWhole = set !== undefined || (attempts > 0 && turns.length === expected)
  return isWhole ? turns : undefined
}

/** The journal lost questions, or the process died before it had written them: the files hold them still. */
async function fromFiles(
  run: RecordedRun,
  index: RunIndex<unknown>,
  { datasets: named, environment }: Resuming,
): Promise<StandingSet> {
  const { folder, manifest: recorded } = run
  const files = await findFiles(run, named)
  if (files === undefined)
    throw new UsageError(
      `the journal of ${folder.path} does not hold all of its questions, and the set is not as it was: put it back, or start a new run; nothing was sent`,
    )
  const { set, turns, shard } = await readSetAgain(recorded, files, environment)
  const differs = turns.some(({ index: place, question }) => {
    const known = index.questions.at(place)
    return known !== undefined && known.id !== question.id
  })
  if (differs)
    throw new UsageError(
      `the journal of ${folder.path} does not hold all of its questions and cannot be mended; start a new run`,
    )
  const datasets = datasetsOf(set, turns, folder.path)
  const { repeat: repeats } = recorded.options
  return {
    turns,
    repeats,
    records: [
      ...turns.map(({ index: number, question }) => ({ kind: 'question' as const, index: number, question })),
      setRecord(
        turns,
        datasets.map(({ digest }) => digest),
        repeats,
      ),
    ],
    manifest: { datasets, columns: [...set.columns], ...(shard === undefined ? {} : { shard }) },
    notes:
      index.attempts === 0 ? [] : ['Note: the journal had lost questions; they were read from the set again'],
  }
}
