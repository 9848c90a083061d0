// How many calls the confirmations of a run may still take: what a budget that is raised must leave room for.
import type { RunIndex } from '../../analysis/run-index.ts'
import { threadKey } from '../../analysis/threads-of-run.ts'
import type { Manifest } from '../../domain/manifest.ts'
import { openPicker, type Place } from '../../journal/read.ts'
import type { RunFolder } from '../run-folder.ts'
import { findUnconfirmed, hasMustPass } from './unconfirmed.ts'

/**
 * Calls that confirmations may still take, from where the run stands: all rounds of the questions that have failed, and of
 * those that are still to be asked. No thread is asked to confirm it more often than the question that may be most often.
 * `restarts`: what a restart of so many turns takes, where one is to be reckoned with.
 */
export function confirmationsOwed(
  { journal }: Pick<RunFolder, 'journal'>,
  manifest: Manifest,
  index: RunIndex<Place>,
  restarts: (thread: { readonly question: number; readonly turns: { readonly length: number } }) => number,
): number {
  if (manifest.options.gates.confirm === 0 || !hasMustPass(index.questions)) return 0
  const picker = openPicker(journal)
  try {
    const owed = new Map<string, { rounds: number; place: number; question: number }>()
    for (const { turn, rounds } of findUnconfirmed(index, picker.pick, manifest)) {
      const key = threadKey(turn.question)
      const { rounds: most = 0, place = 0 } = owed.get(key) ?? {}
      owed.set(key, {
        rounds: Math.max(most, rounds),
        place: Math.max(place, turn.question.turn),
        question: turn.index,
      })
    }
    let calls = 0
    for (const { rounds, place, question } of owed.values())
      calls += rounds * (place + restarts({ question, turns: { length: place } }))
    return calls
  } finally {
    picker.close()
  }
}
