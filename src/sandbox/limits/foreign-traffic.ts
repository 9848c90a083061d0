// Other clients of the organization, which spend the same limit without asking us.
import * as z from 'zod'
import { periodSchema } from '../duration.ts'
import type { Draw } from '../random.ts'

/** On average `calls` in each `window`, arriving at random (a Poisson process). */
export const foreignTrafficSchema = z.strictObject({ calls: z.number().positive(), window: periodSchema })
export type ForeignTraffic = z.output<typeof foreignTrafficSchema>

/**
 * Times of the foreign arrivals since the last asking, up to `now`. Those before `now - horizon` are left
 * out, since no limit remembers them: the process has no memory, so it may as well begin there.
 */
export function foreignArrivals(traffic: ForeignTraffic, startedAt: number, draw: Draw, purpose: string) {
  const meanGap = traffic.window / traffic.calls
  let index = 0
  const gap = (): number => -Math.log(1 - draw(purpose, index++)) * meanGap
  let next = startedAt + gap()

  return function* until(now: number, horizon: number): Generator<number> {
    if (next < now - horizon) next = now - horizon + gap()
    for (; next <= now; next += gap()) yield next
  }
}
