// What holds for an organization whose processes were told different things: the strictest.
import type { Rate } from '../rate.ts'
import type { Rules } from './protocol.ts'

/** Of one process at least. The slowest known rate, the fewest calls at once, the smallest share. */
export function strictest(all: readonly Rules[]): Rules {
  return {
    perSecond: least(all.map(({ perSecond }) => perSecond)),
    concurrency: least(all.map(({ concurrency }) => concurrency)),
    share: Math.min(1, ...all.map(({ share }) => share)),
  }
}

export function rateOf({ perSecond }: Pick<Rules, 'perSecond'>): Rate {
  return perSecond === undefined ? { kind: 'auto' } : { kind: 'known', perSecond }
}

function least(values: readonly (number | undefined)[]): number | undefined {
  const given = values.filter((value) => value !== undefined)
  return given.length === 0 ? undefined : Math.min(...given)
}
