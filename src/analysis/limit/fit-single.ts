// Every kind of limit, alone, fitted to the record: best first.
import type { Calls } from './calls.ts'
import type { Closure } from './closures.ts'
import { fitAtOnce } from './fit-at-once.ts'
import { fitBucket } from './fit-bucket.ts'
import { fitWindows } from './fit-windows.ts'
import type { Fit } from './fit.ts'
import { makeLevels } from './levels.ts'

export function fitSingle(calls: Calls, closures: readonly Closure[]): Fit[] {
  const levels = makeLevels(calls.count)
  const bucket = fitBucket(calls, closures, levels)
  const fits = [
    ...(bucket === undefined ? [] : [bucket]),
    fitAtOnce(calls, closures.length, levels),
    ...fitWindows(calls, closures, levels),
  ]
  // Sorting is stable: of equals the simpler stands first.
  return fits.sort((one, other) => one.cost - other.cost)
}
