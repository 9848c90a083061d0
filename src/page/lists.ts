// The lists that questions stand in: what links, filters and signs call them, and which rows they take.
import { CHANGE_LISTS, type ChangeListName } from '../domain/changes.ts'
import type { PageRow } from '../domain/page-data.ts'
import type { Mark } from './marks.ts'

/** `mark`: of its answer, in this page. */
type Takes = (row: PageRow, mark?: Mark) => boolean

const changedAs = (list: ChangeListName): Takes => {
  const kinds = CHANGE_LISTS.find(({ name }) => name === list)?.kinds ?? []
  return ({ changed }) => changed !== null && changed.kinds.some((kind) => kinds.includes(kind))
}

/** In the order in which they are offered. */
const TAKES = {
  failed: ({ passed }) => passed === false,
  gap: ({ grounded }) => grounded === false,
  error: ({ outcome }) => outcome !== null && outcome !== 'answered' && outcome !== 'skipped',
  notAsked: ({ outcome, changed }) =>
    changed?.presence !== 'removed' && (outcome === null || outcome === 'skipped'),
  changed: ({ changed }) => changed !== null && changed.kinds.some((kind) => kind !== 'failInBoth'),
  lost: changedAs('lost'),
  newlyFailing: changedAs('newlyFailing'),
  factsChanged: changedAs('factsChanged'),
  noAnswer: changedAs('noAnswer'),
  contextLost: ({ contextLost, changed }) => contextLost || changed?.kinds.includes('contextLost') === true,
  otherAnswer: changedAs('otherAnswer'),
  sourceChanged: changedAs('sourceChanged'),
  gained: changedAs('gained'),
  fixed: changedAs('fixed'),
  answeredAgain: changedAs('answeredAgain'),
  contextRegained: changedAs('contextRegained'),
  flaky: ({ flaky, changed }) => flaky || changed?.kinds.includes('flaky') === true,
  failInBoth: changedAs('failInBoth'),
  edited: ({ changed }) => changed?.presence === 'edited',
  removed: ({ changed }) => changed?.presence === 'removed',
  // What was marked with a word waits no more, whether or not it is saved.
  review: ({ outcome, reviewed }, mark) =>
    outcome === 'answered' && reviewed?.state !== 'carried' && (mark?.word ?? null) === null,
  marked: (_, mark) => mark !== undefined,
  mustPass: ({ mustPass }) => mustPass,
  passed: ({ passed }) => passed === true,
} as const satisfies Readonly<Record<string, Takes>>

export type ListName = keyof typeof TAKES

export const LISTS: Readonly<Record<ListName, Takes>> = TAKES

export const LIST_NAMES = Object.keys(LISTS) as readonly ListName[]

export const isListName = (text: string): text is ListName => Object.hasOwn(LISTS, text)

/** Lists that change as a person marks. */
export const MARK_LISTS: readonly ListName[] = ['review', 'marked']

/** Lists that do not stand as signs beside a question: they are said otherwise, or by the others. */
const UNSIGNED: readonly ListName[] = ['changed', 'passed', 'mustPass', 'marked']

export const signsOf = (row: PageRow, mark?: Mark): readonly ListName[] =>
  LIST_NAMES.filter(
    (name) =>
      !UNSIGNED.includes(name) && (name !== 'review' || row.reviewed !== null) && LISTS[name](row, mark),
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
