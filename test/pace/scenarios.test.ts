// Protects the pace on each limiter of the bench, in virtual time, with the rate unknown and known: seconds until the last answer,
// and number of 429s. A change of the policy shows its effect on each here; `npm run bench -- pacing` compares the means of many
// runs with the goals.
import { expect, test } from 'vitest'
import { seededRandom } from '../../src/stats/random.ts'
import { FAST, JITTER_MS, shapes } from '../bench/pacing/fast.ts'
import { ours } from '../bench/pacing/ours.ts'
import { scenarios } from '../bench/pacing/scenarios.ts'
import { fixed, limited, type Server } from '../bench/pacing/servers.ts'
import { simulate } from '../bench/pacing/simulate.ts'

const WINDOWS = [
  { limit: 30, window: 2, calls: 1000 },
  { limit: 60, window: 6, calls: 400 },
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
    "fixed 60/60s                     979.8  20  1010.4   0
    fixed 300/60s                    168.9  13   205.6   0
    sliding log 300/60s              206.3   8   205.6   0
    sliding log 60/60s              1018.7  17  1010.4   0
    log 60/60s, rejects consume     1023.7  16  1010.4   0
    sliding counter 300/60s          166.0  18   205.6   0
    fixed 90/30s                     336.1  14   339.7   0
    sliding log 40/10s               262.2  10   255.9   0
    sliding log 100/20s              240.1   7   205.6   0
    fixed 1000/3600s                  48.6   0  3633.8   0
    fixed 10/1s                      110.6   8   107.9   0
    fixed 20/2s                      108.6  11   107.9   0
    sliding log 8/1s                 140.4   7   134.0   2
    token bucket 1/s b20             984.5  18  1010.4   0
    token bucket 5/s b10             203.2  14   205.6   0
    GCRA 8/s b4                      131.6   8   132.3   0
    10/s + 200/min                   276.2  19   306.2   0
    5/s + 100/min                    580.1  18   608.0   0
    token bucket 3/s b60             316.5  20   339.7   0
    at once 10                       255.0   9
    at once 4                        599.2   8
    at once 20                       128.2   9
    fixed 60/60s, seconds            969.7  12  1010.4   0
    fixed 300/60s, seconds           168.5   4   205.6   0
    token bucket 5/s, seconds        203.2  14   205.6   0
    fixed 60/60s, RateLimit          971.2  12  1010.4   0
    fixed 300/60s, X-RateLimit       166.4   4   205.6   0
    "a";q=60;w=60                   1010.4   0  1010.4   0
    10;w=1, 200;w=60                 306.2   0   306.2   0
    fixed 60/60s, always 0           979.8  20  1010.4   0
    fixed 300/60s, always 1          165.8  12   205.6   0
    token bucket 5/s, always 60      267.2   3   205.6   0
    sliding log 60/60s, always 5    1035.5  13  1010.4   0
    fixed 300/60s, 50 % others       290.2  25   473.2   9
    token bucket 5/s, 25 % others    276.4  44   283.1  12
    token bucket 5/s, doubled        191.0  11
    sliding log 300/60s, halved      308.4  19
    GCRA 8/s b1                      157.1   8   152.3  13"
  `)
})

test('with answers of 0.15 seconds over a fast network', () => {
  const rows = shapes.map(([name, , calls, , make]) => {
    const figures = measure(make(), undefined, { ...FAST, calls }, JITTER_MS)
    return `${name.padEnd(30)}${figures}`
  })
  expect(rows.join('\n')).toMatchInlineSnapshot(`
    "fixed window 60/6s                42.2   5
    20/s b2, Retry-After              26.8   2
    token bucket 10/s b10             60.3   6
    fixed window 20/2s                61.8   5
    sliding window 20/2s              63.6   7
    sliding window, Reset             69.7   6"
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
    "30/2s, 0 s     69.6  10
    30/2s, 0.25 s     69.9  11
    30/2s, 0.5 s     69.3  11
    30/2s, 0.75 s     68.7   9
    30/2s, 1 s     69.2   9
    30/2s, 1.25 s     69.1   7
    30/2s, 1.5 s     70.1   8
    30/2s, 1.75 s     71.3   6
    60/6s, 0 s     42.9   6
    60/6s, 0.75 s     43.7   6
    60/6s, 1.5 s     41.2   5
    60/6s, 2.25 s     39.5   5
    60/6s, 3 s     40.5   6
    60/6s, 3.75 s     43.3   5
    60/6s, 4.5 s     46.4   5
    60/6s, 5.25 s     41.5   5"
  `)
})
