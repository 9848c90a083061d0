// The manifest of the joined run: what its parts have in common, and the times and calls of all of them.
import { createHash } from 'node:crypto'
import { join, relative, sep } from 'node:path'
import type { Manifest } from '../../domain/manifest.ts'
import type { Shard } from '../../domain/shard.ts'
import { stateAfter, type Stop } from '../../domain/stop.ts'
import { recordedBaseline } from '../comparing/baseline.ts'
import { VERSION } from '../version.ts'
import type { IndexedPart } from './index-parts.ts'
import { isEndedByBudget } from './join-stops.ts'
import { wholeOf } from './parts.ts'

/** What tells the budget of a part, and of the whole. */
export interface BudgetedPart {
  readonly manifest: { readonly options: Pick<Manifest['options'], 'maxCalls'> }
  readonly shard: Pick<Shard, 'index' | 'of' | 'maxCalls'>
}

/** `out`: the folder of the joined run, from which its ways to other files lead. */
export function joinManifests(
  parts: readonly IndexedPart[],
  out: string,
  stop: Stop | undefined,
  notes: readonly string[],
): Manifest {
  const [first] = parts
  if (first === undefined) throw new Error('no parts to join')
  const manifests = parts.map(({ manifest }) => manifest)
  const { shard, ...common } = first.manifest
  const { knowledgeBase } = common.target
  const whole = wholeOf(parts)
  const versions = new Set(manifests.map(({ harnessVersion }) => harnessVersion))
  const wayTo = (path: string): string => relative(out, path).split(sep).join('/')
  return {
    ...common,
    harnessVersion: versions.size === 1 ? common.harnessVersion : VERSION,
    runId: joinIds(manifests.map(({ runId }) => runId)),
    target: {
      ...common.target,
      ...(knowledgeBase === undefined
        ? {}
        : { knowledgeBase: wayTo(join(first.folder.path, knowledgeBase)) }),
    },
    datasets: common.datasets.map((dataset, file) => ({
      ...dataset,
      ...(dataset.source === undefined ? {} : { source: wayTo(join(first.folder.path, dataset.source)) }),
      turns: whole?.turns[file] ?? sum(manifests.map(({ datasets }) => datasets[file]?.turns ?? 0)),
    })),
    options: {
      ...common.options,
      maxCalls: budgetOf(parts),
      comparison: comparisonOf(first, wayTo),
    },
    merged: {
      of: shard?.of ?? parts.length,
      parts: parts.map(({ shard: { index }, manifest: { runId, startedAt }, usage, stop: end }) => ({
        index,
        runId,
        startedAt,
        usage,
        ...(isEndedByBudget({ stop: end }) ? { endedByBudget: true } : {}),
      })),
    },
    startedAt: manifests.map((one) => one.startedAt).reduce((a, b) => (a < b ? a : b)),
    endedAt: endOf(manifests),
    state: stateAfter(stop),
    warnings: [...new Set([...manifests.flatMap(({ warnings }) => warnings), ...notes])],
  }
}

/** The same for the same parts, and another than that of any of them. */
const joinIds = (ids: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(ids)).digest('hex').slice(0, 12)

/** The shares of the parts add up to it. Without a budget for every part there is no end. */
export function budgetOf(parts: readonly BudgetedPart[]): number | null {
  const shares = parts.flatMap(({ manifest: { options } }) => options.maxCalls ?? [])
  return shares.length < parts.length ? null : sum(shares)
}

function comparisonOf(
  { manifest, folder }: IndexedPart,
  wayTo: (path: string) => string,
): Manifest['options']['comparison'] {
  const { comparison } = manifest.options
  if (comparison === null) return null
  const { path } = recordedBaseline(folder.path, comparison)
  return { ...comparison, baseline: wayTo(path) }
}

/** Null where one of them died. */
function endOf(manifests: readonly Manifest[]): string | null {
  const ends = manifests.flatMap(({ endedAt }) => (endedAt === null ? [] : [endedAt]))
  return ends.length === manifests.length ? ends.reduce((a, b) => (a > b ? a : b)) : null
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
