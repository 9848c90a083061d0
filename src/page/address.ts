// The part of the page's address after `#`: a question, or what is filtered and in which order; made to be shared.
import { FILTER_KEYS, isEmpty, type Filter, type FilterKey } from './filter.ts'
import { isSortName, type SortName } from './sort.ts'

export type Address =
  | { readonly kind: 'question'; readonly id: string; readonly repeat: number | undefined }
  | { readonly kind: 'list'; readonly filter: Filter; readonly sort: SortName }
  /** Empty, or an anchor of the page. */
  | { readonly kind: 'other' }

/** Never throws; of two filters with one key the last holds. */
export function readAddress(fragment: string): Address {
  const parts = fragment.replace(/^#/, '').split('&')
  let [id, repeat, sort, isList]: [string | undefined, number | undefined, SortName, boolean] = [
    undefined,
    undefined,
    'set',
    false,
  ]
  const filter: Partial<Record<FilterKey, string>> = {}
  for (const part of parts) {
    const [name, value] = cut(part, '=')
    const [key, chosen] = cut(name === 'filter' ? value : part, ':')
    if (name === 'q') id = decode(value)
    else if (name === 'repeat' && /^\d{1,9}$/.test(value)) repeat = Number(value)
    else if (name === 'sort' && isSortName(value)) [sort, isList] = [value, true]
    else if (isFilterKey(key)) [filter[key], isList] = [decode(chosen), true]
  }
  if (id !== undefined) return { kind: 'question', id, repeat }
  return isList ? { kind: 'list', filter, sort } : { kind: 'other' }
}

/** Without `#`. */
export function questionAddress(id: string, repeat: number): string {
  return `q=${encode(id)}${repeat > 1 ? `&repeat=${repeat}` : ''}`
}

/** Empty where nothing is chosen. */
export function listAddress(filter: Filter, sort: SortName): string {
  if (isEmpty(filter) && sort === 'set') return ''
  const parts = FILTER_KEYS.flatMap((key) => {
    const value = filter[key]
    return value === undefined ? [] : [`filter=${key}:${encode(value)}`]
  })
  return [...parts, ...(sort === 'set' ? [] : [`sort=${sort}`])].join('&')
}

/** Half of a sign cannot stand in an address. */
export const wellFormed = (text: string): string =>
  text.replaceAll(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')

const encode = (text: string): string => encodeURIComponent(wellFormed(text))

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function cut(text: string, sign: string): [string, string] {
  const place = text.indexOf(sign)
  return place === -1 ? [text, ''] : [text.slice(0, place), text.slice(place + 1)]
}

const isFilterKey = (text: string): text is FilterKey => (FILTER_KEYS as readonly string[]).includes(text)
