// Whether the endpoint kept up with what was due, while threads arrived.
import * as z from 'zod'

const rate = z.number().nullable()

export const keepingUpSchema = z.object({
  /** `unknown`: too few calls, too short a time, or users who loop: they wait for their answers, and ask less of a slower endpoint. */
  verdict: z.enum(['kept', 'behind', 'unknown']),
  /**
   * Turns due, and turns that ended, a second of the last quarter of the time in which threads arrived; where the endpoint
   * answered nothing for part of it, of the time from an opening before, or the start, to the last opening or the end. Where it
   * opened once only, and answered less before that than after, of the whole test, if that fell short, too.
   */
  due: rate,
  ended: rate,
  /** That time, milliseconds since the start. */
  fromMs: rate.default(null),
  toMs: rate.default(null),
  /** Turns due and not ended as the arrivals ended. */
  unanswered: z.int().nullable(),
  /** Typical response times, milliseconds: of the quickest tenth of that time, and of its last quarter. */
  quickestMs: rate,
  lastMs: rate,
})
export type KeepingUp = z.infer<typeof keepingUpSchema>
