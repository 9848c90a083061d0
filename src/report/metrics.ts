// Metrics of runs and load tests in Prometheus's text format: while they last, and as they ended.
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { type AttemptResult, isRateLimited } from '../domain/attempt.ts'
import type { JournalEvent } from '../domain/journal.ts'
import { cut, showActing } from '../domain/text.ts'
import type { MetricFigure } from './metric-figures.ts'

export type Metrics = ReturnType<typeof createMetrics>

const PREFIX = 'assist_harness_'
/** Every sample has these labels; none has a question. */
const LABELS = ['target', 'organization'] as const
type MetricLabels = Readonly<Record<(typeof LABELS)[number], string>>
/** Seconds range from a quick answer to the usual time limit. */
const BUCKETS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120]
/** The endpoint names its sources: more than these would be a label without an end. */
const [MAX_SOURCES, MAX_SOURCE_CHARS] = [50, 100]

/**
 * A program has one registry for all that it sends. `now` is milliseconds since the epoch; every sample has
 * the labels of `common`, too.
 */
export function createMetrics(now: () => number, common: Readonly<Record<string, string>> = {}) {
  const registry = new Registry()
  registry.setDefaultLabels(common)
  const described = (name: string, help: string, ...more: readonly string[]) => ({
    name: PREFIX + name,
    help,
    labelNames: [...LABELS, ...more],
    registers: [registry],
  })
  const calls = new Counter(described('calls_total', 'Calls that ended, by their result.', 'result'))
  const turns = new Counter(described('turns_total', 'Outcomes of questions.', 'outcome'))
  const answers = new Counter(described('answers_total', 'Answers by contextSource.', 'context_source'))
  const service = new Histogram({
    ...described('service_seconds', 'From sending a call to the last byte of its answer.'),
    buckets: BUCKETS,
  })
  const inFlight = new Gauge(described('calls_in_flight', 'Calls that have no result yet.'))
  const pace = new Gauge(
    described('pace_calls_per_second', 'What the limiter allows; absent without a limit.'),
  )
  const pause = new Gauge(described('pause_seconds', 'How long nothing is sent; 0 without a pause.'))
  const left = new Gauge(described('turns_left', 'Questions without an outcome.'))
  const budget = new Gauge(
    described('budget_calls_left', 'Calls that --max-calls leaves; absent without it.'),
  )
  const refreshes: (() => void)[] = []

  const meter = (labels: MetricLabels, maxCalls: number | null = null, sent = 0) => {
    const sources = new Set<string>()
    const state = { attempts: sent, pausedUntil: 0 }
    const sourceOf = (source: string): string => {
      if (sources.size < MAX_SOURCES) sources.add(source)
      return sources.has(source) ? cut(showActing(source), MAX_SOURCE_CHARS) : 'other'
    }
    refreshes.push(() => {
      pause.set({ ...labels }, Math.max(0, state.pausedUntil - now()) / 1000)
      if (maxCalls !== null) budget.set({ ...labels }, Math.max(0, maxCalls - state.attempts))
    })
    return {
      add: (event: JournalEvent): void => {
        if (event.kind === 'intent') {
          state.attempts += 1
          inFlight.inc({ ...labels })
        } else if (event.kind === 'result') {
          inFlight.dec({ ...labels })
          calls.inc({ ...labels, result: resultOf(event.result) })
          if (event.result.kind === 'reply') service.observe({ ...labels }, event.serviceMs / 1000)
        } else if (event.kind === 'turnEnded') {
          turns.inc({ ...labels, outcome: event.outcome })
          if (event.result?.result.kind === 'reply')
            answers.inc({ ...labels, context_source: sourceOf(event.result.result.reply.contextSource) })
        } else if (event.kind === 'pace') {
          state.pausedUntil = event.pausedUntil ?? 0
          if (event.pace === null) pace.remove({ ...labels })
          else pace.set({ ...labels }, event.pace)
        } else if (event.kind === 'end') inFlight.set({ ...labels }, 0)
      },
      /** Each scrape asks how many questions have no outcome. */
      watch: (turnsLeft: () => number) => void refreshes.push(() => left.set({ ...labels }, turnsLeft())),
      set: (figures: readonly MetricFigure[]): void => {
        for (const [name, help, value] of figures) {
          const samples = typeof value === 'number' || value === null ? [{ value, labels: {} }] : value
          const gauge = new Gauge(described(name, help, ...Object.keys(samples[0]?.labels ?? {})))
          for (const sample of samples)
            if (sample.value !== null) gauge.set({ ...labels, ...sample.labels }, sample.value)
        }
      },
    }
  }
  return {
    meter,
    text: async (): Promise<string> => {
      for (const refresh of refreshes) refresh()
      return registry.metrics()
    },
    contentType: registry.contentType,
  }
}

function resultOf(result: AttemptResult): string {
  if (isRateLimited(result)) return 'rate_limited'
  if (result.kind === 'rejection') return result.httpStatus >= 500 ? 'server_error' : 'refused'
  return result.kind === 'reply' ? 'answered' : result.kind
}
