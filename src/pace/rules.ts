// What the user allows: `--rate`, `--concurrency`, `--share`.

export type Rate =
  | { readonly kind: 'auto' }
  | { readonly kind: 'unlimited' }
  | { readonly kind: 'known'; readonly perSecond: number }

export interface PaceRules {
  readonly rate: Rate
  readonly concurrency: number
  /** Is the maximum share of the limit to use, above 0 and up to 1. */
  readonly share: number
}

/** Matches a known rate in lower case: a number and a unit of time. */
const FORM = /^(\d{1,9}(?:\.\d{1,6})?)\s*\/\s*(s|sec|second|m|min|minute|h|hour)$/

/** Reads `auto`, `unlimited`, `60/min`, `5/s`, `1000/h`; undefined for all else, a rate of 0 included. */
export function parseRate(text: string): Rate | undefined {
  const word = text.trim().toLowerCase()
  if (word === 'auto' || word === 'unlimited') return { kind: word }
  const [, number, unit = ''] = FORM.exec(word) ?? []
  if (number === undefined || Number(number) === 0) return undefined
  const seconds = unit.startsWith('s') ? 1 : unit.startsWith('m') ? 60 : 3600
  return { kind: 'known', perSecond: Number(number) / seconds }
}

/** Gives the user's rate, calls a second; Infinity without one. */
export const knownRate = ({ rate }: PaceRules): number => (rate.kind === 'known' ? rate.perSecond : Infinity)

/** Says that the user states the rate: it is kept, and no limit is searched for. */
export const isStated = ({ rate }: PaceRules): boolean => rate.kind === 'known'

/** Joins rules of processes: the slowest rate, the lowest concurrency, the smallest share. */
export const strictest = (all: readonly PaceRules[]): PaceRules =>
  all.reduce((a, b) => {
    // Known is stricter than auto, auto than unlimited.
    const isStricter = isStated(a) || isStated(b) ? knownRate(a) <= knownRate(b) : a.rate.kind === 'auto'
    return {
      rate: isStricter ? a.rate : b.rate,
      concurrency: Math.min(a.concurrency, b.concurrency),
      share: Math.min(a.share, b.share),
    }
  })
