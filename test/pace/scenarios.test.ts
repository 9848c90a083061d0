// Protects the pace on each limiter of the bench, in virtual time, with the rate unknown and known: seconds until the last answer,
// and number of 429s. A change of the policy shows its effect on each here; `npm run bench -- pacing` compares the means of many
// runs with the goals.
import { expect, test } from 'vitest'
import { seededRandom } from '../../src/stats/random.ts'
import { FAST, JITTER_MS, shapes } from '../bench/pacing/fast.ts'
import { ours } from '../bench/pacing/ours.ts'
import { scenarios } from '../bench/pacing/scenarios.ts'
import { bucket, concurrent, fixed, limited, type Server } from '../bench/pacing/servers.ts'
import { simulate } from '../bench/pacing/simulate.ts'

const WINDOWS = [
  { limit: 30, window: 2, calls: 1000 },
  { limit: 60, window: 6, calls: 400 },
]
const SHARED: readonly (readonly [string, () => Server])[] = [
  ['fixed 60/6s', () => limited([fixed(60, 6)])],
  ['token bucket 5/s b10', () => limited([bucket(5, 10)])],
  ['at once 10', () => concurrent(10)],
]
const SLOW = { calls: 1000, medianMs: 2000, sigma: 0.6, cap: 64 }

function measure(server: Server, known?: number, more: object = {}, jitterMs?: number): string {
  const load = { ...SLOW, random: seededRandom(301), ...more }
  const { makespan, refused } = simulate(ours(seededRandom(1301), { known }), server, load, jitterMs)
  return `${(makespan / 1000).toFixed(1).padStart(8)} ${String(refused).padStart(3)}`
}

test('with answers of two seconds', () => {
  const rows = scenarios.map(({ name, known, make }) => {
    const figures = [undefined, ...(known === undefined ? [] : [known])].map((rate) =>
      measure(make(seededRandom(2301)), rate),
    )
    return `${name.padEnd(30)}${figures.join('')}`
  })
  expect(rows.join('\n')).toMatchInlineSnapshot(`
    "fixed 60/60s                     971.8  22  1011.3   0
    fixed 300/60s                    169.0  10   206.2   0
    sliding log 300/60s              203.3  10   206.2   0
    sliding log 60/60s              1021.2  17  1011.3   0
    log 60/60s, rejects consume     1044.5  19  1011.3   0
    sliding counter 300/60s          165.4  13   206.2   0
    fixed 90/30s                     337.4  11   340.2   0
    sliding log 40/10s               261.0  10   256.4   0
    sliding log 100/20s              249.7   9   206.2   0
    fixed 1000/3600s                  46.3   0  3635.0   0
    fixed 10/1s                      110.7  13   107.4   0
    fixed 20/2s                      110.5  11   107.4   0
    sliding log 8/1s                 143.8   7   148.4  82
    token bucket 1/s b20             983.1  20  1011.3   0
    token bucket 5/s b10             201.4  11   206.2   0
    GCRA 8/s b4                      131.4   8   131.0   0
    10/s + 200/min                   275.1  23   306.7   0
    5/s + 100/min                    572.1  20   608.2   0
    token bucket 3/s b60             317.4  24   340.2   0
    at once 10                       252.4  11
    at once 4                        623.6   9
    at once 20                       127.5  13
    fixed 60/60s, seconds            969.9  12  1011.3   0
    fixed 300/60s, seconds           166.7   4   206.2   0
    token bucket 5/s, seconds        201.2  17   206.2   0
    fixed 60/60s, RateLimit          974.6  15  1011.3   0
    fixed 300/60s, X-RateLimit       165.7   8   206.2   0
    "a";q=60;w=60                   1011.3   0  1011.3   0
    10;w=1, 200;w=60                 306.7   0   306.7   0
    fixed 60/60s, always 0           971.8  22  1011.3   0
    fixed 300/60s, always 1          166.9   9   206.2   0
    token bucket 5/s, always 60      292.0   3   206.2   0
    sliding log 60/60s, always 5    1071.5  14  1011.3   0
    fixed 300/60s, 50 % others       285.7  22   423.4  14
    token bucket 5/s, 25 % others    276.8  47   280.4  18
    token bucket 5/s, doubled        170.3  13
    sliding log 300/60s, halved      308.2  18
    GCRA 8/s b1                      175.3  13   173.8  14"
  `)
})

test('with a share of an unknown limit', () => {
  const rows = [0.5, 0.8].flatMap((share) =>
    SHARED.map(([name, server]) => {
      const load = { ...SLOW, random: seededRandom(301) }
      const { makespan, refused } = simulate(ours(seededRandom(1301), { share }), server(), load)
      return `${name.padEnd(22)}${share}${(makespan / 1000).toFixed(1).padStart(8)} ${String(refused).padStart(3)}`
    }),
  )
  expect(rows.join('\n')).toMatchInlineSnapshot(`
    "fixed 60/6s           0.5   309.7   8
    token bucket 5/s b10  0.5   419.1   5
    at once 10            0.5   528.2   3
    fixed 60/6s           0.8   119.4  13
    token bucket 5/s b10  0.8   272.4   4
    at once 10            0.8   428.3   3"
  `)
})

test('with answers of 0.15 seconds over a fast network', () => {
  const rows = shapes.map(([name, , calls, , make]) => {
    const figures = measure(make(), undefined, { ...FAST, calls }, JITTER_MS)
    return `${name.padEnd(30)}${figures}`
  })
  expect(rows.join('\n')).toMatchInlineSnapshot(`
    "fixed window 60/6s                39.5  10
    20/s b2, Retry-After              25.5   3
    token bucket 10/s b10             60.0  10
    fixed window 20/2s                64.6   9
    sliding window 20/2s              63.7   6
    sliding window, Reset             63.7   6"
  `)
})

test('with a window of seconds, by the time into it of the first call', () => {
  const rows = WINDOWS.flatMap(({ limit, window, calls }) =>
    [0, 1, 2, 3, 4, 5, 6, 7].map((eighths) => {
      const seconds = (eighths * window) / 8
      const answers = seededRandom(301)
      let draws = 0
      // The first draw is the start, in hours.
      const random = (): number => ((draws += 1) === 1 ? seconds / 3600 : answers())
      const server = limited([fixed(limit, window)])
      const figures = measure(server, undefined, { ...FAST, calls, random }, JITTER_MS)
      return `${limit}/${window}s, ${seconds} s ${figures}`
    }),
  )
  expect(rows.join('\n')).toMatchInlineSnapshot(`
    "30/2s, 0 s     82.7   8
    30/2s, 0.25 s     69.3  11
    30/2s, 0.5 s     69.6  11
    30/2s, 0.75 s     68.6   9
    30/2s, 1 s     69.2  14
    30/2s, 1.25 s     70.8  10
    30/2s, 1.5 s     73.1  12
    30/2s, 1.75 s     73.0   9
    60/6s, 0 s     44.8   6
    60/6s, 0.75 s     45.4   6
    60/6s, 1.5 s     39.5  10
    60/6s, 2.25 s     38.1   9
    60/6s, 3 s     40.8   9
    60/6s, 3.75 s     44.0   5
    60/6s, 4.5 s     47.9   5
    60/6s, 5.25 s     42.1   7"
  `)
})
