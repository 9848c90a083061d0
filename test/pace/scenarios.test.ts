// Protects the pace on each shape of the bench, in virtual time, with the rate unknown and known: seconds until
// the last answer, 429s and other refusals, and questions lost. A change of the policy shows its effect on each
// here; `npm run bench -- pacing` compares the means of many runs with the goals.
import { expect, test } from 'vitest'
import { seededRandom } from '../../src/stats/random.ts'
import { classes, FAST } from '../bench/pacing/classes.ts'
import { ours } from '../bench/pacing/ours.ts'
import { bucket, concurrent, fixed, limited, type Server } from '../bench/pacing/servers.ts'
import { type Load, simulate } from '../bench/pacing/simulate.ts'

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
    "fixed 60/60s                         373.6  17   405.8   0
    fixed 300/60s                         42.1   4    84.1   0
    sliding log 300/60s                   83.4   7    84.1   0
    sliding log 60/60s                   407.0  19   405.8   0
    log 60/60s, rejects consume          419.6  15   405.8   0
    sliding counter 300/60s               47.8   7    84.1   0
    fixed 90/30s                         130.2  13   137.2   0
    sliding log 40/10s                   105.6   9   104.0   0
    sliding log 100/20s                   84.3  10    84.1   0
    fixed 1000/3600s                      25.3   0  1453.7   0
    fixed 100/20s                         91.2  10    84.1   0
    fixed 100/20s, fast                   86.9   8    80.8   0
    fixed 100/20s, 400 calls, fast        86.9   8    80.8   0
    fixed 10/1s                           49.5  10    44.3   0
    fixed 20/2s                           56.5   7    44.3   0
    sliding log 8/1s                      59.3   3    61.3  26
    fixed 60/6s, 400 calls, fast          40.5   5    40.5   0
    fixed 20/2s, fast                     45.3   4    40.5   0
    sliding 20/2s, fast                   43.8   8    41.5   5
    sliding 20/2s, Reset, fast            43.8   8    41.5   5
    token bucket 1/s b20                 381.8  22   405.8   0
    token bucket 5/s b10                  82.8  11    84.1   0
    GCRA 8/s b4                           54.6   6    54.3   0
    10/s + 200/min                       102.7  16   123.9   0
    5/s + 100/min                        190.9  16   244.6   0
    token bucket 3/s b60                 118.9  14   137.2   0
    "u";q=5;w=60;pk=.. of 5/s             82.8  11    84.1   0
    token bucket 10/s b10, 600 calls, fast    40.1   7    40.5   0
    at once 10                            98.5   8
    at once 4                            245.7   9
    at once 20                            53.8   8
    fixed 60/60s, seconds                342.9  11   405.8   0
    fixed 300/60s, seconds                34.4   1    84.1   0
    token bucket 5/s, seconds             80.5  10    84.1   0
    fixed 60/60s, RateLimit              366.7  11   405.8   0
    fixed 300/60s, X-RateLimit            35.2   2    84.1   0
    fixed 10/1s, seconds                  52.4   2    44.3   0
    token bucket 10/s b10, seconds        44.9   9    44.3   0
    20/s b2, seconds, 400 calls, fast     26.0   1    20.4   0
    "a";q=60;w=60                        405.8   0   405.8   0
    10;w=1, 200;w=60                     123.9   0   123.9   0
    fixed 60/60s, always 0               373.6  17   405.8   0
    fixed 300/60s, always 1               42.1   4    84.1   0
    sliding log 60/60s, always 5         416.5  16   405.8   0
    fixed 60/20s                         141.3  11   137.2   0
    fixed 60/20s, fast                   138.9   9   134.6   0
    fixed 60/20s, 400 calls, fast        138.9   9   134.6   0
    token bucket 5/s b10                 165.6   3    84.1   0
    token bucket 2/s b5                  391.7   2   204.3   0
    fixed 300/60s, 50 % others            45.6   6   174.9   7
    token bucket 5/s, 25 % others        108.5  21   111.2   2
    token bucket 5/s, 8 in flight        383.1  32
    token bucket 5/s, doubled             82.8  11
    fixed 300/60s, doubled                42.1   4
    sliding log 300/60s, halved           83.4   7
    each 20 s                            145.9  20
    each 20 s, fast                      135.7  42
    blocked                              132.7   6   104.0   0
    blocked, fast                        130.9   7   101.0   0
    pods                                  67.5   9    67.1  31
    pods, fast                            59.7  18    58.5  19
    GCRA 8/s b1                           78.4   7   103.0  10
    GCRA 8/s b1, fast                     70.3   6    95.2  18
    queue of 8                           114.8  21 10 lost   104.0   0
    queue of 8, fast                     102.6  11 1 lost   101.0   0
    queue of 30, fast                    100.0   0   101.0   0
    4 workers                             51.1   0
    4 workers, lognormal                  50.5   0
    no trouble                            25.3   0
    down for 20 s                         55.5  13 21 lost
    5 % of 500                            27.4  16 14 lost
    2 % of 503                            24.5   7
    10 % of 503                           43.2  41 30 lost
    answers three times slower            62.0   0"
  `)
})

test('with a share of an unknown limit', () => {
  const rows = [0.5, 0.8].flatMap((share) =>
    SHARED.map(([name, server]) => {
      const load = { ...SLOW, random: seededRandom(301) }
      const { makespan, refused } = simulate(ours(seededRandom(1301), { share }), server(), load)
      const seconds = (makespan / 1000).toFixed(1)
      return `${name.padEnd(22)}${share}${seconds.padStart(8)} ${String(refused).padStart(3)}`
    }),
  )
  expect(rows.join('\n')).toMatchInlineSnapshot(`
    "fixed 60/6s           0.5   292.6   9
    token bucket 5/s b10  0.5   383.6   4
    at once 10            0.5   486.1   4
    fixed 60/6s           0.8   148.1   6
    token bucket 5/s b10  0.8   246.1   5
    at once 10            0.8   311.6   3"
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
    "30/2s, 0 s     80.1   6
    30/2s, 0.25 s     83.7   7
    30/2s, 0.5 s     69.8  12
    30/2s, 0.75 s     69.4  12
    30/2s, 1 s     78.0   7
    30/2s, 1.25 s     73.4   5
    30/2s, 1.5 s     76.1   5
    30/2s, 1.75 s     79.7   6
    60/6s, 0 s     43.8   4
    60/6s, 0.75 s     43.9   4
    60/6s, 1.5 s     40.5   6
    60/6s, 2.25 s     38.9   8
    60/6s, 3 s     40.7   7
    60/6s, 3.75 s     46.4   4
    60/6s, 4.5 s     42.4   5
    60/6s, 5.25 s     42.8   4"
  `)
})
