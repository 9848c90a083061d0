// The end of a run for programs: the reports are written, and told as a result.
import { resolve } from 'node:path'
import type { Host } from '../cli/host.ts'
import type { RunResult } from './run.ts'
import type { Teller } from './teller.ts'

export const endingFor =
  (teller: Teller, notes: readonly string[]): Host<RunResult>['ending'] =>
  async () => {
    const { finishRun } = await import('../cli/finish-run.ts')
    return async ([sitting], { excel = false }, reviews) => {
      if (sitting === undefined) throw new Error('a run without a sitting')
      const { summary, reports } = await finishRun(sitting, { excel, brought: reviews })
      const { state, verdict, exitCode, reason } = summary
      const folder = resolve(sitting.folder.path)
      teller.tell({ kind: 'ended', at: Date.now(), folder, state, verdict, exitCode, reason })
      return {
        state,
        verdict,
        exitCode,
        reason,
        folder,
        summary,
        comparison: reports.comparison?.written?.comparison ?? null,
        notes: [...notes, ...reports.reviewNotes],
        listenerError: teller.error(),
      }
    }
  }
