// Limits by their names, so that each is written once: `fixed 60/20s`, `token bucket 5/s b10`, `10/s + 200/min`.
// A bucket has a burst of two seconds unless its name has another.
import type { Limit } from '../../../src/sandbox/limits/models.ts'
import {
  bucket,
  fixed,
  type Headers,
  limited,
  type Refusal,
  type Server,
  sliding,
  slidingCounter,
} from './servers.ts'

const WINDOWS: Readonly<Record<string, (limit: number, seconds: number) => Limit>> = {
  '': fixed,
  fixed: fixed,
  sliding: sliding,
  'sliding log': sliding,
  'sliding counter': slidingCounter,
}

function readRule(name: string) {
  const [, kind = '', count, time = '', unit, burst] =
    /^(\D*?) ?(\d+)\/(\d*)(s|min)(?: b(\d+))?$/.exec(name) ?? []
  const [limit, seconds] = [Number(count), (time === '' ? 1 : Number(time)) * (unit === 'min' ? 60 : 1)]
  const [perSecond, window] = [limit / seconds, burst === undefined ? WINDOWS[kind] : undefined]
  const makeBucket = (): Limit => bucket(perSecond, burst === undefined ? 2 * perSecond : Number(burst))
  return { perSecond, make: () => window?.(limit, seconds) ?? makeBucket() }
}

const rulesOf = (name: string) => name.split(' + ').map(readRule)

export const rateOf = (name: string): number => Math.min(...rulesOf(name).map(({ perSecond }) => perSecond))

export function serverOf(name: string, refusal?: Refusal, always?: Headers): Server {
  const limits = rulesOf(name).map(({ make }) => make())
  return limited(limits, refusal, always)
}
