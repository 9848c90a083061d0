// `--rate`: parsing and formatting.

export type Rate =
  | { readonly kind: 'auto' }
  | { readonly kind: 'unlimited' }
  /** Calls a second. */
  | { readonly kind: 'known'; readonly perSecond: number }

const SECONDS = { s: 1, min: 60, h: 3600 } as const

/** A known rate in lower case: a number and a unit of time. */
const FORM = /^(\d{1,9}(?:\.\d{1,6})?)\s*\/\s*(s|sec|second|m|min|minute|h|hour)$/

/** Reads `auto`, `unlimited`, `60/min`, `5/s`, `1000/h`; undefined for anything else, a rate of 0 included. */
export function parseRate(text: string): Rate | undefined {
  const word = text.trim().toLowerCase()
  if (word === 'auto' || word === 'unlimited') return { kind: word }
  const [, number, unit = ''] = FORM.exec(word) ?? []
  if (number === undefined || Number(number) === 0) return undefined
  const seconds = unit.startsWith('s') ? SECONDS.s : unit.startsWith('m') ? SECONDS.min : SECONDS.h
  return { kind: 'known', perSecond: Number(number) / seconds }
}

/** A pace in the unit that reads best: `4/s`, `60/min`, `12/h`. */
export function formatPace(perSecond: number | null): string {
  if (perSecond === null) return 'unlimited'
  const [unit, seconds] = Object.entries(SECONDS).find(([, s]) => perSecond * s >= 1.95) ?? ['h', SECONDS.h]
  return `${Number((perSecond * seconds).toPrecision(3))}/${unit}`
}
