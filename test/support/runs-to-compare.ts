// Recorded runs of a small question set, for tests that compare runs. Every question is answered well, except
// where the test changes it.
import type { ChangeKind } from '../../src/domain/changes.ts'
import type { CandidateComparison } from '../../src/domain/comparison.ts'
import type { RunManifest } from '../../src/options/manifest.ts'
import type { Stop } from '../../src/domain/stop.ts'
import { makeQuestion } from './questions.ts'
import { recordRun, type TurnResult, type RecordedTurn } from './recorded-run.ts'
import { manifest as usual } from './summaries.ts'

export const groundedAnswer = (answer: string): TurnResult => ({ answer, source: 'KNOWLEDGE_BASE' })
/** Not grounded, and fails the expectation. */
export const ungrounded: TurnResult = { answer: 'I am not sure.', source: 'MODEL' }

export type Change = (number: number) => Partial<RecordedTurn> | undefined

/** `q0`, `q1`, …, each in its own conversation, grounded and with its expectation met. */
export const groundedTurns = (count: number, change: Change = () => undefined): RecordedTurn[] =>
  Array.from({ length: count }, (_, number) => ({
    question: numberedQuestion(number),
    result: groundedAnswer(`Open the portal, item ${number}, within 14 days.`),
    ...change(number),
  }))

export const numberedQuestion = (
  number: number,
  more: Parameters<typeof makeQuestion>[3] = {},
): RecordedTurn['question'] =>
  makeQuestion(`q${number}`, `t${number}`, 1, { expect: { contains: ['portal'] }, ...more })

export interface RecordOptions extends Partial<Omit<RunManifest, 'options' | 'target'>> {
  readonly options?: Partial<RunManifest['options']>
  readonly target?: Partial<RunManifest['target']>
  readonly stop?: Stop
}

/** `day`: the day in November 2026 on which the run started. */
export function recordRunOn(
  folder: string,
  day: number,
  turns: readonly RecordedTurn[],
  { options, target, stop, ...more }: RecordOptions = {},
): void {
  recordRun(folder, {
    turns,
    ...(stop === undefined ? {} : { stop }),
    manifest: {
      runId: `run-${day}`,
      startedAt: `2026-11-${String(day).padStart(2, '0')}T12:00:00.000Z`,
      ...more,
      options: { ...usual.options, ...options },
      target: { ...usual.target, ...target },
    },
  })
}

/** Ids of the questions with that kind of change. */
export const idsOf = ({ changes }: CandidateComparison, kind: ChangeKind): string[] =>
  changes.flatMap(({ id, kinds }) => (kinds.includes(kind) ? [id] : []))
