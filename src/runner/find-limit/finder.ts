// Seeks an organization's limit with as few calls as it takes: experiments one after the other, each chosen by what the
// ones before have shown. No clock, no network: it says what to do next, and is told what came of it.
import type { CallSeen, LimitFinding } from '../../domain/limit.ts'
import { Book, type Sent, type Experiment, type ExperimentName } from './experiment.ts'
import { type FindLimitOptions, type Step, type WhyDone, seek } from './seek.ts'

/** Times are milliseconds of one monotonic clock. */
export interface LimitFinder {
  next(now: number): Step
  /** A call goes out now; what comes of it is told with `onResult`, or `onLost`. */
  onSend(now: number): Sent
  /** `sentMs`: when the call really left, where that is known better than from `onSend`. */
  onResult(call: Sent, now: number, refused: boolean, namedMs?: number, sentMs?: number): void
  /** An error that says nothing of the limit. The call still counts toward the budget. */
  onLost(call: Sent): void
  /** Calls in flight count as let through once a refusal would have come. */
  seen(now: number): readonly CallSeen[]
  finding(now: number): LimitFinding
  /** What is being tried; undefined before the first experiment. */
  trying(): ExperimentName | undefined
}

export function createLimitFinder(options: FindLimitOptions): LimitFinder {
  const { budget, maxMs, maxInFlight, maxPerSecond, judge } = options
  const book = new Book()
  const gapMs = 1000 / maxPerSecond
  let [spent, startedAt, clock] = [0, Number.NaN, 0]
  let lastSentAt = Number.NEGATIVE_INFINITY
  let why: WhyDone | undefined
  let current: Experiment | undefined
  const experiments = seek(options, {
    book,
    now: () => clock,
    left: () => budget - spent,
    judge: () => judge(book.seen(clock)),
  })

  const advance = (): WhyDone | undefined => {
    const { value, done } = experiments.next()
    if (done === true) return value
    current = value
    return undefined
  }

  return {
    next: (now) => {
      if (Number.isNaN(startedAt)) startedAt = now
      clock = now
      while (why === undefined) {
        if (now - startedAt >= maxMs) why = 'time'
        else if (current === undefined) why = advance()
        else {
          const wish = current.wish(now, book)
          if (wish.kind === 'over') why = advance()
          else if (wish.kind === 'wait')
            return { kind: 'wait', until: Math.min(wish.until, startedAt + maxMs) }
          else if (spent >= budget) why = 'budget'
          else if (book.inFlight >= maxInFlight) return { kind: 'wait', until: startedAt + maxMs }
          else {
            const at = Math.max(wish.at, lastSentAt + gapMs)
            return at <= now ? { kind: 'send' } : { kind: 'wait', until: Math.min(at, startedAt + maxMs) }
          }
        }
      }
      return { kind: 'done', why }
    },
    onSend: (now) => {
      spent += 1
      lastSentAt = now
      const call = book.send(now)
      current?.onSent(call)
      return call
    },
    onResult: (call, now, refused, namedMs, sentMs) => book.settle(call, now, refused, namedMs, sentMs),
    onLost: (call) => book.forget(call),
    seen: (now) => book.seen(now),
    finding: (now) => judge(book.seen(now)),
    trying: () => current?.name,
  }
}
