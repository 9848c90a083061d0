// How a conductor begins: with what the one before published, with what another night learned, or with nothing.
import { forAnotherNight, type Learned } from '../learned.ts'
import type { Closure } from '../policy.ts'
import { formatPace } from '../rate.ts'
import type { Office } from './conductor.ts'
import { statusSchema, parseMessage, type Night, type Status } from './protocol.ts'
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
 * `known`: the latest that is known; `witnessed`: what this process was told as it shared the limit then, so that it is the
 * same night. `now`: by our clock.
 */
export function takeOffice(
  term: string,
  known: Known | undefined,
  witnessed: Status | undefined,
  now: number,
): Office {
  const nothing = { term, processes: 0, learned: undefined, night: undefined, closure: undefined }
  if (known === undefined) return { ...nothing, begun: UNKNOWN, isOtherNight: true, gatherMs: 0 }
  const { status, ageMs } = known
  const night = olderBy(status.night, ageMs)
  const office = { term, processes: 0, night, closure: closureOf(known, now) }
  if (witnessed !== undefined || (ageMs <= FRESH_MS && status.processes > 0))
    return {
      ...office,
      begun: 'it goes on at the last pace of the process that paced before',
      learned: since(status.learned, ageMs),
      isOtherNight: false,
      processes: status.processes,
      toldProcesses: witnessed?.processes ?? 0,
      gatherMs: GATHER_MS,
    }
  const learned = night && forAnotherNight(night.learned)
  const begun =
    night === undefined || learned === undefined
      ? UNKNOWN
      : `it begins at ${formatPace(learned.pace)}, nine tenths of what was learned ${ago(night.ageMs)}`
  return { ...office, begun, learned, isOtherNight: true, gatherMs: 0 }
}

const UNKNOWN = 'nothing was known of the limit'

/** What is older than that is not begun with. */
const OLDEST_MS = 7 * 24 * 3_600_000

function olderBy(night: Night | undefined, ms: number): Night | undefined {
  if (night === undefined || night.ageMs + ms > OLDEST_MS) return undefined
  return { ...night, ageMs: night.ageMs + ms }
}

function closureOf({ status: { closure }, ageMs }: Known, now: number): Closure | undefined {
  if (closure === undefined) return undefined
  const at = now - ageMs
  return { from: at - closure.sinceMs, until: at + closure.forMs }
}

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
