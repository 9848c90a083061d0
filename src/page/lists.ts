// The lists that questions stand in: what links, filters and signs call them, and which rows they take.
import type { ChangeKind } from '../domain/comparison/change.ts'
import type { PageRow } from '../domain/page-data.ts'

type Takes = (row: PageRow) => boolean

const changedAs =
  (...kinds: readonly ChangeKind[]): Takes =>
  ({ changed }) =>
    changed !== null && changed.kinds.some((kind) => kinds.includes(kind))

/** In the order in which they are offered. */
export const LISTS = {
  failed: ({ passed }) => passed === false,
  gap: ({ grounded }) => grounded === false,
  error: ({ outcome }) => outcome !== null && outcome !== 'answered' && outcome !== 'skipped',
  notAsked: ({ outcome, changed }) =>
    changed?.presence !== 'removed' && (outcome === null || outcome === 'skipped'),
  changed: ({ changed }) => changed !== null && changed.kinds.some((kind) => kind !== 'failInBoth'),
  lost: changedAs('groundingLost'),
  newlyFailing: changedAs('passToFail'),
  factsChanged: changedAs('factsChanged'),
  noAnswer: changedAs('answerToError', 'answerToSkipped'),
  contextLost: ({ contextLost, changed }) => contextLost || changed?.kinds.includes('contextLost') === true,
  otherAnswer: changedAs('otherAnswer'),
  sourceChanged: changedAs('sourceChanged'),
  gained: changedAs('groundingGained'),
  mended: changedAs('failToPass'),
  answeredAgain: changedAs('errorToAnswer', 'skippedToAnswer'),
  contextRegained: changedAs('contextRegained'),
  flaky: ({ flaky, changed }) => flaky || changed?.kinds.includes('flaky') === true,
  failInBoth: changedAs('failInBoth'),
  edited: ({ changed }) => changed?.presence === 'edited',
  removed: ({ changed }) => changed?.presence === 'removed',
  review: ({ outcome, reviewed }) => outcome === 'answered' && reviewed?.state !== 'carried',
  mustPass: ({ mustPass }) => mustPass,
  passed: ({ passed }) => passed === true,
} as const satisfies Readonly<Record<string, Takes>>

export type ListName = keyof typeof LISTS

export const LIST_NAMES = Object.keys(LISTS) as readonly ListName[]

export const isListName = (text: string): text is ListName => Object.hasOwn(LISTS, text)

/** Lists that stand as signs beside a question; the rest are said otherwise, or by these. */
const UNSIGNED: readonly ListName[] = ['changed', 'passed']

export const signsOf = (row: PageRow): readonly ListName[] =>
  LIST_NAMES.filter(
    (name) => !UNSIGNED.includes(name) && (name !== 'review' || row.reviewed !== null) && LISTS[name](row),
  )

/** The larger, the sooner a person should look. */
export function gravity(row: PageRow): number {
  const weights: readonly (readonly [ListName, number])[] = [
    ['newlyFailing', 64],
    ['lost', 48],
    ['failed', 32],
    ['noAnswer', 24],
    ['error', 16],
    ['factsChanged', 12],
    ['gap', 8],
    ['otherAnswer', 6],
    ['flaky', 4],
    ['contextLost', 2],
  ]
  const sum = weights.reduce((whole, [name, weight]) => whole + (LISTS[name](row) ? weight : 0), 0)
  return row.mustPass && sum > 0 ? sum + 128 : sum
}
