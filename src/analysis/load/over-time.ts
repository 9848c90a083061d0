// A load test in as many bins as a chart shows, however long it takes: where they run out, each takes in its neighbour.
import type { LoadBin, OverTime } from '../../domain/load.ts'
import { HdrCounts } from './hdr-counts.ts'
import { createValueCounts, type ValueCounts } from './value-counts.ts'

const MOST_BINS = 120
const FIRST_BIN_MS = 1000
/** Sources, and statuses, told apart in each bin. */
const MOST_VALUES = 12

const COUNTED = [
  'offered',
  'started',
  'dropped',
  'turnsDue',
  'answers',
  'calls',
  'answered',
  'withContext',
  'grounded',
  'refused',
  'errors',
] as const satisfies readonly (keyof LoadBin)[]

type Counts = { [K in (typeof COUNTED)[number]]: number }

interface Times {
  readonly serviceMs: number
  readonly responseMs: number
}

interface Mixed {
  readonly contextSource: string
  readonly status: string
}

export interface OpenBin extends Counts {
  inFlight: number
  /** So many calls were in flight at a moment of it. */
  fly(inFlight: number): void
  readonly service: HdrCounts
  readonly response: HdrCounts
  readonly sources: ValueCounts
  readonly statuses: ValueCounts
  readonly outcomes: ValueCounts
  /** `grounded` is undefined without context. */
  answer(times: Times, reply: Mixed, grounded: boolean | undefined): void
}

export interface LoadBins {
  /** The bin of that moment, milliseconds since the epoch; moments come roughly in order. */
  at(moment: number): OpenBin
  /** So many calls were in flight since the last such moment, up to this one. */
  fly(moment: number, inFlight: number): void
  /** Null where nothing was counted. */
  finish(): OverTime | null
}

function emptyBin(): OpenBin {
  const [service, response] = [new HdrCounts(2), new HdrCounts(2)]
  const [sources, statuses] = [createValueCounts(MOST_VALUES), createValueCounts(MOST_VALUES)]
  const bin: OpenBin = {
    ...(Object.fromEntries(COUNTED.map((name) => [name, 0])) as Counts),
    inFlight: 0,
    fly: (inFlight) => {
      bin.inFlight = Math.max(bin.inFlight, inFlight)
    },
    service,
    response,
    sources,
    statuses,
    outcomes: createValueCounts(),
    answer: ({ serviceMs, responseMs }, { contextSource, status }, grounded) => {
      bin.answered += 1
      if (grounded !== undefined) bin.withContext += 1
      if (grounded === true) bin.grounded += 1
      service.record(serviceMs)
      response.record(responseMs)
      sources.add(contextSource)
      statuses.add(status)
    },
  }
  return bin
}

/** `start`: milliseconds since the epoch; a moment before it counts in the first bin. */
export function createLoadBins(start: number): LoadBins {
  let bins: (OpenBin | undefined)[] = []
  let binMs = FIRST_BIN_MS
  let flownUntil = start

  const at = (moment: number): OpenBin => {
    const since = Math.max(0, moment - start)
    while (since >= MOST_BINS * binMs) {
      bins = joinNeighbours(bins)
      binMs *= 2
    }
    const place = Math.floor(since / binMs)
    return (bins[place] ??= emptyBin())
  }

  return {
    at,
    fly: (moment, inFlight) => {
      // Where nothing begins or ends, what is in flight stays so.
      if (inFlight > 0) {
        at(moment).fly(inFlight)
        for (let one = flownUntil; one < moment; one += binMs) at(one).fly(inFlight)
      }
      flownUntil = Math.max(flownUntil, moment)
    },
    finish: () =>
      bins.length === 0
        ? null
        : {
            from: new Date(start).toISOString(),
            binMs,
            bins: Array.from({ length: bins.length }, (_, place) => closeBin(bins[place] ?? emptyBin())),
          },
  }
}

const joinNeighbours = (bins: readonly (OpenBin | undefined)[]): (OpenBin | undefined)[] =>
  Array.from({ length: Math.ceil(bins.length / 2) }, (_, place) => join(bins[2 * place], bins[2 * place + 1]))

function join(first: OpenBin | undefined, second: OpenBin | undefined): OpenBin | undefined {
  if (first === undefined || second === undefined) return first ?? second
  for (const name of COUNTED) first[name] += second[name]
  first.fly(second.inFlight)
  first.service.add(second.service)
  first.response.add(second.response)
  first.sources.addAll(second.sources)
  first.statuses.addAll(second.statuses)
  first.outcomes.addAll(second.outcomes)
  return first
}

function closeBin(bin: OpenBin): LoadBin {
  const { service, response, sources, statuses, outcomes, inFlight } = bin
  const percentiles = (counts: HdrCounts): LoadBin['serviceMs'] => ({
    p50: counts.at(0.5),
    p95: counts.at(0.95),
  })
  return {
    ...(Object.fromEntries(COUNTED.map((name) => [name, bin[name]])) as Counts),
    inFlight,
    serviceMs: percentiles(service),
    responseMs: percentiles(response),
    contextSource: sources.finish(),
    status: statuses.finish(),
    outcomes: outcomes.finish(),
  }
}
