// One timer for the deadlines of all requests under way: a timer each would cost more than what it watches.

export interface Timed {
  /** When the request began to leave; undefined before. Milliseconds of the clock. */
  readonly startedAt: number | undefined
  /** The deadline has passed. */
  expire(): void
}

export interface Deadlines {
  /** It has begun to leave: its deadline counts from now. */
  watch(startedAt: number): void
  end(): void
}

/** Deadlines that fall into one such span are kept together, at its end. Milliseconds. */
const SPAN_MS = 2

/** `underWay`: those to be watched. Never early by `now`; late by a span, and what the event loop is late by. */
export function createDeadlines(timeoutMs: number, underWay: Iterable<Timed>, now: () => number): Deadlines {
  let timer: NodeJS.Timeout | undefined

  // Looks at all of them, but seldom: it is set for the first deadline, and whoever starts later has a later one.
  const look = (): void => {
    timer = undefined
    let next = Infinity
    const moment = now()
    for (const one of underWay) {
      if (one.startedAt === undefined) continue
      const due = one.startedAt + timeoutMs
      if (due <= moment) one.expire()
      else if (due < next) next = due
    }
    if (next < Infinity) arm(next - moment)
  }
  const arm = (ms: number): void => {
    timer = setTimeout(look, Math.max(SPAN_MS, Math.ceil(ms)))
    // What is under way keeps the process alive by its socket.
    timer.unref()
  }
  return {
    watch: (startedAt) => {
      if (timer === undefined) arm(startedAt + timeoutMs - now())
    },
    end: () => clearTimeout(timer),
  }
}
