// Protects the pace on each shape of the bench, in virtual time, with the rate unknown and known: seconds until
// the last answer, 429s and other refusals, and questions lost. A change of the policy shows its effect on each
// here; `npm run bench -- pacing` compares the means of many runs with the goals.
import { expect, test } from 'vitest'
import { seededRandom } from '../../src/stats/random.ts'
import { classes, FAST } from '../bench/pacing/classes.ts'
import { mean } from '../bench/pacing/measure.ts'
import { ours } from '../bench/pacing/ours.ts'
import {
  bucket,
  concurrent,
  down,
  fixed,
  leakyQueue,
  limited,
  type Server,
  sliding,
} from '../bench/pacing/servers.ts'
import { type Load, simulate } from '../bench/pacing/simulate.ts'

const WINDOWS = [
  { limit: 30, window: 2, calls: 1000 },
  { limit: 60, window: 6, calls: 400 },
]
const SHARED: readonly (readonly [string, perSecond: number, () => Server])[] = [
  ['fixed 300/60s', 5, () => limited([fixed(300, 60)])],
  ['fixed 60/6s', 10, () => limited([fixed(60, 6)])],
  ['fixed 20/2s', 10, () => limited([fixed(20, 2)])],
  ['sliding 40/10s', 4, () => limited([sliding(40, 10)])],
  ['token bucket 5/s b10', 5, () => limited([bucket(5, 10)])],
  ['token bucket 3/s b60', 3, () => limited([bucket(3, 60)])],
  ['at once 10', 10_000 / (2000 * Math.exp(0.6 ** 2 / 2)), () => concurrent(10)],
]
const SLOW = { calls: 1000, medianMs: 2000, sigma: 0.6, cap: 64 }

function measure(
  server: Server,
  known?: number,
  changes: Partial<Load> & { readonly jitterMs?: number } = {},
): string {
  const { jitterMs, ...load } = { ...SLOW, random: seededRandom(301), ...changes }
  const { makespan, refused, lost } = simulate(ours(seededRandom(1301), { known }), server, load, jitterMs)
  const figures = `${(makespan / 1000).toFixed(1).padStart(8)} ${String(refused).padStart(3)}`
  return lost === 0 ? figures : `${figures} ${lost} lost`
}

test('with the rate unknown and known, 400 calls', () => {
  const shapes = classes.flatMap((limitClass) => limitClass.shapes)
  const rows = shapes.map(({ name, known, make, load }) => {
    const figures = [undefined, ...(known === undefined ? [] : [known])].map((rate) =>
      measure(make(seededRandom(2301)), rate, { ...load, calls: 400 }),
    )
    return `${name.padEnd(34)}${figures.join('')}`
  })
  expect(rows.join('\n')).toMatchInlineSnapshot(`
    "fixed 60/60s                         366.9  20   405.8   0
    fixed 300/60s                         40.0   7    84.1   0
    sliding log 300/60s                   83.2  11    84.1   0
    sliding log 60/60s                   409.7  17   405.8   0
    log 60/60s, rejects consume          417.1  16   405.8   0
    sliding counter 300/60s               47.0  11    84.1   0
    fixed 90/30s                         131.2  12   137.2   0
    sliding log 40/10s                   104.3   7   104.0   0
    sliding log 100/20s                   86.7  10    84.1   0
    fixed 1000/3600s                      26.1   0  1453.7   0
    fixed 100/20s                         91.7   8    84.1   0
    fixed 100/20s, fast                   87.4   8    80.8   0
    fixed 100/20s, 400 calls, fast        87.4   8    80.8   0
    fixed 10/1s                           49.8   9    44.3   0
    fixed 20/2s                           50.6   5    44.3   0
    sliding log 8/1s                      59.1   3    58.7  27
    fixed 60/6s, 400 calls, fast          41.6   5    40.5   0
    fixed 20/2s, fast                     42.8   4    40.5   0
    sliding 20/2s, fast                   42.8   6    41.1   5
    sliding 20/2s, Reset, fast            42.8   6    41.1   5
    token bucket 1/s b20                 384.2  19   405.8   0
    token bucket 5/s b10                  83.0   9    84.1   0
    GCRA 8/s b4                           53.8   7    54.3   0
    10/s + 200/min                       111.6  15   123.9   0
    5/s + 100/min                        225.5  18   244.6   0
    token bucket 3/s b60                 117.8  19   137.2   0
    "u";q=5;w=60;pk=.. of 5/s             83.0   9    84.1   0
    token bucket 10/s b10, 600 calls, fast    39.9   6    40.5   0
    at once 10                            98.9   9
    at once 4                            239.4   8
    at once 20                            53.7  10
    fixed 60/60s, seconds                341.9  11   405.8   0
    fixed 300/60s, seconds                33.2   3    84.1   0
    token bucket 5/s, seconds             81.3   9    84.1   0
    fixed 60/60s, RateLimit              364.1  10   405.8   0
    fixed 300/60s, X-RateLimit            33.0   4    84.1   0
    fixed 10/1s, seconds                  52.5   6    44.3   0
    token bucket 10/s b10, seconds        47.7   9    44.3   0
    20/s b2, seconds, 400 calls, fast     25.8   1    20.4   0
    "a";q=60;w=60                        405.8   0   405.8   0
    10;w=1, 200;w=60                     123.9   0   123.9   0
    fixed 60/60s, always 0               366.9  20   405.8   0
    fixed 300/60s, always 1               42.1   6    84.1   0
    sliding log 60/60s, always 5         416.7  14   405.8   0
    fixed 60/20s                         146.5  15   137.2   0
    fixed 60/20s, fast                   136.9  10   134.6   0
    fixed 60/20s, 400 calls, fast        136.9  10   134.6   0
    token bucket 5/s b10                 201.1   3    84.1   0
    token bucket 2/s b5                  291.8   1   204.3   0
    fixed 300/60s, 50 % others            45.7   5   174.3   7
    token bucket 5/s, 25 % others        107.2  24   110.8   2
    token bucket 5/s, 8 in flight        378.1  28
    token bucket 5/s, doubled             83.0   9
    fixed 300/60s, doubled                40.0   7
    sliding log 300/60s, halved           83.2  11
    each 20 s                            133.7  28
    each 20 s, fast                      138.1  29
    blocked                              119.4   7   104.0   0
    blocked, fast                        113.9   7   101.0   0
    pods                                  68.1  18    75.0  35
    pods, fast                            59.3  23    63.6  20
    GCRA 8/s b1                           74.7   8    70.0  10
    GCRA 8/s b1, fast                     66.5   7    68.8  11
    queue of 8                           117.7  15   104.0   0
    queue of 8, fast                     102.5  13   101.0   0
    queue of 30, fast                    100.0   0   101.0   0
    queue of 10 at 2/s                   216.0  14   204.3   0
    4 workers                             51.0   0
    4 workers, lognormal                  49.9   0
    no trouble                            26.1   0
    down for 20 s                         55.3  19
    5 % of 500                            31.9  16 14 lost
    2 % of 503                            34.5   7
    10 % of 503                           35.0  39 36 lost
    answers three times slower            53.0   0"
  `)
})

test('503s that name a wait are a limit where they come a few calls apart, and none in an outage, 400 calls', () => {
  const headers = { 'retry-after': '5' }
  const rows = [
    measure(leakyQueue(4, 8, headers), undefined, { calls: 400 }),
    measure(leakyQueue(4, 8, { 'retry-after': '1' }), undefined, { calls: 400 }),
    // The third 503 in a row is its last one.
    measure(down(limited([]), 3000, 12_000, headers), undefined, { calls: 400 }),
  ]
  expect(rows.join('\n')).toMatchInlineSnapshot(`
    "   187.7   6
       110.2  10
        46.9   5"
  `)
})

test('with a share of an unknown limit, what is used of what was asked, mean of four runs', () => {
  const rows = SHARED.map(([name, perSecond, server]) => {
    const parts = [0.1, 0.25, 0.5, 0.8].map((share) => {
      const seconds = [1, 2, 3, 4].map((seed) => {
        const load = { ...SLOW, random: seededRandom(seed) }
        return simulate(ours(seededRandom(1000 + seed), { share }), server(), load).makespan / 1000
      })
      return mean(seconds.map((each) => SLOW.calls / each)) / (share * perSecond)
    })
    // Only 429s show the limit: what the search uses beyond the share is paid back.
    expect(Math.max(...parts)).toBeLessThanOrEqual(1.1)
    expect(mean(parts)).toBeGreaterThanOrEqual(0.7)
    return `${name.padEnd(22)}${parts.map((part) => part.toFixed(2)).join(' ')}`
  })
  expect(rows.join('\n')).toMatchInlineSnapshot(`
    "fixed 300/60s         1.05 1.03 1.04 1.00
    fixed 60/6s           0.64 0.70 0.81 0.85
    fixed 20/2s           0.96 0.95 0.90 0.93
    sliding 40/10s        0.96 0.96 0.95 0.96
    token bucket 5/s b10  1.00 1.06 1.01 0.98
    token bucket 3/s b60  1.00 1.01 0.99 0.99
    at once 10            1.08 0.83 1.02 0.99"
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
      const figures = measure(server, undefined, { ...FAST, calls, random })
      return `${limit}/${window}s, ${seconds} s ${figures}`
    }),
  )
  expect(rows.join('\n')).toMatchInlineSnapshot(`
    "30/2s, 0 s     78.7   6
    30/2s, 0.25 s     79.4   5
    30/2s, 0.5 s     81.4   7
    30/2s, 0.75 s     68.7  11
    30/2s, 1 s     70.8  14
    30/2s, 1.25 s     69.5  10
    30/2s, 1.5 s     73.3   6
    30/2s, 1.75 s     75.4   5
    60/6s, 0 s     43.5   4
    60/6s, 0.75 s     43.6   4
    60/6s, 1.5 s     42.3   5
    60/6s, 2.25 s     38.8   8
    60/6s, 3 s     39.8   5
    60/6s, 3.75 s     45.0   5
    60/6s, 4.5 s     42.6   5
    60/6s, 5.25 s     43.0   4"
  `)
})
