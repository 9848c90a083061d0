// Warnings beside figures: about the endpoint, restarts and lost journal records.
import type { Manifest } from '../options/manifest.ts'
import { makeMessage, type Message } from '../domain/message.ts'
import {
  attemptsUnreadable,
  attemptsNotCounted,
  contextsLost,
  figuresOfPart,
  notConfirmed,
  noGroundedSource,
  threadsRestarted,
} from './messages.ts'
import type { Figures } from '../domain/summary.ts'
import type { Model } from './fold.ts'

/** `notes`: warnings from reading the journals. */
export function runWarnings(
  figures: Figures,
  manifest: Manifest,
  { attemptsLost, restarts, stop, confirming, confirmed }: Model,
  notes: readonly string[],
): Message[] {
  const { total, notSent } = figures.turns
  const unconfirmed = new Set(
    confirming.flatMap(({ index, outcome }) =>
      outcome !== 'answered' && confirmed.has(index) ? [index] : [],
    ),
  )
  const restarted = [...restarts.values()].reduce((sum, count) => sum + count, 0)
  return [
    ...notedWarnings(manifest, notes),
    ...(stop?.kind === 'decided' && notSent > 0 ? [figuresOfPart(total - notSent, total)] : []),
    ...(stop?.kind === 'done' && unconfirmed.size > 0 ? [notConfirmed(unconfirmed.size)] : []),
    ...endpointWarnings(figures, manifest.options),
    ...(restarted > 0 ? [threadsRestarted(restarted, [...restarts])] : []),
    ...(attemptsLost > 0 ? [attemptsUnreadable(attemptsLost)] : []),
  ]
}

/** From reading the question sets, then from reading the journals. */
export const notedWarnings = (
  { warnings }: Pick<Manifest, 'warnings'>,
  notes: readonly string[],
): Message[] => [...warnings, ...notes].map((text) => makeMessage('noted', text))

/** Of fewer answers none may be grounded by chance. */
const ENOUGH_ANSWERS = 5

export function endpointWarnings(
  { turns, contextSource, quota }: Pick<Figures, 'turns' | 'contextSource' | 'quota'>,
  { groundedSources }: Pick<Manifest['options'], 'groundedSources'>,
): Message[] {
  const { answered, contextLost } = turns
  const isGrounding = Object.keys(contextSource).some((value) => groundedSources.includes(value))
  return [
    ...(answered >= ENOUGH_ANSWERS && !isGrounding ? [noGroundedSource(groundedSources)] : []),
    ...(contextLost > 0 ? [contextsLost(contextLost)] : []),
    ...(quota.notCounted > 0 ? [attemptsNotCounted(quota.notCounted)] : []),
  ]
}
