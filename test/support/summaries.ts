// Summaries and manifests for tests of reports, from a recorded run.
import { readFileSync } from 'node:fs'
import type { RunManifest } from '../../src/options/manifest.ts'
import type { Summary } from '../../src/domain/summary.ts'
import type { AnsweredTurn } from '../../src/domain/turn.ts'
import type { Repeats } from '../../src/analysis/figures/repeats.ts'
import { createFold } from '../../src/analysis/figures/fold.ts'
import { countRun } from '../../src/analysis/judging/counted-run.ts'
import { summaryOf } from '../../src/analysis/judging/summary.ts'

const recorded = JSON.parse(
  readFileSync(new URL('../recorded/reviews/run/run.json', import.meta.url), 'utf8'),
) as RunManifest

export const manifest: RunManifest = {
  ...recorded,
  runId: 'run-1',
  target: { ...recorded.target, name: 'staging', baseUrl: 'https://desk.example.com', organization: 'acme' },
  columns: [],
  options: { ...recorded.options, rate: 'auto', concurrency: 'auto' },
  startedAt: '2026-11-21T12:00:00.000Z',
  endedAt: '2026-11-21T12:05:00.000Z',
}

export const makeManifest = (more: Partial<RunManifest> = {}): RunManifest => ({ ...manifest, ...more })

/** The summary of a complete run with these turns. */
export function makeSummary(turns: readonly AnsweredTurn[], more: Partial<Summary> = {}): Summary {
  const fold = createFold()
  fold.add({ kind: 'end', at: 1, stop: { kind: 'done' } }, { journal: 0, offset: 0, length: 0 })
  const sum = (of: (turn: AnsweredTurn) => number): number =>
    turns.reduce((total, turn) => total + of(turn), 0)
  const usage = {
    certain: sum((turn) => turn.certain),
    possible: sum((turn) => turn.possible),
    notCounted: sum((turn) => turn.notCounted),
  }
  const model = { ...fold.finish(), usage, rateLimited: sum((turn) => turn.rateLimited) }
  const questions = turns.map((turn): Repeats => [turn])
  const counted = countRun(questions, { manifest, model }, { lists: false })
  return { ...summaryOf(counted, { manifest, model, notes: [] }), ...more }
}
