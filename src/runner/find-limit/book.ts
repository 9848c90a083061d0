// The calls of a search so far, and what became of each: an answer takes seconds, a refusal does not, so that silence
// soon speaks for a call.
import type { CallSeen } from '../../domain/limit-finding.ts'

export interface Sent {
  /** When it was to leave; once its end is known, when it did. */
  sentMs: number
  endedMs: number | undefined
  refused: boolean | undefined
  namedMs: number | undefined
  /** Ended in an error that says nothing of the limit. */
  isLost: boolean
}

export type Fate = 'pending' | 'passed' | 'refused' | 'lost'

/** Milliseconds without a refusal after which a call counts as let through. */
const SHORTEST_SILENCE_MS = 150
const UNKNOWN_SILENCE_MS = 3000
const SILENCE_OF_ROUND_TRIPS = 3

export class Book {
  readonly calls: Sent[] = []
  inFlight = 0
  refusals = 0
  /** The longest a refusal has taken, milliseconds. */
  #refusalMs: number | undefined

  send(now: number): Sent {
    const call: Sent = {
      sentMs: now,
      endedMs: undefined,
      refused: undefined,
      namedMs: undefined,
      isLost: false,
    }
    this.calls.push(call)
    this.inFlight += 1
    return call
  }

  /** `sentMs`: when it really left, where that is known better. */
  settle(call: Sent, now: number, refused: boolean, namedMs: number | undefined, sentMs = call.sentMs): void {
    const tookMs = now - call.sentMs
    Object.assign(call, { sentMs, endedMs: now, refused, namedMs })
    this.inFlight -= 1
    if (!refused) return
    this.refusals += 1
    this.#refusalMs = Math.max(this.#refusalMs ?? 0, tookMs)
  }

  /** A call of which nothing will be known says nothing of the limit. */
  forget(call: Sent): void {
    call.isLost = true
    this.inFlight -= 1
    this.calls.splice(this.calls.indexOf(call), 1)
  }

  get silenceMs(): number {
    if (this.#refusalMs === undefined) return UNKNOWN_SILENCE_MS
    return Math.max(SHORTEST_SILENCE_MS, SILENCE_OF_ROUND_TRIPS * this.#refusalMs)
  }

  fate(call: Sent, now: number): Fate {
    if (call.isLost) return 'lost'
    if (call.refused !== undefined) return call.refused ? 'refused' : 'passed'
    return now >= call.sentMs + this.silenceMs ? 'passed' : 'pending'
  }

  /** Whether the last so many calls were all refused. */
  endsRefused(count: number): boolean {
    return this.calls.length >= count && this.calls.slice(-count).every((call) => call.refused === true)
  }

  /** What may be judged by now. */
  seen(now: number): CallSeen[] {
    return this.calls.flatMap((call) => {
      if (this.fate(call, now) === 'pending') return []
      const { sentMs, endedMs = now, refused = false, namedMs } = call
      return [{ sentMs, endedMs, refused, ...(namedMs === undefined ? {} : { namedMs }) }]
    })
  }
}
