// What the bench of several processes on one limit tries: kinds of limits, ways to begin, and what happens in the middle.

export interface Shape {
  readonly name: string
  readonly rule: Readonly<Record<string, unknown>>
  /** Calls a second that it keeps up, and calls that it lets through beyond that at most. */
  readonly perSecond: number
  readonly burst: number
}

const perSecond = 15

export const shapes: readonly Shape[] = [
  {
    name: 'token bucket 15/s b15',
    rule: { kind: 'token-bucket', limit: perSecond, window: '1s', burst: perSecond },
    perSecond,
    burst: perSecond,
  },
  {
    name: 'fixed window 30/2s',
    rule: { kind: 'fixed-window', limit: 2 * perSecond, window: '2s' },
    perSecond,
    burst: 2 * perSecond,
  },
  {
    name: 'sliding window 150/10s',
    rule: { kind: 'sliding-window', limit: 10 * perSecond, window: '10s' },
    perSecond,
    burst: 10 * perSecond,
  },
]

/** `learned`: by a short run before, on the same Redis. `known`: told by --rate. */
export type Begin = 'auto' | 'learned' | 'known'
export type Happening = 'nothing' | 'one killed' | 'one late' | 'Redis away 5 s'

export interface Scenario {
  readonly shape: Shape
  readonly begin: Begin
  readonly happening: Happening
  readonly limiter: 'redis' | 'local'
}

const plain = (begin: Begin, limiter: 'redis' | 'local' = 'redis'): Scenario[] =>
  shapes.map((shape) => ({ shape, begin, happening: 'nothing', limiter }))

/** Not every limit with every way to begin: an hour of real time would pass. */
const eventful = (happening: Happening): Scenario[] =>
  shapes.map((shape, place) => ({
    shape,
    begin: place === 1 ? 'known' : 'learned',
    happening,
    limiter: 'redis',
  }))

export const scenarios: readonly Scenario[] = [
  ...plain('auto'),
  ...plain('auto', 'local'),
  ...plain('learned'),
  ...plain('known'),
  ...eventful('one killed'),
  ...eventful('one late'),
  ...eventful('Redis away 5 s'),
]

export const nameOf = ({ shape, begin, happening, limiter }: Scenario): string =>
  [shape.name, begin, happening, limiter].join(', ')
