// What the command that goes on with a run must say beside its folder.
import { callsWithoutRestart } from '../analysis/estimate/worst-case.ts'
import type { RunIndex } from '../analysis/run-index.ts'
import { standingOfRun, troubledThreads, type ThreadStanding } from '../analysis/standing-of-run.ts'
import type { Manifest } from '../domain/manifest.ts'
import type { Place } from '../journal/read.ts'
import { indexJournal } from './index-journal.ts'
import type { RunFolder } from './run-folder.ts'
import type { Sitting } from './sitting.ts'

export interface GoingOn {
  /**
   * Calls that it takes at most where none fails but in threads in which one has: the turns left to ask, those before them in
   * conversations that the sandbox will not know, and the restarts of those threads; 429s apart.
   * Undefined where nothing ends the calls.
   */
  readonly calls: number | undefined
  readonly words: readonly string[]
}

/** Of a sitting that is over. `standing`: its threads as far as they came, which are not all in the journal. */
export async function goingOn(
  sitting: Sitting,
  ended: Manifest,
  standing: () => Iterable<ThreadStanding>,
): Promise<GoingOn> {
  const { retryErrors = false } = sitting.target.settings
  const isRetry = ended.state !== 'complete' && retryErrors && someStartAgain(sitting)
  return {
    calls: await callsToGoOn(sitting.folder, ended, standing),
    words: isRetry ? ['--retry-errors'] : [],
  }
}

/** Of a recorded run. */
export const goingOnOfRecorded = async (
  folder: RunFolder,
  manifest: Manifest,
  index?: RunIndex<Place>,
): Promise<GoingOn> => ({ calls: await callsToGoOn(folder, manifest, standingOfRun, index), words: [] })

async function callsToGoOn(
  folder: RunFolder,
  manifest: Manifest,
  standing: (index: RunIndex<Place>) => Iterable<ThreadStanding>,
  known?: RunIndex<Place>,
): Promise<number | undefined> {
  const { state, options, target } = manifest
  if (state === 'complete' || options.maxCalls === null) return undefined
  const index = known ?? (await indexJournal(folder)).index
  const isTroubled = troubledThreads(index)
  const restarts = ({ question, turns }: Pick<ThreadStanding, 'question' | 'turns'>): number =>
    options.onAmbiguous === 'restart' && isTroubled(question) ? turns.length : 0
  let calls = 0
  for (const thread of standing(index)) {
    // An endpoint may forget a conversation, too; to double its budget for that would be no one's wish.
    const needed = callsWithoutRestart(target.sandbox ? thread : { ...thread, resumed: false }, options)
    if (needed > 0) calls += needed + restarts(thread)
  }
  return calls
}

/** Whether a thread that was to start again has not. */
function someStartAgain({ threads }: Sitting): boolean {
  for (const { pending } of threads) if (pending !== undefined) return true
  return false
}
