// Processes of one organization in virtual time. They share one state, which each reads and writes as it
// would in Redis.
import type { Limiter, Permit } from '../../src/pace/limiter.ts'
import { createSharedState, leave, type SharedState } from '../../src/pace/processes.ts'
import type { PaceRules } from '../../src/pace/rules.ts'
import { type PaceStore, SharedLimiter } from '../../src/pace/shared.ts'
import type { VirtualClock } from './virtual-clock.ts'

export type SharedProcess = ReturnType<ReturnType<typeof createSharedPace>['join']>

/** Durations in milliseconds: an answer, a 429. */
const ANSWER_MS = 200
const REFUSAL_MS = 10

/**
 * `take` returns whether the endpoint accepts a call at that time. `random` is uniform in [0, 1). `tripMs`: how
 * long a command takes to the store, or its reply back.
 */
export function createSharedPace(
  clock: VirtualClock,
  random: () => number,
  take: (now: number) => boolean,
  first: PaceRules,
  tripMs: () => number = () => 2 * random(),
) {
  const kept = { version: 0, text: JSON.stringify(createSharedState(first)) }
  const sent: { readonly process: string; readonly at: number; readonly isAccepted: boolean }[] = []

  const storeFor = (isDead: () => boolean): PaceStore => {
    let version = kept.version
    let state = JSON.parse(kept.text) as SharedState
    const step: PaceStore['step'] = (act, done) => {
      const value = act(state, clock.now())
      const isChanged = value.state !== state
      const text = JSON.stringify(value.state)
      clock.after(tripMs(), () => {
        if (isDead()) return
        const isFirst = version === kept.version
        if (isFirst && isChanged) {
          state = value.state
          Object.assign(kept, { version: (version += 1), text })
        }
        const { text: latest, version: latestVersion } = kept
        clock.after(tripMs(), () => {
          if (isDead()) return
          if (isFirst) done(value)
          else {
            ;[version, state] = [latestVersion, JSON.parse(latest) as SharedState]
            step(act, done)
          }
        })
      })
    }
    return { now: () => clock.now(), state: () => state, step, lost: new AbortController().signal }
  }

  return {
    sent,
    state: (): SharedState => JSON.parse(kept.text) as SharedState,
    join: (id: string, rules: PaceRules = first) => {
      let isDead = false
      // A dead process has no timers: without this the shared clock would still run them.
      const own = {
        now: () => clock.now(),
        wall: () => clock.wall(),
        after: (ms: number, run: () => void) => clock.after(ms, () => (isDead ? undefined : run())),
      }
      const store = storeFor(() => isDead)
      const limiter = new SharedLimiter(store, { id, rules, random }, own)
      const send = (permit: Permit | undefined): void => {
        if (permit === undefined || isDead) return
        const at = clock.now()
        const isAccepted = take(at)
        sent.push({ process: id, at, isAccepted })
        own.after(isAccepted ? ANSWER_MS : REFUSAL_MS, () =>
          permit.settle(isAccepted ? { kind: 'accepted' } : { kind: 'rateLimited', namedMs: undefined }),
        )
        own.after(0, () => limiter.request(send))
      }
      return {
        limiter: limiter as Limiter,
        work: () => void limiter.request(send),
        /** Its calls in flight never end, and it writes nothing. */
        die: () => {
          isDead = true
        },
        leave: () => {
          limiter.close()
          store.step(
            (state, now) => ({ state: leave(state, now, id) }),
            () => undefined,
          )
        },
      }
    },
  }
}
