// `--confirm`: conversations that fail anew are sent again once everything else has its outcome.
import { failedMustPass, failedSince } from '../analysis/figures/confirm.ts'
import { gradedQuestions } from '../analysis/figures/graded.ts'
import { compareWithBaseline } from '../analysis/comparing/judged-run.ts'
import { digits } from '../domain/format.ts'
import type { RecordOf } from '../domain/journal.ts'
import { openThread } from '../runner/thread-state.ts'
import { openBaseline } from './judging.ts'
import type { RunManifest } from '../options/manifest.ts'
import { runFolder } from '../store/folder.ts'
import type { Job } from './job.ts'
import { type Ports, VERSION } from './ports.ts'
import { foldJournalsOf, type RecordedRun } from './recorded-run.ts'
import type { Session } from './session.ts'

/** Finds what to send again, no conversation twice; `records` are to be written before it is sent. */
export async function openConfirmations(
  { plan: { recording, manifest, threads, clock } }: Session<RunManifest>,
  { ports, note }: Job,
) {
  const { confirm, baseline } = manifest.options
  const run = await foldJournalsOf(runFolder(recording.path), manifest)
  const { confirming, attempts } = run.model
  const sent = new Set(confirming.map(({ index }) => index))
  const failed = new Set(await failedIn(run, ports))
  const opened = threads.flatMap((thread) => {
    if (thread.repeat !== 1 || thread.turns.some(({ index }) => sent.has(index))) return []
    const questions = thread.turns.flatMap(({ index }) => (failed.has(index) ? [index] : []))
    return questions.length === 0 ? [] : [{ thread, questions }]
  })
  if (opened.length > 0) {
    const what =
      baseline === null
        ? 'must_pass questions that failed'
        : 'questions that newly fail or lost their grounding'
    const count = digits(opened.reduce((sum, { questions }) => sum + questions.length, 0))
    const calls = digits(confirm * opened.reduce((sum, { thread }) => sum + thread.turns.length, 0))
    note(`--confirm: ${what}: ${count}; their conversations are sent again, ${calls} calls`)
  }
  return {
    attempts,
    threads: opened.flatMap(({ thread: { order, turns } }) =>
      Array.from({ length: confirm }, (_, index) => openThread(order, turns, index + 2)),
    ),
    records: opened.map(({ thread, questions }): RecordOf<'confirm'> => {
      const question = thread.turns[0].index
      return { kind: 'confirm', at: clock.wall(), question, repeat: 1, as: 2, times: confirm, questions }
    }),
  }
}

async function failedIn(run: RecordedRun, ports: Ports): Promise<readonly number[]> {
  const { options } = run.manifest
  const baseline = await openBaseline(run, { ports })
  try {
    if (baseline?.kind !== 'readable')
      return failedMustPass(gradedQuestions(run.model, run.pick, options), options.passPolicy)
    const judging = { reviews: undefined, harnessVersion: VERSION }
    return failedSince(compareWithBaseline(baseline.run, run, judging).rows)
  } finally {
    run.close()
    baseline?.close()
  }
}
