// Where a command sends. What is typed wins over the config file, a sandbox over targets by name, and those
// over an address. Without any, all targets that are known; without those, the desk of the environment.
import { didYouMean, optionError } from './faults.ts'
import type { RunSettings } from './settings.ts'

export const ADDRESS_VARIABLE = 'ASSIST_BASE_URL'

export const addressIn = (env: Readonly<Record<string, string | undefined>>): string | undefined =>
  env[ADDRESS_VARIABLE]?.trim() || undefined

/**
 * Lets a typed sandbox, base URL or target replace what the config file says of the three, so that no desk
 * gets the key of another.
 */
export function placeOf(typed: RunSettings, file: RunSettings) {
  const isTyped = typed.sandbox === true || typed.baseUrl !== undefined || typed.target !== undefined
  const { sandbox = false, target, baseUrl } = isTyped ? typed : { ...file, ...typed }
  // What is typed of two kinds is rejected later; of a config file, one kind replaces the others.
  if (isTyped) return { sandbox, target, baseUrl }
  return { sandbox, target: sandbox ? undefined : target, baseUrl: sandbox || target ? undefined : baseUrl }
}

/** Names the targets to send to. Throws UsageError for places that exclude each other, or an unknown name. */
export function chooseTargets(
  { target: names, baseUrl, kb }: RunSettings,
  isSandbox: boolean,
  known: readonly string[],
): readonly string[] {
  if (baseUrl !== undefined && names !== undefined)
    throw optionError('baseUrl', 'cannot be used with --target: a target has its own base URL')
  const address = baseUrl !== undefined ? 'baseUrl' : names !== undefined ? 'target' : undefined
  if (isSandbox && address !== undefined)
    throw optionError(address, 'cannot be used with --sandbox; give one of them')
  if (!isSandbox && kb !== undefined) throw optionError('kb', 'needs --sandbox')
  const unknown = names?.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, known) || `; the config file has ${known.join(', ') || 'none'}`
    throw optionError('target', `${unknown} is none of the targets${hint}`)
  }
  return isSandbox ? [] : [...new Set(names ?? known)]
}
