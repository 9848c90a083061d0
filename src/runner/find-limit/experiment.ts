// The experiments that a search is made of: each says when it wants its next call, and when it has seen enough.
import type { Book, Sent } from './book.ts'

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
