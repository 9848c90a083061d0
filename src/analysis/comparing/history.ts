// Turns the summaries of many runs into series over time, each run with its change since the previous one.
import type { ChangeKind } from '../../domain/changes.ts'
import type { Comparison } from '../../domain/comparison.ts'
import { groupBy } from '../../domain/counts.ts'
import { digits, makeMessage, WRITTEN } from '../../domain/format.ts'
import type {
  FoundRun,
  GateTrial,
  History,
  HistoryRun,
  HistorySeries,
  LeftOut,
  LooseThreshold,
} from '../../domain/history.ts'
import { compareTexts } from '../../domain/text.ts'
import { wilsonOfShare } from '../../stats/intervals.ts'
import { readThresholds } from '../judging/threshold.ts'
import { replaces } from '../judging/verdict.ts'

export interface FoundRuns {
  readonly runs: readonly FoundRun[]
  readonly leftOut: readonly LeftOut[]
}

export function makeHistory(found: FoundRuns, harnessVersion: string): History {
  const { runs, leftOut } = leaveOutDuplicates(found.runs)
  return {
    formatVersion: 2,
    harnessVersion,
    series: seriesOf(runs),
    leftOut: [...found.leftOut, ...leftOut].sort((a, b) => compareTexts(a.folder, b.folder)),
  }
}

/** The merged run counts in the place of its shards, and of copies the one with the highest usage. */
function leaveOutDuplicates(all: readonly FoundRun[]): FoundRuns {
  const runs: FoundRun[] = []
  const leftOut: LeftOut[] = []
  const folderOf = new Map<string, string>()
  const furthestFirst = all.toSorted((a, b) => b.quota.max - a.quota.max || compareTexts(a.folder, b.folder))
  for (const found of furthestFirst) {
    const { folder, run, shard } = found
    const copied = folderOf.get(run.id)
    const leaveOut = (code: string, text: string): void =>
      void leftOut.push({ folder, reason: makeMessage(code, text) })
    if (shard !== undefined)
      leaveOut('history-shard', `Shard ${shard.index} of ${shard.of}: the merged run counts in its place.`)
    else if (copied !== undefined)
      leaveOut('history-copy', `A copy of the run in ${copied}, which counts in its place.`)
    else {
      folderOf.set(run.id, folder)
      runs.push(found)
    }
  }
  runs.sort((a, b) => compareTexts(a.run.startedAt, b.run.startedAt) || compareTexts(a.folder, b.folder))
  return { runs, leftOut }
}

/** All sandboxes are one organization. Elsewhere keys are renewed, so their fingerprint is ignored. */
const organizationOf = ({ run }: FoundRun): string =>
  run.target === 'sandbox' ? 'sandbox' : run.organization.replace(/ [0-9a-f]{8}$/, '')

function seriesOf(runs: readonly FoundRun[]): HistorySeries[] {
  const groups = groupBy(runs, (found) => {
    const { target, selection } = found.run
    return JSON.stringify([organizationOf(found), target, setsOf(found), selection])
  })
  const isOneOrganization = new Set(runs.map(organizationOf)).size === 1
  return [...groups.values()]
    .map((group): HistorySeries => {
      const [first] = group
      const { target, selection } = first.run
      const [organization, sets] = [organizationOf(first), setsOf(first)]
      const where = isOneOrganization || organization === target ? target : `${target}, ${organization}`
      const name = `${sets.join(' + ')} of ${where}${selection === undefined ? '' : ` (${selection})`}`
      return { name, target, organization, sets, runs: runsOf(group) }
    })
    .sort((a, b) => b.runs.length - a.runs.length || compareTexts(a.name, b.name))
}

const setsOf = ({ run }: FoundRun): string[] => run.datasets.map(({ path }) => path).sort(compareTexts)

export const questionsOf = ({ run }: FoundRun): string =>
  run.datasets
    .map((set) => JSON.stringify([set.path, set.digest, set.turns]))
    .sort(compareTexts)
    .join()

function runsOf(runs: readonly FoundRun[]): HistoryRun[] {
  let complete: FoundRun | undefined
  return runs.map((run, index) => {
    const before = runs[index - 1]
    const questionsChanged = before !== undefined && questionsOf(before) !== questionsOf(run)
    if (run.state !== 'complete') return { ...run, questionsChanged, groundedChange: null }
    const [was, is] = [complete?.coverage.rate ?? null, run.coverage.rate]
    complete = run
    return { ...run, questionsChanged, groundedChange: was === null || is === null ? null : is - was }
  })
}

/** Fewer runs say nothing of the gate. */
export const MIN_RUNS = 8
const MAX_FLIPS = 10
const FLIPS: readonly ChangeKind[] = ['groundingLost', 'groundingGained', 'passToFail', 'failToPass']

export interface TriedNight {
  /** The folder of the later of two runs. */
  readonly folder: string
  readonly compared: Comparison
  readonly areArticlesKnown: boolean
}

/**
 * Two neighbouring pairs share a night, so they are not independent; a bad night makes one drop and one rise,
 * and only a drop fails. Wilson's interval is then a little too wide: `test/prove` counts how often it holds.
 */
export function gateTrial(
  nights: readonly TriedNight[],
  edited: number,
  runs: readonly FoundRun[],
): GateTrial {
  const expressions = runs.at(-1)?.thresholds.map(({ expression }) => expression) ?? []
  const isReplaced = replaces(readThresholds(expressions), 'expectations')
  const failed = nights.flatMap(({ folder, compared: { verdict, reason, candidates } }) => {
    if (verdict === 'failed') return { folder, reason }
    const anew = candidates[0].changes.filter(({ kinds }) => kinds.includes('passToFail')).length
    return anew === 0 || isReplaced ? [] : { folder, reason: `failed expectations: ${digits(anew)}` }
  })
  const share = failed.length / nights.length
  const drops = nights
    .map(({ compared: { candidates } }) => {
      const [{ grounding, verdicts }] = candidates
      return Math.min(grounding.detectableDrop ?? Infinity, verdicts.detectableDrop ?? Infinity)
    })
    .sort((a, b) => a - b)
  const drop = drops[Math.floor(drops.length / 2)] ?? Infinity
  return {
    nights: nights.length,
    failed,
    rate: nights.length === 0 ? null : { estimate: share, ...wilsonOfShare(share, nights.length) },
    edited,
    unrecorded: nights.filter(({ areArticlesKnown }) => !areArticlesKnown).length,
    detectableDrop: Number.isFinite(drop) ? drop : null,
    loose: looseThresholds(runs, expressions),
    flips: flipsOf(nights),
  }
}

function flipsOf(nights: readonly TriedNight[]): GateTrial['flips'] {
  const flips = new Map<string, { id: string; message: string; times: number }>()
  for (const { compared } of nights)
    for (const { id, message, kinds } of compared.candidates[0].changes) {
      if (!kinds.some((kind) => FLIPS.includes(kind))) continue
      flips.set(id, { id, message, times: (flips.get(id)?.times ?? 0) + 1 })
    }
  return [...flips.values()].sort((a, b) => b.times - a.times).slice(0, MAX_FLIPS)
}

/** A limit is loose if it lies further from all values than they lie from each other, and from a point. */
export function looseThresholds(
  runs: readonly Pick<FoundRun, 'thresholds'>[],
  expressions: readonly string[],
): LooseThreshold[] {
  return readThresholds(expressions).flatMap(({ expression, metric, relation, limit }) => {
    const isFloor = relation === '>=' || relation === '>'
    if (!isFloor && relation !== '<=' && relation !== '<') return []
    const values = runs.flatMap(({ thresholds }) =>
      thresholds.flatMap((gate) => (gate.expression === expression && gate.value !== null ? gate.value : [])),
    )
    if (values.length < MIN_RUNS) return []
    const [lowest, highest] = [Math.min(...values), Math.max(...values)]
    const nearest = isFloor ? lowest : highest
    const least = { share: 0.01, count: 1, milliseconds: 0.1, perSecond: 0.1 }[metric.unit]
    const step = metric.unit === 'share' ? least : Math.max(least, 10 ** Math.floor(Math.log10(highest) - 1))
    const slack = isFloor ? nearest - limit : limit - nearest
    if (slack <= Math.max(2 * step, highest - lowest)) return []
    const atMost = isFloor ? Math.floor(nearest / step) : Math.ceil(nearest / step)
    const isStrict = !relation.endsWith('=') && Math.abs(atMost * step - nearest) < step / 1e6
    const rounded = isStrict ? atMost + (isFloor ? -1 : 1) : atMost
    const name = expression.slice(0, expression.search(/[<>=!]=?/)).trim()
    const tight = `${name}${relation}${WRITTEN[metric.unit](rounded * step)}`
    return [{ expression, nearest, runs: values.length, tight }]
  })
}
