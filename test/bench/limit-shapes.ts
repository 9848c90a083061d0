// Limits of 14 shapes for searches: each with parameters drawn from a seed.
import { shiftWindows } from '../analysis/limit/records.ts'
import {
  blocking,
  bucket,
  concurrent,
  fixed,
  limited,
  serve,
  type Server,
  sliding,
  slidingCounter,
  verdict,
} from './pacing/servers.ts'

export interface Truth {
  readonly rules: readonly { readonly perSecond: number; readonly windowMs: number }[]
  readonly inFlight?: number
}

interface Drawn {
  readonly what: string
  readonly truth: Truth
  readonly server: Server
}

type Pick = <T>(...values: readonly T[]) => T

/** A window counts from the call that opens it. */
function openedByCalls(limit: number, seconds: number): Server {
  let [start, count] = [-Infinity, 0]
  return serve((now) => {
    if (now >= start + seconds * 1000) [start, count] = [now, 0]
    count += 1
    return verdict(count <= limit)
  })
}

/** Answers `perSecond` calls in turn, and refuses those that find `queue` calls before them. */
function leaky(perSecond: number, queue: number): Server {
  const gapMs = 1000 / perSecond
  let freeAt = -Infinity
  return serve((now) => {
    if (freeAt - now > (queue - 1) * gapMs + 1e-6) return verdict(false)
    freeAt = Math.max(freeAt, now) + gapMs
    return verdict(true, { 'x-queue-ms': String(freeAt - now) })
  })
}

const windows = (limit: number, seconds: number): Truth => ({
  rules: [{ perSecond: limit / seconds, windowMs: seconds * 1000 }],
})

const drawWindow = (
  limit: number,
  seconds: number,
  serveWindow: (limit: number, seconds: number) => Server,
): Drawn => ({
  what: `${limit}/${seconds}s`,
  truth: windows(limit, seconds),
  server: serveWindow(limit, seconds),
})
const drawBucket = (perSecond: number, burst: number): Drawn => ({
  what: `${perSecond}/s, ${burst}`,
  truth: { rules: [{ perSecond, windowMs: (1000 * burst) / perSecond }] },
  server: limited([bucket(perSecond, burst)]),
})
const limitedBy =
  (rule: typeof fixed) =>
  (limit: number, seconds: number): Server =>
    limited([rule(limit, seconds)])

const DRAWS: Readonly<Record<string, (pick: Pick, random: () => number) => Drawn>> = {
  'fixed window of the clock': (pick) =>
    drawWindow(pick(5, 10, 20, 30, 50), pick(1, 2, 5, 10), limitedBy(fixed)),
  'fixed minute of the clock': (pick) => drawWindow(pick(30, 60, 100, 120, 200), 60, limitedBy(fixed)),
  'fixed window, own phase': (pick, random) =>
    drawWindow(pick(10, 20, 50, 100), pick(2, 5, 10, 20), (limit, seconds) =>
      limited([shiftWindows(Math.floor(1000 * seconds * random()), fixed(limit, seconds))]),
    ),
  'fixed window opened by calls': (pick) =>
    drawWindow(pick(10, 20, 60, 90), pick(2, 5, 10, 30), openedByCalls),
  'sliding log': (pick) => drawWindow(pick(5, 10, 20, 40), pick(1, 2, 5, 10), limitedBy(sliding)),
  'sliding log of a minute': (pick) => drawWindow(pick(30, 60, 100, 200, 300), 60, limitedBy(sliding)),
  'sliding counter': (pick) => drawWindow(pick(20, 50, 100), pick(5, 10, 20, 60), limitedBy(slidingCounter)),
  'bucket, small burst': (pick) => drawBucket(pick(1, 2, 5, 8, 12), pick(4, 6, 10, 15)),
  'bucket, large burst': (pick) => drawBucket(pick(1.5, 2, 3, 5, 8), pick(30, 60, 100)),
  'GCRA, burst of 1 to 3': (pick) => drawBucket(pick(0.5, 1, 2, 5, 8), pick(1, 2, 3)),
  'leaky queue': (pick) => {
    const [perSecond, queue] = [pick(2, 4, 6, 10), pick(5, 10, 20)]
    return { ...drawBucket(perSecond, queue), server: leaky(perSecond, queue) }
  },
  'two rules': (pick, random) => {
    const [fast, share, seconds] = [pick(5, 8, 10), pick(0.2, 0.33, 0.5, 0.75), pick(20, 30, 60, 60, 120)]
    const limit = Math.round(fast * share * seconds)
    const first = pick(
      () => fixed(fast, 1),
      () => bucket(fast, 2 * fast),
      () => sliding(5 * fast, 5),
    )()
    const phase = pick(0, 0, Math.floor(1000 * seconds * random()))
    const second = pick(
      () => shiftWindows(phase, fixed(limit, seconds)),
      () => sliding(limit, seconds),
    )()
    const rules = [{ perSecond: fast, windowMs: 1000 }, ...windows(limit, seconds).rules]
    return { what: `${fast}/s, ${limit}/${seconds}s`, truth: { rules }, server: limited([first, second]) }
  },
  'calls in flight': (pick) => {
    const inFlight = pick(2, 4, 6, 10, 16)
    return { what: `${inFlight}`, truth: { rules: [], inFlight }, server: concurrent(inFlight) }
  },
  'blocked after excess': (pick) => {
    const [limit, seconds, block] = [pick(10, 20, 50), pick(5, 10), pick(5, 10, 30)]
    const drawn = drawWindow(limit, seconds, () => blocking(fixed(limit, seconds), 1000 * block))
    return { ...drawn, what: `${drawn.what}, ${block} s` }
  },
}

export const SHAPES = Object.keys(DRAWS)

export function drawLimit(name: string, random: () => number): Drawn {
  const draw = DRAWS[name]
  if (draw === undefined) throw new Error(`no shape ${name}`)
  const pick: Pick = (...values) => {
    const value = values[Math.floor(random() * values.length)]
    if (value === undefined) throw new Error('nothing to choose')
    return value
  }
  return draw(pick, random)
}
