// What is inferred from records that were made for another purpose: runs that pace themselves, with few refusals, and a load
// that does not hold back.
import { inferLimit } from '../../../src/analysis/limit/infer.ts'
import type { CallSeen, LimitFinding } from '../../../src/domain/limit-finding.ts'
import { createAdaptivePolicy } from '../../../src/pace/adaptive-policy.ts'
import type { Sending } from '../../../src/pace/policy.ts'
import { seededRandom } from '../../../src/stats/random.ts'
import type { Contender } from '../pacing/party.ts'
import { naive } from '../pacing/peers.ts'
import type { Server } from '../pacing/servers.ts'
import { simulate } from '../pacing/simulate.ts'
import type { Scenario } from './scenarios.ts'

export type Manner = 'run' | 'load'

/** The record of so many calls got through the limiter, read. */
export function inferFromRecord(
  scenario: Scenario,
  manner: Manner,
  calls: number,
  seed: number,
): LimitFinding {
  const startedAt = 1_767_225_600_000 + (seed % 86_400) * 1000
  // The simulator's phase comes on top of the server's clock: both are told by the first call that arrives.
  let phase: number | undefined
  let firstSentAt = 0
  const inner = scenario.make(seed, startedAt)
  const server: Server = {
    ...inner,
    arrive: (now) => {
      phase ??= now - firstSentAt
      return inner.arrive(now + startedAt)
    },
    finish: (now) => inner.finish(now + startedAt),
  }
  const seen: CallSeen[] = []
  const asking =
    manner === 'run'
      ? createAdaptivePolicy({ random: seededRandom(1000 + seed) })
      : naive(seededRandom(1000 + seed))
  const sentAt = new Map<Sending, number>()
  const spy: Contender = {
    ...asking,
    onSend: (now, inFlight) => {
      const sending = { ...asking.onSend(now, inFlight) }
      if (phase === undefined) firstSentAt = now
      sentAt.set(sending, now)
      return sending
    },
    onAnswer: (now, sending, observation) => {
      seen.push({
        sentMs: sentAt.get(sending) ?? now,
        endedMs: now,
        refused: observation.kind === 'rateLimited',
      })
      return asking.onAnswer(now, sending, observation)
    },
  }
  simulate(spy, server, { calls, random: seededRandom(seed), medianMs: 2000, sigma: 0.6, cap: 64 })
  return inferLimit(seen, startedAt + (phase ?? 0))
}
