// The experiments that a search is made of: each says when it wants its next call, and when it has seen enough.
import type { CallSeen } from '../../domain/limit.ts'

export type Wish =
  | { readonly kind: 'send'; readonly at: number }
  | { readonly kind: 'wait'; readonly until: number }
  | { readonly kind: 'over' }

export type ExperimentName = 'burst' | 'probe' | 'sit' | 'rest'

export interface Experiment {
  readonly name: ExperimentName
  wish(now: number, book: Book): Wish
  onSent(call: Sent): void
}

const OVER: Wish = { kind: 'over' }

/** As fast as is allowed, until one is refused or so many were sent. */
export function burst(most: number): Experiment {
  const own: Sent[] = []
  return {
    name: 'burst',
    wish: (now, book) => {
      if (own.some((call) => call.refused === true)) return OVER
      if (own.length < most) return { kind: 'send', at: now }
      const waiting = own.find((call) => book.fate(call, now) === 'pending')
      return waiting === undefined ? OVER : { kind: 'wait', until: waiting.sentMs + book.silenceMs }
    },
    onSent: (call) => void own.push(call),
  }
}

/** One call at each of these times, one after the other, until one is let through. Passes times that are gone. */
export function probe(times: Iterable<number>): Experiment {
  const ahead: Iterator<number, unknown> = times[Symbol.iterator]()
  let last: Sent | undefined
  let next: number | undefined
  return {
    name: 'probe',
    wish: (now, book) => {
      if (last !== undefined) {
        const fate = book.fate(last, now)
        if (fate === 'passed') return OVER
        if (fate === 'pending') return { kind: 'wait', until: last.sentMs + book.silenceMs }
      }
      const after = last?.sentMs ?? Number.NEGATIVE_INFINITY
      while (next === undefined || next <= after) {
        const { value, done } = ahead.next()
        if (done === true) return OVER
        next = value
      }
      return { kind: 'send', at: Math.max(now, next) }
    },
    onSent: (call) => {
      last = call
      next = undefined
    },
  }
}

/** Evenly, so many calls; ends early where the last `patience` of them were all refused. */
export function sit(gapMs: number, most: number, patience: number): Experiment {
  const own: Sent[] = []
  let nextAt: number | undefined
  return {
    name: 'sit',
    wish: (now, book) => {
      if (own.length >= most) {
        const waiting = own.find((call) => book.fate(call, now) === 'pending')
        return waiting === undefined ? OVER : { kind: 'wait', until: waiting.sentMs + book.silenceMs }
      }
      const latest = own.filter((call) => book.fate(call, now) !== 'pending').slice(-patience)
      if (latest.length === patience && latest.every((call) => call.refused === true)) return OVER
      return { kind: 'send', at: Math.max(now, nextAt ?? now) }
    },
    onSent: (call) => {
      own.push(call)
      nextAt = Math.max(nextAt ?? call.sentMs, call.sentMs - gapMs) + gapMs
    },
  }
}

/** Nothing until then. */
export function rest(until: number): Experiment {
  return {
    name: 'rest',
    wish: (now) => (now >= until ? OVER : { kind: 'wait', until }),
    onSent: () => undefined,
  }
}

export interface Sent {
  /** When it was to leave; once its end is known, when it did. */
  sentMs: number
  endedMs: number | undefined
  refused: boolean | undefined
  namedMs: number | undefined
  /** Ended in an error that says nothing of the limit. */
  isLost: boolean
}

type Fate = 'pending' | 'passed' | 'refused' | 'lost'

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
