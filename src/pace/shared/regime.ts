// The policy that all members go by, made of what they were told; what it has learned outlives a change of it.
import { AUTO_CONCURRENCY, createPolicy } from '../create.ts'
import type { Learned } from '../learned.ts'
import type { Observation } from '../observation.ts'
import type { Closure, PaceChange, Policy, Sending } from '../policy.ts'
import type { Office } from './conductor.ts'
import type { Night, Rules } from './protocol.ts'
import { rateOf, strictest } from './rules.ts'

export interface Regime {
  /** Undefined while there was no member yet. */
  readonly policy: Policy | undefined
  /** Calls in flight at most, in all members together. */
  readonly concurrency: number
  /** Calls a second. */
  readonly pace: number
  /** Not before this, whatever the policy says. */
  readonly notBefore: number
  closureAt(now: number): Closure | undefined
  learnedBy(now: number): Learned | undefined
  /** What another night may begin with, learned now or before. */
  nightBy(now: number): Night | undefined
  /** These are the rules of all members now. */
  rule(all: readonly Rules[], now: number): PaceChange | undefined
  /** `by` granted the call, or nobody here did: then what it asks for is kept, but it is not measured by. */
  answer(
    now: number,
    call: { readonly policy: Policy; readonly sending: Sending } | undefined,
    inFlight: number,
    observation: Observation,
  ): PaceChange | undefined
}

/** `begunAt`: by the clock of all the times here. */
export function createRegime(office: Office, begunAt: number, random: () => number): Regime {
  let policy: Policy | undefined
  let rules: Rules | undefined
  /** Of the policy or conductor before. */
  let carried = office.closure
  /** What was known before the policy that goes now. */
  let before = office.learned

  const closureAt = (now: number): Closure | undefined => {
    const own = policy?.state().closure
    const latest = own === undefined || (carried !== undefined && carried.until > own.until) ? carried : own
    return latest !== undefined && latest.until > now ? latest : undefined
  }
  const learnedBy = (now: number): Learned | undefined => withWhatWasMet(policy?.learned?.(now), before)

  const replace = ({ share, ...rest }: Rules, now: number): void => {
    const learned = policy === undefined ? office.learned : learnedBy(now)
    before = learned
    carried = closureAt(now)
    policy = createPolicy(
      {
        rate: rateOf(rest),
        concurrency: 'auto',
        share,
        beginning: learned === undefined ? undefined : { learned, at: now },
      },
      random,
    )
  }

  return {
    get policy() {
      return policy
    },
    get concurrency() {
      return rules?.concurrency ?? AUTO_CONCURRENCY
    },
    get pace() {
      return policy?.state().pace ?? office.learned?.pace ?? 0
    },
    get notBefore() {
      return Math.max(begunAt + office.gatherMs, carried?.until ?? 0)
    },
    closureAt,
    learnedBy,
    nightBy: (now) => {
      const own = policy && learnedBy(now)
      const isNew = !office.isOtherNight || own?.capacity !== office.learned?.capacity
      if (own?.capacity !== undefined && isNew) return { learned: own, ageMs: 0 }
      return office.night && { ...office.night, ageMs: office.night.ageMs + now - begunAt }
    },
    rule: (all, now) => {
      if (all.length === 0) return undefined
      const was = rules
      rules = strictest(all)
      const isSame = was?.perSecond === rules.perSecond && was?.share === rules.share
      if (policy === undefined || !isSame) replace(rules, now)
      return undefined
    },
    answer: (now, call, inFlight, observation) => {
      if (policy === undefined) return undefined
      const sending =
        call?.policy === policy
          ? call.sending
          : { at: call?.sending.at ?? now, inFlight: inFlight + 1, epoch: -1, handle: -1 }
      return policy.onAnswer(now, sending, observation)
    },
  }
}

/**
 * A policy that goes by a rate below the limit never meets it: what others had met stands, for when that rate is gone again.
 * Its own calls do not tell when a window of the limit opened.
 */
function withWhatWasMet(own: Learned | undefined, before: Learned | undefined): Learned | undefined {
  if (own === undefined || own.capacity !== undefined || before?.capacity === undefined) return own ?? before
  return { ...before, recent: before.memoryMs > 0 ? undefined : own.recent, met: own.met }
}
