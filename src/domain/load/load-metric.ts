// The figures of `load.json` by the names that thresholds use.
import { metricsOf, type Metric } from '../metric.ts'
import { loadFiguresSchema } from './load-report.ts'

export const LOAD_METRICS: readonly Metric[] = metricsOf(
  loadFiguresSchema,
  {
    short: {
      // A run's latency is service time; so it is here.
      serviceMs: ['service', 'latency'],
      responseMs: 'response',
      waitMs: 'wait',
      sendLagMs: 'lag',
      refusedMs: 'refused',
      failureMs: 'failureLatency',
      'dropped.threads': 'dropped',
      'coverage.rate': ['coverage', 'grounded'],
      'errors.rate': 'errors',
      'pacing.rate429': 'rate429',
    },
    milliseconds: new Set(['serviceMs', 'responseMs', 'waitMs', 'sendLagMs', 'refusedMs', 'failureMs']),
    perSecond: new Set([
      'offered.rate',
      'achieved.rate',
      'achieved.turnsPerSecond',
      'achieved.callsPerSecond',
    ]),
  },
  false,
)
