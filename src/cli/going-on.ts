// What the command that goes on with a run must say beside its folder.
import { nextConfirmations } from './confirm.ts'
import type { Manifest } from '../domain/manifest.ts'
import { shellWord } from './shell-word.ts'
import type { Sitting } from './sitting.ts'

export interface GoingOn {
  /** Turns that are to be asked, those that are asked again among them. */
  readonly left: number
  readonly words: readonly string[]
}

/** Of a sitting that is over. `toAsk`: turns that it has not asked. */
export async function goingOn(
  sitting: Sitting,
  { state }: Pick<Manifest, 'state'>,
  toAsk: number,
): Promise<GoingOn> {
  const { settings } = sitting.target
  const isToConfirm = toAsk === 0 && state === 'incomplete'
  const left = isToConfirm ? ((await nextConfirmations(sitting))?.calls ?? 0) : toAsk
  const isRetry = settings.retryErrors === true && toAsk > 0 && someStartAgain(sitting)
  const { envFrom } = settings
  return {
    left,
    words: [
      ...(isRetry ? ['--retry-errors'] : []),
      ...(envFrom === undefined ? [] : ['--env-from', shellWord(envFrom)]),
    ],
  }
}

/** Whether a thread that was to start again has not. */
function someStartAgain({ threads }: Sitting): boolean {
  for (const { pending } of threads) if (pending !== undefined) return true
  return false
}
