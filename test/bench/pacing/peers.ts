// Well-known ways to handle a rate limit, to compare ours with.
import type { Observation } from '../../../src/pace/observation.ts'
import type { SentCall } from '../../../src/pace/state.ts'
import type { Contender } from './simulate.ts'

const note = (at: number, inFlight: number): SentCall => ({
  number: 0,
  at,
  inFlight,
})
const fullJitter = (random: () => number, baseMs: number, capMs: number) => (refusals: number) =>
  1 + random() * Math.min(capMs, baseMs * 2 ** refusals)

/** `workers` calls in flight, each with its own backoff and full jitter, like most harnesses. */
export function naive(random: () => number, workers = 16): Contender {
  return {
    nextSendAt: (now, inFlight) => (inFlight < workers ? now : Infinity),
    onSend: note,
    onAnswer: () => undefined,
    retryDelayMs: fullJitter(random, 1000, 60_000),
  }
}

/** Additive increase, multiplicative decrease: each second 0.1 calls per second more, half at a 429. */
export function additiveIncrease(random: () => number): Contender {
  let pace = 4
  let nextAt = 0
  let grownAt = 0
  let cutAt = -Infinity
  return {
    nextSendAt: (now) => Math.max(now, nextAt),
    onSend: (now, inFlight) => {
      pace += (0.1 * (now - grownAt)) / 1000
      grownAt = now
      nextAt = Math.max(now, nextAt) + 1000 / pace
      return note(now, inFlight)
    },
    onAnswer: (now, sending, observation) => {
      // One decrease for the calls that were sent at one pace.
      if (observation.kind !== 'rateLimited' || sending.at < cutAt) return undefined
      pace = Math.max(0.05, pace / 2)
      cutAt = now
      return undefined
    },
    retryDelayMs: fullJitter(random, 1000, 60_000),
  }
}

/** The adaptive retry mode of the AWS SDKs (botocore `retries/adaptive.py`): CUBIC over the measured send rate. */
export function awsAdaptive(random: () => number): Contender {
  const [beta, scale, smooth, leastRate] = [0.7, 0.4, 0.8, 0.5]
  let [tokens, capacity, fillRate, filledAt] = [0, 0, 0, 0]
  let isEnabled = false
  let [measured, bucketAt, count] = [0, 0, 0]
  let [lastMax, throttledAt, window] = [0, 0, 0]
  const fill = (now: number): void => {
    tokens = Math.min(capacity, tokens + ((now - filledAt) / 1000) * fillRate)
    filledAt = now
  }
  const clock = (now: number): void => {
    count += 1
    const bucket = Math.floor((now / 1000) * 2) / 2
    if (bucket <= bucketAt) return
    measured = (count / (bucket - bucketAt)) * smooth + measured * (1 - smooth)
    count = 0
    bucketAt = bucket
  }
  const setRate = (now: number, rate: number): void => {
    fill(now)
    fillRate = Math.max(rate, leastRate)
    capacity = Math.max(rate, 1)
    tokens = Math.min(tokens, capacity)
  }
  return {
    nextSendAt: (now) => {
      if (!isEnabled) return now
      fill(now)
      return tokens >= 1 - 1e-9 ? now : now + ((1 - tokens) / fillRate) * 1000
    },
    onSend: (now, inFlight) => {
      if (isEnabled) {
        fill(now)
        tokens -= 1
      }
      return note(now, inFlight)
    },
    onAnswer: (now, _, observation: Observation) => {
      clock(now)
      const seconds = now / 1000
      if (observation.kind === 'rateLimited') {
        const rate = isEnabled ? Math.min(measured, fillRate) : measured
        lastMax = rate
        window = Math.cbrt((lastMax * (1 - beta)) / scale)
        throttledAt = seconds
        isEnabled = true
        setRate(now, rate * beta)
      } else {
        const cubic = scale * (seconds - throttledAt - window) ** 3 + lastMax
        if (isEnabled) setRate(now, Math.min(cubic, 2 * measured))
      }
      return undefined
    },
    retryDelayMs: fullJitter(random, 1000, 20_000),
  }
}

/** Sends evenly at a fixed rate, like a plain `minTime`. */
export function even(perSecond: number): Contender {
  let nextAt = 0
  return {
    nextSendAt: (now) => Math.max(now, nextAt),
    onSend: (now, inFlight) => {
      nextAt = Math.max(nextAt, now) + 1000 / perSecond
      return note(now, inFlight)
    },
    onAnswer: () => undefined,
  }
}
