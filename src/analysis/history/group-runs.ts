// Which runs belong to one series, and what people call it.
import { compareTexts } from '../../domain/text.ts'
import type { HistorySeries } from '../../domain/history.ts'
import { isUnnamed } from '../comparison/settings/endpoint.ts'
import { selected } from '../comparison/settings/answers.ts'
import type { RecordedRun } from './recorded-run.ts'

export interface RunGroup extends Pick<
  HistorySeries,
  'name' | 'target' | 'organization' | 'sandbox' | 'sets' | 'part' | 'repeat'
> {
  /** In the order given. */
  readonly runs: readonly RecordedRun[]
}

/** Those with most runs first, then by name. Described by their latest run. */
export function groupRuns(runs: readonly RecordedRun[]): RunGroup[] {
  const groups = new Map<string, RecordedRun[]>()
  for (const run of runs) {
    const key = keyOf(run)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [run])
    else group.push(run)
  }
  const described = [...groups.values()].map(describe)
  const names = new Map<string, number>()
  for (const { name } of described) names.set(name, (names.get(name) ?? 0) + 1)
  const named = described.map((group) =>
    names.get(group.name) === 1 ? group : { ...group, name: `${group.name}, ${group.organization}` },
  )
  const inOrder = named.sort(
    (some, other) => other.runs.length - some.runs.length || compareTexts(some.name, other.name),
  )
  // Two desks may have one name.
  const seen = new Map<string, number>()
  return inOrder.map((group) => {
    const number = (seen.get(group.name) ?? 0) + 1
    seen.set(group.name, number)
    return number === 1 ? group : { ...group, name: `${group.name} (${number})` }
  })
}

/**
 * Same target and organization (its address, where nobody named it; a sandbox has another address and key each time), same
 * files by name, same part of them, same repeats. A seed without a sample draws nothing.
 */
function keyOf({ manifest, shard }: RecordedRun): string {
  const { target, options } = manifest
  const desk = target.sandbox ? '' : isUnnamed(manifest) ? target.baseUrl : target.organization
  const part = selected(options)
  return JSON.stringify([target.sandbox, target.name, desk, setsOf(manifest), part, shard, options.repeat])
}

const setsOf = ({ datasets }: RecordedRun['manifest']): string[] =>
  datasets.map(({ path }) => path).sort(compareTexts)

function describe(runs: readonly RecordedRun[]): RunGroup {
  const latest = runs.at(-1)
  if (latest === undefined) throw new Error('a series without runs')
  const { manifest, shard } = latest
  const { target, options } = manifest
  const chosen = selected(options)
  const part = [...(chosen === 'all' ? [] : [chosen]), ...(shard === null ? [] : [`shard ${shard}`])]
  const { repeat } = options
  const whom = target.sandbox ? 'sandbox' : target.name === 'default' ? target.baseUrl : target.name
  const sets = setsOf(manifest)
  return {
    name: [
      `${sets.join(' + ')} of ${whom}`,
      ...part,
      ...(repeat > 1 ? [`each question ${repeat} times`] : []),
    ].join(', '),
    target: target.name,
    organization: target.sandbox ? 'sandbox' : target.organization,
    sandbox: target.sandbox,
    sets,
    part: part.join('; '),
    repeat,
    runs,
  }
}
