// A recorded run brought back to where it stopped: its questions, and where each thread stands.
import { createRunIndexer, type RunIndex, type Slot } from '../analysis/run-index.ts'
import type { JournalRecord } from '../domain/journal.ts'
import type { Manifest } from '../domain/manifest.ts'
import { openPicker, readJournal, type Place, type RecordPicker } from '../journal/read.ts'
import { openThread, type PlannedTurn, type ThreadState } from '../runner/thread-state.ts'
import type { RunFolder } from './run-folder.ts'
import { UsageError } from './usage-error.ts'

export interface RestoredRun {
  readonly turns: readonly PlannedTurn[]
  readonly threads: readonly ThreadState[]
  readonly attempts: number
  readonly sittings: number
  /** Threads that start again, since nobody knows what became of their last attempt. */
  readonly restarts: readonly JournalRecord[]
}

export async function restoreRun(folder: RunFolder, manifest: Manifest, at: number): Promise<RestoredRun> {
  const indexer = createRunIndexer<Place>(manifest.options.countRejected)
  for await (const entry of readJournal(folder.journal))
    if (entry.kind === 'record') indexer.add(entry.record, entry.place)
  const index = indexer.finish()
  const expected = manifest.datasets.reduce((sum, { turns }) => sum + turns, 0)
  if (index.questions.filter((question) => question !== undefined).length !== expected)
    throw new UsageError(
      `${folder.path} does not hold all of its questions: nothing was asked yet, start the run anew`,
    )

  const picker = openPicker(folder.journal)
  try {
    const threads = [...groupByThread(index).values()].map((slots, order) =>
      restoreThread(order, slots, index, picker),
    )
    const restarts = threads.flatMap((thread) => (thread.restarts ? [restartOf(thread.state, at)] : []))
    const turns = index.questions.map((question, place) => ({ index: place, question }))
    const { attempts, sittings } = index
    return { turns, threads: threads.map(({ state }) => state), attempts, sittings, restarts }
  } finally {
    picker.close()
  }
}

function groupByThread(index: RunIndex<Place>): Map<string, Slot<Place>[]> {
  const threads = new Map<string, Slot<Place>[]>()
  for (const slot of index.slots) {
    const question = index.questions[slot.index]
    const key = JSON.stringify([question?.file, question?.thread, slot.repeat])
    const members = threads.get(key)
    if (members === undefined) threads.set(key, [slot])
    else members.push(slot)
  }
  const turnOf = ({ index: place }: Slot<Place>): number => index.questions[place]?.turn ?? 0
  for (const members of threads.values()) members.sort((a, b) => turnOf(a) - turnOf(b))
  return threads
}

function restoreThread(
  order: number,
  slots: readonly Slot<Place>[],
  { questions }: RunIndex<Place>,
  picker: RecordPicker,
): { readonly state: ThreadState; readonly restarts: boolean } {
  const [first, ...rest] = slots.flatMap(({ index: place }) => {
    const question = questions[place]
    return question === undefined ? [] : [{ index: place, question }]
  })
  if (first === undefined) throw new Error('a thread without turns was restored')
  const state = openThread(order, [first, ...rest], slots[0]?.repeat ?? 1)
  const asked = slots.findIndex(({ outcome }) => outcome === undefined)
  const next = asked === -1 ? slots.length : asked
  const conversation = slots[0]?.conversation ?? 1
  const isOpen = next < slots.length
  if (isOpen && slots.some(({ dangling }) => dangling))
    return { state: { ...state, conversation: conversation + 1 }, restarts: true }
  const before = slots[next - 1]
  const record = isOpen && before?.last !== undefined ? picker.pick(before.last.place) : undefined
  const reply = record?.kind === 'result' && record.result.kind === 'reply' ? record.result.reply : undefined
  const conversationId = reply?.conversationId
  const contextLost = before?.contextLost ?? false
  return {
    state: {
      ...state,
      next,
      conversation,
      conversationId,
      contextLost,
      resumed: conversationId !== undefined,
    },
    restarts: false,
  }
}

function restartOf({ turns, repeat, conversation }: ThreadState, at: number): JournalRecord {
  const cause = 'resumed after an attempt without a result'
  return { kind: 'restart', at, question: turns[0].index, repeat, conversation, cause }
}
