// Whether the machine that asks was the limit: then its figures must not be blamed on the endpoint.
import { digits } from '../../domain/digits.ts'
import type { GeneratorRecord } from '../../domain/journal.ts'
import type { GeneratorHealth } from '../../domain/load/generator-health.ts'
import { HdrCounts } from './hdr-counts.ts'

/**
 * The bounds. Calls that left late are in the response time: more than a tenth of its 95th percentile (and 10 ms, which
 * nobody feels) is the generator's own doing. The loop and one core count as too busy where they were so in more than a
 * tenth of the seconds, and in three of them at least: a single pause is no limit. Of fewer than 100 calls the
 * 99th percentile is the slowest one, the first connection as a rule: they tell nothing. A machine without an idle core explains
 * such harm and is none itself: the endpoint may run on the same one.
 */
export const GENERATOR_BOUNDS = {
  lagShareOfResponse: 0.1,
  leastLagMs: 10,
  loopDelayMs: 50,
  ownCores: 0.9,
  idleCores: 0.1,
  shareOfSeconds: 0.1,
  leastSeconds: 3,
  leastCalls: 100,
} as const

export interface WhatCame {
  /** 99th percentile of the send lag, and 95th of the response time; milliseconds. */
  readonly lag: number | null
  readonly response: number | null
  /** Calls that ended. */
  readonly calls: number
  /** The key was refused, or its quota is spent: that was the limit, whatever the machine did. */
  readonly isRefused: boolean
}

export interface GeneratorWatch {
  add(record: GeneratorRecord): void
  finish(came: WhatCame): GeneratorHealth
}

export function createGeneratorWatch(): GeneratorWatch {
  const loopDelay = new HdrCounts(2)
  let [seconds, late, busy, crowded, loopDelayMax] = [0, 0, 0, 0, 0]
  const own = createMean()
  const foreign = createMean()
  let cores: number | undefined

  return {
    add: (record) => {
      seconds += 1
      loopDelay.record(record.loopDelayP99Ms)
      loopDelayMax = Math.max(loopDelayMax, record.loopDelayMaxMs)
      own.add(record.cpu)
      cores = record.cores
      if (record.loopDelayP99Ms > GENERATOR_BOUNDS.loopDelayMs) late += 1
      if (record.cpu > GENERATOR_BOUNDS.ownCores) busy += 1
      if (record.foreignCpu === undefined) return
      foreign.add(record.foreignCpu)
      if (record.cores - record.cpu - record.foreignCpu < GENERATOR_BOUNDS.idleCores) crowded += 1
    },
    finish: ({ lag, response, calls, isRefused }) => {
      const lagBound = Math.max(
        GENERATOR_BOUNDS.leastLagMs,
        GENERATOR_BOUNDS.lagShareOfResponse * (response ?? 0),
      )
      const isOften = (count: number): boolean =>
        count >= GENERATOR_BOUNDS.leastSeconds && count > GENERATOR_BOUNDS.shareOfSeconds * seconds
      const inSeconds = (count: number): string => `in ${digits(count)} of ${digits(seconds)} seconds`
      const harm = [
        ...(lag !== null && lag > lagBound
          ? [
              `1 of 100 calls left ${lag.toFixed(1)} ms late or later, more than the ${lagBound.toFixed(1)} ms that do no harm here`,
            ]
          : []),
        ...(isOften(late)
          ? [`the event loop was late by more than ${GENERATOR_BOUNDS.loopDelayMs} ms ${inSeconds(late)}`]
          : []),
        ...(isOften(busy)
          ? [
              `this process used more than ${GENERATOR_BOUNDS.ownCores} of a processor core, of which it has one, ${inSeconds(busy)}`,
            ]
          : []),
      ]
      const crowding = `no processor core was free ${inSeconds(crowded)}: other programs took ${foreign.mean().toFixed(1)} of ${cores ?? 0}`
      const isKnown = calls >= GENERATOR_BOUNDS.leastCalls && !isRefused
      const known = isKnown ? harm : []
      const reasons = known.length > 0 && isOften(crowded) ? [...known, crowding] : known
      return {
        seconds,
        sendLagP99Ms: lag,
        loopDelayP99Ms: loopDelay.at(0.5),
        loopDelayMaxMs: seconds === 0 ? null : loopDelayMax,
        cpu: own.finish(),
        foreignCpu: foreign.finish(),
        cores: cores ?? null,
        limited: reasons.length > 0,
        reasons,
      }
    },
  }
}

interface Mean {
  add(value: number): void
  mean(): number
  finish(): { readonly mean: number; readonly max: number } | null
}

function createMean(): Mean {
  let [sum, count, max] = [0, 0, 0]
  return {
    add: (value) => {
      sum += value
      count += 1
      max = Math.max(max, value)
    },
    mean: () => sum / count,
    finish: () => (count === 0 ? null : { mean: sum / count, max }),
  }
}
