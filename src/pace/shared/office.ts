// How a conductor begins: with what the one before published, with what another night learned, or with nothing.
import type { Learned } from '../learned.ts'
import { forAnotherNight } from '../learned.ts'
import { formatPace } from '../rate.ts'
import type { Office } from './conductor.ts'
import { statusSchema, parseMessage, type Status } from './protocol.ts'
import { FRESH_MS, GATHER_MS } from './times.ts'

export interface Known {
  readonly status: Status
  readonly ageMs: number
}

export function readPublished(
  published: { readonly text: string; readonly ageMs: number } | undefined,
): Known | undefined {
  if (published === undefined) return undefined
  const status = parseMessage(statusSchema, published.text)
  return status === undefined ? undefined : { status, ageMs: published.ageMs }
}

/**
 * `known`: the latest that is known; `isWitness`: this process shared the limit then, so that it is the same night.
 * `now`: by our clock.
 */
export function takeOffice(term: string, known: Known | undefined, isWitness: boolean, now: number): Office {
  if (known === undefined)
    return {
      term,
      begun: 'nothing was known of the limit',
      learned: undefined,
      isOtherNight: true,
      closure: undefined,
      gatherMs: 0,
    }
  const { status, ageMs } = known
  const closure =
    status.closure === undefined
      ? undefined
      : {
          from: now - ageMs - status.closure.sinceMs,
          until: now - ageMs + status.closure.forMs,
          named: status.closure.named,
        }
  const isOtherNight = !isWitness && (ageMs > FRESH_MS || status.processes === 0)
  const learned = isOtherNight ? fromOtherNight(status.learned) : since(status.learned, ageMs)
  const begun = !isOtherNight
    ? 'it goes on at the last pace of the process that paced before'
    : learned === undefined
      ? 'nothing was known of the limit'
      : `it begins at ${formatPace(learned.pace)}, nine tenths of what was learned ${ago(ageMs)}`
  return {
    term,
    begun,
    learned: learned ?? status.learned,
    isOtherNight,
    closure,
    gatherMs: isOtherNight ? 0 : GATHER_MS,
  }
}

const fromOtherNight = (learned: Learned | undefined): Learned | undefined =>
  learned === undefined ? undefined : forAnotherNight(learned)

/** What was sent lately was sent so much earlier. */
function since(learned: Learned | undefined, ageMs: number): Learned | undefined {
  if (learned?.recent === undefined) return learned
  return { ...learned, recent: { ...learned.recent, ms: learned.recent.ms + ageMs } }
}

function ago(ms: number): string {
  const minutes = ms / 60_000
  if (minutes < 1.5) return `${Math.round(ms / 1000)} s ago`
  if (minutes < 90) return `${Math.round(minutes)} min ago`
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h ago` : `${Math.round(minutes / 1440)} days ago`
}
