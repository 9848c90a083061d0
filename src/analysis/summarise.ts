// A run's summary: its figures overall and by tag, its verdict, and what a reader must be warned of.
import type { Manifest } from '../domain/manifest.ts'
import { stateAfter } from '../domain/stop.ts'
import type { Figures, Summary } from '../domain/summary.ts'
import type { TurnRecord } from '../domain/turn.ts'
import { createFiguresGatherer, ratio, type FiguresGatherer } from './figures.ts'
import type { RunIndex } from './run-index.ts'
import { judge } from './verdict.ts'

export interface SummaryGatherer {
  add(turn: TurnRecord): void
  finish(): Summary
}

/** `notes`: what was found odd while the journal was read. */
export function createSummaryGatherer(
  manifest: Manifest,
  index: RunIndex<unknown>,
  notes: readonly string[],
): SummaryGatherer {
  const { groundedSources } = manifest.options
  const overall = createFiguresGatherer(groundedSources)
  const byTag = new Map<string, FiguresGatherer>()
  let rateLimited = 0

  return {
    add: (turn) => {
      overall.add(turn)
      rateLimited += turn.rateLimited
      for (const tag of new Set(turn.question.tags)) {
        const known = byTag.get(tag) ?? createFiguresGatherer(groundedSources)
        known.add(turn)
        byTag.set(tag, known)
      }
    },
    finish: () => {
      const figures = withLost(overall.finish(), expectedTurns(manifest))
      const { verdict, exitCode, reason } = judge(index.stop, figures)
      const tags = [...byTag].sort(([a], [b]) => (a < b ? -1 : 1))
      return {
        formatVersion: 1,
        run: describeRun(manifest, index),
        state: stateAfter(index.stop),
        verdict,
        exitCode,
        reason,
        ...figures,
        pacing: {
          rate429: ratio(rateLimited, figures.quota.attempts),
          rateLimited,
          limit: index.limit ?? null,
          changes: index.paceChanges.map(({ at, pace, pausedUntil, cause }) => ({
            at: toIso(at),
            pace,
            ...(pausedUntil === undefined ? {} : { pausedUntil: toIso(pausedUntil) }),
            cause,
          })),
          changesLeftOut: index.paceChangesLeftOut,
        },
        tags: Object.fromEntries(tags.map(([tag, gatherer]) => [tag, gatherer.finish()])),
        warnings: [...manifest.warnings, ...notes, ...warnOf(figures, manifest)],
      }
    },
  }
}

const expectedTurns = ({ datasets }: Manifest): number => datasets.reduce((sum, { turns }) => sum + turns, 0)

/** Turns whose question a damaged journal does not hold any more are turns without an outcome. */
function withLost(figures: Figures, expected: number): Figures {
  const { turns } = figures
  const lost = Math.max(0, expected - turns.total)
  return { ...figures, turns: { ...turns, total: turns.total + lost, notAsked: turns.notAsked + lost } }
}

const toIso = (at: number): string => new Date(at).toISOString()

function describeRun(manifest: Manifest, index: RunIndex<unknown>): Summary['run'] {
  const { runId, harnessVersion, target, datasets, options, startedAt, endedAt } = manifest
  return {
    id: runId,
    harnessVersion,
    target: target.name,
    organization: target.organization,
    origin: target.baseUrl,
    datasets,
    startedAt,
    endedAt: endedAt ?? (index.lastAt === undefined ? null : toIso(index.lastAt)),
    sittings: index.sittings,
    groundedSources: options.groundedSources,
    successStatus: options.successStatus,
    countRejected: options.countRejected,
  }
}

/** Above this share of answers, a status that is not a success deserves a word. */
const ODD_STATUS_SHARE = 0.01

function warnOf(figures: Figures, { options }: Manifest): string[] {
  const { turns, status, contextSource, quota } = figures
  const odd = Object.entries(status).filter(([value]) => !options.successStatus.includes(value))
  const oddCount = odd.reduce((sum, [, count]) => sum + count, 0)
  const isGrounding = Object.keys(contextSource).some((value) => options.groundedSources.includes(value))
  return [
    ...(turns.answered > 0 && oddCount / turns.answered > ODD_STATUS_SHARE
      ? [
          `${oddCount} of ${turns.answered} answers carry a status other than ${options.successStatus.join(', ')}: ` +
            `${odd.map(([value, count]) => `${value} ${count}`).join(', ')} (--success-status names those that are fine)`,
        ]
      : []),
    ...(turns.answered > 0 && !isGrounding
      ? [
          `no answer carries the source ${options.groundedSources.join(', ')}: if your endpoint names its ` +
            'knowledge base otherwise, say so with --grounded-sources',
        ]
      : []),
    ...(turns.contextLost > 0
      ? [
          `${turns.contextLost === 1 ? '1 turn lost its' : `${turns.contextLost} turns lost their`} context: the endpoint returned another conversationId than was sent ` +
            '(--rotating-ids if it does so each turn); they are left out of coverage',
        ]
      : []),
    ...(quota.notCounted > 0 && !options.countRejected
      ? [
          `${quota.notCounted === 1 ? '1 attempt was refused or never arrived and is' : `${quota.notCounted} attempts were refused or never arrived and are`} taken as not counted toward the quota; ` +
            'that is an assumption (--count-rejected drops it)',
        ]
      : []),
  ]
}
