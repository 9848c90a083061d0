// The query language of the search box: `tag:vpn source:MODEL is:failed printer`. A turn must match all terms.
import { isErrorOutcome } from '../domain/outcome.ts'
import type { PageTurn } from '../domain/conversations.ts'
import { fold, type Conversation, type Store } from './store.ts'

/** The values of `is:`. */
export const STATES = {
  failed: ({ passed }) => passed === false,
  passed: ({ passed }) => passed === true,
  gap: ({ grounded }) => grounded === false,
  grounded: ({ grounded }) => grounded === true,
  error: ({ outcome }) => outcome !== null && isErrorOutcome(outcome),
  skipped: ({ outcome }) => outcome === 'skipped',
  unsent: ({ outcome }) => outcome === null,
  flaky: ({ flaky }) => flaky,
  lost: ({ contextLost }) => contextLost,
  changed: ({ change }) => change?.kinds.some((kind) => kind !== 'failInBoth') === true,
  'must-pass': ({ mustPass }) => mustPass,
  'needs-review': ({ reviewedBefore }) => reviewedBefore !== null,
} as const satisfies Readonly<Record<string, (turn: PageTurn) => boolean>>
export type State = keyof typeof STATES

type Test = (turn: PageTurn, value: string) => boolean

const FILTERS: Readonly<Record<string, Test>> = {
  tag: ({ tags }, value) => tags.some((tag) => fold(tag) === value),
  source: ({ source }, value) => fold(source ?? 'none') === value,
  status: ({ status }, value) => fold(status ?? 'none') === value,
  outcome: ({ outcome }, value) => (outcome ?? 'none') === value,
  change: ({ change }, value) => change?.kinds.some((kind) => fold(kind) === value) === true,
  review: ({ review }, value) => (review?.word ?? 'none') === value,
  thread: ({ thread }, value) => fold(thread) === value,
  id: ({ id }, value) => fold(id) === value,
  is: (turn, value) => Object.hasOwn(STATES, value) && STATES[value as State](turn),
}

export interface Query {
  readonly filters: readonly { readonly key: string; readonly value: string }[]
  readonly words: readonly string[]
  readonly bySlowness: boolean
}

/** Quotes allow spaces: `tag:"single sign-on"`. */
export function parseQuery(text: string): Query {
  const terms = [...text.matchAll(/(?:(\w[\w-]*):)?(?:"([^"]*)"?|(\S+))/g)]
  const filters: { key: string; value: string }[] = []
  const words: string[] = []
  let bySlowness = false
  for (const [whole, key, quoted, plain] of terms) {
    const value = fold(quoted ?? plain ?? '')
    if (key === 'sort') bySlowness = value === 'slow'
    else if (key !== undefined && Object.hasOwn(FILTERS, key)) filters.push({ key, value })
    else words.push(fold(quoted === undefined ? whole : quoted))
  }
  return { filters, words, bySlowness }
}

/** Adds the term, or removes it. */
export const toggleTerm = (text: string, term: string): string =>
  text.includes(term) ? text.replace(term, '').replaceAll(/\s+/g, ' ').trim() : `${text} ${term}`.trim()

export interface Found {
  readonly conversation: Conversation
  /** The turns that match. */
  readonly turns: readonly PageTurn[]
}

export function findConversations({ conversations, textOf }: Store, text: string): readonly Found[] {
  const { filters, words, bySlowness } = parseQuery(text)
  const isMeant = (turn: PageTurn): boolean =>
    filters.every(({ key, value }) => FILTERS[key]?.(turn, value) === true) &&
    words.every((word) => textOf(turn).includes(word))
  const found = conversations.flatMap((conversation) => {
    const turns = conversation.filter(isMeant)
    return turns.length === 0 ? [] : [{ conversation, turns }]
  })
  if (!bySlowness) return found
  const slowest = ({ turns }: Found): number => Math.max(...turns.map(({ latencyMs }) => latencyMs ?? 0))
  return found.sort((a, b) => slowest(b) - slowest(a))
}
