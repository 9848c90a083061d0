// `--rate`, parsed.

export type Rate =
  | { readonly kind: 'auto' }
  | { readonly kind: 'unlimited' }
  /** Calls a second. */
  | { readonly kind: 'known'; readonly perSecond: number }

/** A known rate in lower case: a number and a unit of time. */
const FORM = /^(\d{1,9}(?:\.\d{1,6})?)\s*\/\s*(s|sec|second|m|min|minute|h|hour)$/

/** Reads `auto`, `unlimited`, `60/min`, `5/s`, `1000/h`; undefined for anything else, a rate of 0 included. */
export function parseRate(text: string): Rate | undefined {
  const word = text.trim().toLowerCase()
  if (word === 'auto' || word === 'unlimited') return { kind: word }
  const [, number, unit = ''] = FORM.exec(word) ?? []
  if (number === undefined || Number(number) === 0) return undefined
  const seconds = unit.startsWith('s') ? 1 : unit.startsWith('m') ? 60 : 3600
  return { kind: 'known', perSecond: Number(number) / seconds }
}
