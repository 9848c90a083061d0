// Which questions a resumed run asks: those of its journal, or with `--accept-changes` those of its files as they are now.
import { NumberList } from '../../columns/number-list.ts'
import { numbersOf } from '../../columns/ranges.ts'
import { sequenceOf, type Sequence } from '../../columns/sequence.ts'
import type { RunIndex } from '../../analysis/run-index.ts'
import type { JournalRecord } from '../../domain/journal.ts'
import type { Manifest } from '../../domain/manifest.ts'
import type { Question } from '../../domain/question.ts'
import { plural } from '../../domain/digits.ts'
import { visible } from '../../report/visible.ts'
import type { PlannedTurn } from '../../runner/thread-state.ts'
import { datasetsOf } from '../plan.ts'
import { LazyTurn } from '../planned-turn.ts'
import { setRecord } from '../set-record.ts'
import { numbersOfShard } from '../shard.ts'
import { UsageError } from '../usage-error.ts'
import { describeChanged, describeNeeded } from './needed-set.ts'
import { describeStanding, describeTakenOn } from './unchanged-part.ts'
import { compareSets, describeChanges, type SetChanges } from './changed-set.ts'
import type { Resuming } from './resume.ts'
import type { RecordedRun } from './runs.ts'
import { lookAtFiles, readSetNow, type FilesNow, type SetNow } from './set-now.ts'

type FilesMissing = Extract<FilesNow, { kind: 'missing' }>

export interface StandingSet {
  readonly turns: Sequence<PlannedTurn>
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
  { datasets, typed, environment }: Resuming,
): Promise<StandingSet> {
  const { manifest } = run
  const recorded = recordedSet(index, manifest)
  const digests = index.set?.digests ?? manifest.datasets.map(({ digest }) => digest)
  const files = await lookAtFiles(run, datasets, digests)
  const readNow = async (paths: readonly string[], known: readonly Question[]): Promise<SetNow> =>
    readSetNow(manifest, paths, known, environment)

  if (recorded === undefined) return askAnew(run, index, files, readNow)
  const asItWas = { turns: recorded, repeats: index.set?.repeats ?? 1, records: [], manifest: {}, notes: [] }
  if (files.kind === 'same') return asItWas
  if (files.kind === 'missing')
    return { ...asItWas, notes: [noteMissing(files, typed.acceptChanges === true)] }
  // Beside another set, both are in memory.
  const held = Array.from(recorded, ({ index: number, question }) => ({ index: number, question }))
  const questions = held.map(({ question }) => question)
  const now = await readNow(files.paths, questions)
  const { shard } = manifest
  const free = numbersOfShard(Math.max(index.questions.length, shard?.numbered ?? 0), shard)
  const changes = compareSets(
    held,
    now.turns.map(({ question }) => question),
    free,
  )
  const lines = describeChanges(changes).map((line) => `  ${visible(line)}`)
  const outside =
    now.outside === 0 ? [] : [`  ${plural(now.outside, 'question')} outside the sample: not asked`]
  const what = describeChanged(files.changed)
  if (typed.acceptChanges !== true && lines.length === 0)
    return { ...asItWas, notes: [`Note: ${what}, ${describeStanding(shard, now.shard)}`, ...outside] }
  if (typed.acceptChanges !== true)
    throw new UsageError(
      [
        `${what}:`,
        ...lines,
        ...outside,
        'put the file back, or take the changes on with --accept-changes; nothing was sent',
      ].join('\n'),
    )
  // Also where no question of it is another: the whole that a part is of may be, and its file is.
  const notes =
    lines.length === 0
      ? [`Note: ${what}, ${describeTakenOn(shard, now.shard)}`, ...outside]
      : [`Note: ${what}; taken on:`, ...lines, ...outside]
  return { ...takeOn(run, now, changes, asItWas.repeats), notes }
}

/** Throws UsageError where more than a look at the missing files is in the way. */
function noteMissing({ missing, changed }: FilesMissing, acceptsChanges: boolean): string {
  const gone = visible(missing.join(', '))
  if (acceptsChanges)
    throw new UsageError(`--accept-changes: ${gone} is not there; name the file behind --resume DIR`)
  if (changed.length > 0)
    throw new UsageError(
      `${describeChanged(changed)}, and ${gone} is not there: put ${missing.length + changed.length > 2 ? 'them' : 'both'} back, ` +
        'or name every set behind --resume DIR; nothing was sent',
    )
  return `Note: ${gone} is not there any more: going on with the questions as recorded`
}

/** The questions that stand, where the journal holds all of them. */
function recordedSet(
  { questions, threads, set, attempts }: RunIndex<unknown>,
  manifest: Manifest,
): Sequence<PlannedTurn> | undefined {
  const numbers = new NumberList()
  for (const number of numbersOf(set?.ranges ?? [[0, questions.length - 1]]))
    if (threads.threadOf(number) !== undefined) numbers.push(number)
  // Journals of version 0.1.0 hold no word on which questions stand.
  const expected = manifest.datasets.reduce((sum, { turns: count }) => sum + count, 0)
  const isWhole = set !== undefined || (attempts > 0 && numbers.length === expected)
  const read = (number: number): Question | undefined => questions.at(number)
  return isWhole ? sequenceOf(numbers.length, (place) => new LazyTurn(numbers.at(place), read)) : undefined
}

/** The journal lost questions, or the process died before it had written them: the files hold them still. */
async function askAnew(
  run: RecordedRun,
  index: RunIndex<unknown>,
  files: FilesNow,
  readNow: (paths: readonly string[], known: readonly Question[]) => Promise<SetNow>,
): Promise<StandingSet> {
  const { folder } = run
  if (files.kind !== 'same') throw new UsageError(describeNeeded(run, files))
  const now = await readNow(files.paths, [])
  const { turns } = now
  const differs = turns.some(({ index: place, question }) => {
    const known = index.questions.at(place)
    return known !== undefined && known.id !== question.id
  })
  if (differs)
    throw new UsageError(
      `the journal of ${folder.path} does not hold all of its questions and cannot be mended; start a new run`,
    )
  const notes =
    index.attempts === 0
      ? []
      : run.manifest.merged === undefined
        ? ['Note: the journal had lost questions; they were read from the set again']
        : ['Note: the questions of the parts that were missing were read from the set']
  return { ...takeOn(run, now, { turns, toRecord: turns }, run.manifest.options.repeat), notes }
}

function takeOn(
  { folder }: RecordedRun,
  { set, shard }: SetNow,
  { turns, toRecord }: Pick<SetChanges, 'turns' | 'toRecord'>,
  repeats: number,
): Omit<StandingSet, 'notes'> {
  const datasets = datasetsOf(set, turns, folder.path)
  return {
    turns,
    repeats,
    records: [
      ...toRecord.map(({ index, question }) => ({ kind: 'question' as const, index, question })),
      setRecord(
        turns,
        datasets.map(({ digest }) => digest),
        repeats,
      ),
    ],
    manifest: { datasets, columns: [...set.columns], ...(shard === undefined ? {} : { shard }) },
  }
}
