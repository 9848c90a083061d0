// Load tests that reports are tried on: a ramp into a rate limit, one even rate, users in a loop.
import { createLoadFold } from '../../src/analysis/load/fold.ts'
import type { LoadReport, LoadOptions } from '../../src/domain/load.ts'
import type { Manifest } from '../../src/domain/manifest.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { loadManifest, loadRecords, makeLoad, type SimulatedLoad } from '../support/load-journal.ts'

export interface ExampleLoad {
  readonly manifest: Manifest
  readonly simulated: SimulatedLoad
}

export function reportOf({ manifest, simulated }: ExampleLoad): LoadReport {
  const fold = createLoadFold(manifest)
  for (const record of loadRecords(simulated)) fold.add(record)
  return fold.finish()
}

const reports = new Map<() => ExampleLoad, LoadReport>()

/** Of an example of this file, made once for all tests that look at it: to find the ramp's limit takes its time. */
export function exampleReport(example: () => ExampleLoad): LoadReport {
  const made = reports.get(example) ?? reportOf(example())
  reports.set(example, made)
  return made
}

const RAMP: LoadOptions['model'] = {
  kind: 'open',
  stages: [
    { durationMs: 60_000, from: 1, to: 20 },
    { durationMs: 60_000, from: 20, to: 20 },
  ],
}

/** Slower and less grounded beyond 12 threads a second, refused beyond 16, now and then dropped. */
export function rampIntoALimit(): ExampleLoad {
  const random = seededRandom(7)
  const load = makeLoad({ model: RAMP, maxInFlight: 60 })
  const manifest = loadManifest(load, {
    endedAt: '2026-11-21T12:02:01.000Z',
    options: {
      ...loadManifest().options,
      threshold: ['response.p95<1s', 'coverage>=60%', 'rate429<=10%'],
    },
  })
  const came: SimulatedLoad['came'] = ({ rate, turn }) => {
    const [luck, chance, slow] = [random(), random(), random()]
    if (rate > 18 && turn === 1 && luck < 0.01) return 'dropped'
    if (rate > 16 && turn === 1 && luck < 0.08) return { serviceMs: 20 + 20 * slow, fails: 'rate_limited' }
    if (luck > 0.998) return { serviceMs: 4000, fails: 'server_error' }
    const busy = Math.max(0, rate - 12) / 8
    return {
      serviceMs: 250 * (1 + 3 * busy * slow) * (0.6 + slow) * (chance > 0.99 ? 4 : 1),
      lagMs: 0.3 + slow + 40 * busy * (chance > 0.97 ? 1 : 0),
      source: chance < 0.85 - 0.25 * busy ? 'KNOWLEDGE_BASE' : 'MODEL',
    }
  }
  return { manifest, simulated: { load, threads: [1, 2, 1, 3, 1, 1, 2, 1, 1, 1, 1, 2], came } }
}

/** 20 a second for a minute, nothing odd. */
export function evenRate(): ExampleLoad {
  const random = seededRandom(3)
  const came: SimulatedLoad['came'] = () => ({
    serviceMs: 180 + 900 * random() ** 4,
    source: random() < 0.8 ? 'KNOWLEDGE_BASE' : 'MODEL',
  })
  return {
    manifest: loadManifest({}, { endedAt: '2026-11-21T12:01:01.000Z' }),
    simulated: { threads: Array.from({ length: 30 }, () => 1), came },
  }
}

/** Interrupted before a thread was due. */
export function nothingDue(): ExampleLoad {
  const load = makeLoad({ model: { kind: 'closed', users: 5, durationMs: 60_000 } })
  return {
    manifest: loadManifest(load),
    simulated: { load, threads: [], came: () => 'dropped', stop: { kind: 'interrupted', signal: 'SIGINT' } },
  }
}
