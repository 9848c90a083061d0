// Summaries and manifests for tests of reports.
import type { RunManifest } from '../../src/options/manifest.ts'
import type { Summary } from '../../src/domain/summary.ts'
import type { TurnRecord } from '../../src/domain/turn.ts'
import type { Repeats } from '../../src/analysis/repeats.ts'
import { createFold } from '../../src/analysis/fold.ts'
import { summarise } from '../../src/analysis/summary.ts'

export const manifest: RunManifest = {
  kind: 'run',
  formatVersion: 1,
  harnessVersion: '0.4.0',
  runId: 'run-1',
  target: {
    name: 'staging',
    baseUrl: 'https://desk.example.com',
    organization: 'acme',
    apiKeyEnv: 'ASSIST_API_KEY',
    keyFingerprint: '00000000',
    sandbox: false,
  },
  datasets: [{ path: 'set.csv', source: '../set.csv', digest: 'sha256:0', turns: 1 }],
  columns: [],
  options: {
    rate: 'auto',
    share: 1,
    concurrency: 'auto',
    limiter: 'local',
    header: [],
    clientCert: null,
    clientKey: null,
    maxCalls: null,
    untilDecided: false,
    confirm: 0,
    giveUpAfter: 1000,
    timeout: 1000,
    onAmbiguous: 'restart',
    format: null,
    column: [],
    repeat: 1,
    threshold: [],
    passPolicy: 'all',
    quota: null,
    articles: null,
    baseline: null,
    failOn: null,
    alpha: 0.05,
    margin: 0.02,
    minOverlap: 0.5,
    rotatingIds: false,
    hashEndUserRefs: false,
    groundedSources: ['KNOWLEDGE_BASE'],
    tag: [],
    grep: null,
    sample: null,
    seed: 0,
  },
  startedAt: '2026-11-21T12:00:00.000Z',
  endedAt: '2026-11-21T12:05:00.000Z',
  state: 'complete',
  warnings: [],
}

export const makeManifest = (more: Partial<RunManifest> = {}): RunManifest => ({ ...manifest, ...more })

/** The summary of a complete run with these turns. */
export function makeSummary(turns: readonly TurnRecord[], more: Partial<Summary> = {}): Summary {
  const fold = createFold()
  fold.add({ kind: 'end', at: 1, stop: { kind: 'done' } }, { journal: 0, offset: 0, length: 0 })
  const sum = (of: (turn: TurnRecord) => number): number => turns.reduce((total, turn) => total + of(turn), 0)
  const usage = {
    certain: sum((turn) => turn.usage.certain),
    possible: sum((turn) => turn.usage.possible),
    notCounted: sum((turn) => turn.usage.notCounted),
  }
  const model = { ...fold.finish(), usage, rateLimited: sum((turn) => turn.rateLimited) }
  const questions = turns.map((turn): Repeats => [{ turn, grade: { kind: 'none' } }])
  return { ...summarise(questions, { manifest, model, notes: [] }, { lists: false }).summary, ...more }
}
