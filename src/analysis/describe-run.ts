// What a summary says of the run itself: whom it asked what, when, and by which rules.
import type { Manifest } from '../domain/manifest.ts'
import type { Summary } from '../domain/summary.ts'

/** `lastAt`: milliseconds since the epoch of the journal's last record, which stands for an end that was not written. */
export function describeRun(
  manifest: Manifest,
  { sessions, lastAt }: { readonly sessions: number; readonly lastAt: number | undefined },
): Summary['run'] {
  const { runId, harnessVersion, target, datasets, options, startedAt, endedAt } = manifest
  return {
    id: runId,
    harnessVersion,
    target: target.name,
    organization: target.organization,
    origin: target.baseUrl,
    datasets: datasets.map(({ path, digest, turns }) => ({ path, digest, turns })),
    startedAt,
    endedAt: endedAt ?? (lastAt === undefined ? null : new Date(lastAt).toISOString()),
    sittings: sessions,
    groundedSources: options.groundedSources,
    quota: options.quota,
  }
}
