// A run's summary: its figures overall and by tag, its verdict, and what a reader must be warned of.
import type { Grade, TurnRecord } from '../domain/turn.ts'
import type { LimitFinding } from '../domain/limit.ts'
import type { Manifest } from '../domain/manifest.ts'
import { stateAfter } from '../domain/stop.ts'
import type { Figures, Summary } from '../domain/summary.ts'
import { createFiguresGatherer, type FiguresGatherer } from './figures.ts'
import { ratio } from './turns.ts'
import type { Model } from './fold.ts'
import { accountWithin } from './turns.ts'
import { judgeGates, judgeShard, reasonsOf, shardResult, verdictOfShard } from './gates/judge.ts'
import { parseThreshold } from './gates/threshold.ts'
import { describeRun } from './describe-run.ts'
import { judge } from './verdict.ts'
import { warnOf } from './warnings.ts'

export interface SummaryGatherer {
  add(turn: TurnRecord, grade: Grade): void
  /** `evaluated`: what was found in the turns beside their figures. `finding`: the limit, where it was looked for. */
  finish(
    evaluated: Pick<Summary, 'mustPass' | 'flaky' | 'gaps' | 'wrongAnswers'>,
    finding?: LimitFinding | null,
  ): Summary
}

/** `notes`: what was found odd while the journal was read. */
export function createSummaryGatherer(
  manifest: Manifest,
  index: Model<unknown>,
  notes: readonly string[],
): SummaryGatherer {
  const { groundedSources, threshold, passPolicy, quota } = manifest.options
  const thresholds = threshold.flatMap((expression) => {
    const parsed = parseThreshold(expression)
    return parsed.kind === 'threshold' ? [parsed.threshold] : []
  })
  const newFigures = (): FiguresGatherer => createFiguresGatherer(groundedSources, passPolicy, quota)
  const overall = newFigures()
  const byTag = new Map<string, FiguresGatherer>()
  const figuresOf = (tag: string): FiguresGatherer => {
    const known = byTag.get(tag) ?? newFigures()
    byTag.set(tag, known)
    return known
  }

  return {
    add: (turn, grade) => {
      overall.add(turn, grade)
      for (const tag of new Set(turn.question.tags)) figuresOf(tag).add(turn, grade)
    },
    finish: (evaluated, finding = null) => {
      // Attempts whose turn is lost were paid all the same.
      const paid = { ...overall.finish(), quota: accountWithin(index.usage, manifest.options.quota) }
      const figures = withLost(paid, expectedTurns(manifest, index))
      const refused = index.rateLimited
      const inOrder = [...byTag].sort(([a], [b]) => (a < b ? -1 : 1))
      const tags = Object.fromEntries(inOrder.map(([tag, gatherer]) => [tag, gatherer.finish()]))
      const pacing = {
        rate429: ratio(refused, figures.quota.attempts),
        rateLimited: refused,
        limit: index.limit ?? null,
        finding,
        calls: index.calls,
        changes: index.paceChanges.map(({ at, pace, pausedUntil, cause }) => ({
          at: toIso(at),
          pace,
          ...(pausedUntil === undefined ? {} : { pausedUntil: toIso(pausedUntil) }),
          cause,
        })),
        changesLeftOut: index.paceChangesLeftOut,
      }
      const { shard } = manifest
      const gated =
        shard === undefined
          ? judgeGates(thresholds, { ...figures, pacing, tags }, evaluated.mustPass)
          : { thresholds: [], gates: judgeShard(thresholds, manifest.options, figures, evaluated.mustPass) }
      const judged = judge(index.stop, figures, reasonsOf(gated.gates))
      const part = shard === undefined ? undefined : shardResult(shard, manifest.options)
      const { verdict, exitCode, reason } = part === undefined ? judged : verdictOfShard(judged, part)
      return {
        formatVersion: 1,
        run: describeRun(manifest, index),
        state: stateAfter(index.stop),
        verdict,
        exitCode,
        reason,
        ...(part === undefined ? {} : { shard: part }),
        ...figures,
        pacing,
        tags,
        thresholds: [...gated.thresholds],
        gates: [...gated.gates],
        comparison: null,
        ...evaluated,
        reviews: null,
        warnings: [...manifest.warnings, ...notes, ...warnOf(figures, manifest, index)],
      }
    },
  }
}

/** Journals of version 0.1.0 do not say how many turns they hold; the manifest does. */
function expectedTurns({ datasets }: Manifest, { slots, set }: Model<unknown>): number {
  return set === undefined
    ? Math.max(
        slots.length,
        datasets.reduce((sum, { turns }) => sum + turns, 0),
      )
    : slots.length
}

/** Turns whose question a damaged journal does not hold any more are turns without an outcome. */
function withLost(figures: Figures, expected: number): Figures {
  const { turns } = figures
  const lost = Math.max(0, expected - turns.total)
  return { ...figures, turns: { ...turns, total: turns.total + lost, notAsked: turns.notAsked + lost } }
}

const toIso = (at: number): string => new Date(at).toISOString()
