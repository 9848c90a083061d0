// What a load test's manifest says of it.
import type { LoadOptions } from '../../domain/load/load-options.ts'
import type { LoadReport } from '../../domain/load/load-report.ts'
import type { Manifest } from '../../domain/manifest.ts'

export function requireLoad({ load, runId }: Manifest): LoadOptions {
  if (load === null) throw new Error(`${runId} is no load test`)
  return load
}

/** `lastAt`: milliseconds since the epoch of the last record; 0 for none. */
export function describeLoadRun(manifest: Manifest, sittings: number, lastAt: number): LoadReport['run'] {
  const { runId, harnessVersion, target, datasets, options, startedAt, endedAt } = manifest
  return {
    id: runId,
    harnessVersion,
    target: target.name,
    organization: target.organization,
    origin: target.baseUrl,
    datasets: datasets.map(({ path, digest, turns }) => ({ path, digest, turns })),
    startedAt,
    endedAt: endedAt ?? (lastAt === 0 ? null : new Date(lastAt).toISOString()),
    sittings,
    groundedSources: options.groundedSources,
    successStatus: options.successStatus,
    countRejected: options.countRejected,
    quota: options.quota,
  }
}
