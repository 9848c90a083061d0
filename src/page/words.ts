// The page's own words, filled in: by the language's plural rules, from the object that the page carries.
import type { PageWords, Plural } from '../domain/page-words.ts'

export interface Speech {
  readonly words: PageWords
  readonly number: (value: number) => string
  readonly plural: (forms: Plural, count: number, more?: Readonly<Record<string, string>>) => string
}

/** Names in braces; what is not given stays as it is. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)

export function speechOf(words: PageWords): Speech {
  const rules = new Intl.PluralRules(words.language)
  const format = new Intl.NumberFormat(words.language)
  const number = (value: number): string => format.format(value)
  return {
    words,
    number,
    plural: (forms, count, more = {}) =>
      fill(forms[rules.select(count)] ?? forms.other, { count: number(count), ...more }),
  }
}

export function durationText(ms: number, { number, words }: Speech): string {
  if (ms < 1000) return fill(words.milliseconds, { count: number(Math.round(ms)) })
  if (ms < 60_000) return fill(words.seconds, { count: number(Number((ms / 1000).toFixed(1))) })
  const seconds = Math.round(ms / 1000)
  return fill(words.minutes, { minutes: number(Math.floor(seconds / 60)), seconds: number(seconds % 60) })
}
