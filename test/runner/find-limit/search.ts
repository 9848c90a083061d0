// Runs the search against a limiter in virtual time.
import type { CallSeen, LimitFinding } from '../../../src/domain/limit.ts'
import { createLimitFinder } from '../../../src/runner/find-limit/finder.ts'
import type { FindLimitOptions, WhyDone } from '../../../src/runner/find-limit/seek.ts'
import { createEvents } from '../../bench/pacing/queues.ts'
import type { World } from './world.ts'

export interface Searched {
  readonly finding: LimitFinding
  readonly why: WhyDone
  readonly calls: number
  readonly refused: number
  readonly seconds: number
  readonly seen: readonly CallSeen[]
}

export function search(options: FindLimitOptions, world: World): Searched {
  const finder = createLimitFinder(options)
  const events = createEvents()
  let now = 0
  let calls = 0
  for (let steps = 0; steps < 5_000_000; steps += 1) {
    const step = finder.next(now)
    if (step.kind === 'done') {
      // The answers still under way are waited for.
      for (let event = events.peek(); event !== undefined; event = events.peek()) {
        now = Math.max(now, event.at)
        events.pop()
        event.run()
      }
      const finding = finder.finding(now)
      const seen = finder.seen(now)
      return { finding, why: step.why, calls, refused: finding.evidence.refusals, seconds: now / 1000, seen }
    }
    if (step.kind === 'send') {
      calls += 1
      const call = finder.onSend(now)
      const at = world.arrivesAt(now)
      const sentMs = now
      const arrive = (): void => {
        const result = world.arrive(sentMs, at)
        const settle = (): void => {
          if (!result.refused) world.finish(result.endedMs)
          finder.onResult(call, result.endedMs, result.refused, result.namedMs)
        }
        events.push({ at: result.endedMs, run: settle })
      }
      events.push({ at, run: arrive })
      continue
    }
    const event = events.peek()
    if (event !== undefined && event.at <= step.until) {
      events.pop()
      now = Math.max(now, event.at)
      event.run()
    } else now = step.until
  }
  throw new Error('the search does not end')
}
