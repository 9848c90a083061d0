// A comparison of which every text comes from elsewhere, for the laws of its reports.
import { CHANGES, type ChangeKind } from '../../src/domain/changes.ts'
import type {
  CandidateComparison,
  Comparison,
  ComparisonDetails,
  ShownChange,
} from '../../src/domain/comparison/comparison.ts'
import { GATE_RULES } from '../../src/domain/comparison/rules.ts'
import {
  makeCandidate,
  makeComparison,
  makeCounts,
  makeGate,
  makeMessage,
  makeRun,
  makeShown,
} from '../support/comparisons.ts'

const KINDS = Object.keys(CHANGES) as ChangeKind[]

/** `texts` are taken in turn; `many` of everything that is a list. */
export function hostileComparison(
  texts: readonly string[],
  many: number,
  candidates: number,
): { readonly comparison: Comparison; readonly details: ComparisonDetails } {
  const at = (place: number): string => texts[place % texts.length] ?? ''
  const list = <T>(make: (place: number) => T): T[] => Array.from({ length: many }, (_, place) => make(place))
  const shown: ShownChange[] = list((place) => {
    const side = { source: at(place), failures: [at(place + 1), at(place + 2)], passRate: 0.5 }
    return makeShown(`${at(place)}${place}`, [KINDS[place % KINDS.length] ?? 'flaky'], {
      message: at(place + 3),
      tags: [at(place)],
      factsLost: [{ kind: at(place), text: at(place + 1) }],
      factsGained: [{ kind: at(place + 1), text: at(place) }],
      baseline: { ...side, id: at(place + 4) },
      candidate: { ...side, source: at(place + 5) },
      answers: { baseline: at(place + 6), candidate: at(place + 7) },
    })
  })
  const questions = list((place) => ({ id: `${at(place)}${place}`, message: at(place + 1) }))
  const byTag = Object.fromEntries(
    list((place) => [`${at(place)}${place}`, { questions: 3, baseline: 0.9, candidate: 0.5 }]),
  )
  const base = makeCandidate()
  const candidate: CandidateComparison = {
    ...base,
    settings: list((place) => ({
      setting: at(place),
      baseline: at(place + 1),
      candidate: at(place + 2),
    })),
    added: questions,
    removed: questions,
    edited: list((place) => ({ id: at(place), baseline: at(place + 1), candidate: at(place + 2) })),
    grounding: {
      ...base.grounding,
      byTag,
      matrix: list((place) => ({ from: at(place), to: at(place + 1), count: many - place })),
    },
    changes: shown,
    counts: makeCounts(Object.fromEntries(KINDS.map((kind) => [kind, many]))),
    gates: list((place) =>
      makeGate(GATE_RULES[place % GATE_RULES.length] ?? 'quota', place % 2 === 0, at(place)),
    ),
    notes: list((place) => makeMessage(at(place))),
  }
  const others = Array.from({ length: candidates }, (_, place) => ({ ...candidate, run: place + 1 }))
  return {
    comparison: makeComparison({
      verdict: 'failed',
      exitCode: 1,
      reason: at(0),
      runs: Array.from({ length: candidates + 1 }, (_, place) =>
        makeRun(at(place), { target: at(place + 1), organization: at(place + 2), datasets: list(at) }),
      ),
      candidates: others,
      trend: list(() => ({
        figure: 'coverage' as const,
        unit: 'share' as const,
        values: Array.from({ length: candidates + 1 }, () => 0.5),
      })),
      notes: list((place) => makeMessage(at(place))),
    }),
    details: { shown: others.map(() => shown) },
  }
}
