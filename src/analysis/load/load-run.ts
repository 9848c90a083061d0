// What a load test's manifest says of it.
import type { LoadOptions } from '../../domain/load.ts'
import type { Manifest } from '../../domain/manifest.ts'

export function requireLoad({ load, runId }: Manifest): LoadOptions {
  if (load === null) throw new Error(`${runId} is no load test`)
  return load
}
