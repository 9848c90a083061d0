// Processes of a bench on cores of their own, so that a generator's figures are not its server's.
import { spawnSync } from 'node:child_process'
import { cpus } from 'node:os'

/** Server and generator; undefined where the machine has one core, or no way to say so. */
export const CORES =
  cpus().length > 1 && spawnSync('taskset', ['-V']).error === undefined
    ? ({ server: 0, generator: 1 } as const)
    : undefined

/** The command that runs on that core alone, where that can be said. */
export function pinnedTo(core: number, command: readonly [string, ...string[]]): [string, ...string[]] {
  return CORES === undefined ? [...command] : ['taskset', '-c', String(core), ...command]
}
