// The queues of the simulator: events by time, ready threads by what is best next.

export interface Event {
  readonly at: number
  readonly run: () => void
}

/** A binary heap of events, earliest first. */
export function createEvents() {
  const heap: Event[] = []
  return {
    peek: (): Event | undefined => heap[0],
    push: (event: Event): void => {
      let place = heap.push(event) - 1
      while (place > 0) {
        const parent = (place - 1) >> 1
        const above = heap[parent]
        if (above === undefined || above.at <= event.at) break
        heap[place] = above
        place = parent
      }
      heap[place] = event
    },
    pop: (): void => {
      const last = heap.pop()
      if (last === undefined || heap.length === 0) return
      let place = 0
      for (;;) {
        const left = 2 * place + 1
        const right = left + 1
        const a = heap[left]
        const b = heap[right]
        if (a === undefined) break
        const [child, lower] = b !== undefined && b.at < a.at ? [right, b] : [left, a]
        if (lower.at >= last.at) break
        heap[place] = lower
        place = child
      }
      heap[place] = last
    },
  }
}

export interface SimThread {
  left: number
  refusals: number
}

/** Refused first, then the most turns left: a list for each number of turns. */
export function createReady() {
  const buckets: SimThread[][] = Array.from({ length: 11 }, () => [])
  let size = 0
  return {
    get size() {
      return size
    },
    push: (thread: SimThread): void => {
      size += 1
      buckets[thread.refusals > 0 ? 10 : thread.left]?.push(thread)
    },
    pop: (): SimThread | undefined => {
      for (let place = buckets.length - 1; place >= 0; place -= 1) {
        const thread = buckets[place]?.pop()
        if (thread === undefined) continue
        size -= 1
        return thread
      }
      return undefined
    },
  }
}
