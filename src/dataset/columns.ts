// The columns a question set may have, and the other names they go by.
import { distance } from 'fastest-levenshtein'

/** A column's own name, and what else it is called. Compared by `columnKey`. */
export const COLUMNS = {
  message: ['question', 'prompt', 'query', 'utterance', 'text', 'input'],
  thread: ['conversation', 'conversation id', 'session'],
  turn: ['turn index', 'step'],
  id: ['question id', 'test id', 'case id'],
  end_user_ref: [],
  tags: ['tag', 'category', 'topic', 'intent', 'class', 'label'],
  review: [],
  note: [],
  expect_source: [],
  expect_contains: [],
  expect_not_contains: [],
  expect_regex: [],
  expect_answer: ['expected', 'expected response', 'reference answer', 'ground truth'],
  min_similarity: [],
  max_latency_ms: [],
  must_pass: [],
} as const satisfies Record<string, readonly string[]>

export type ColumnName = keyof typeof COLUMNS

export const COLUMN_NAMES = Object.keys(COLUMNS) as ColumnName[]

/** Those that are read into fields of their own; all others are carried along as the set's own. */
const FIELDS: readonly ColumnName[] = ['message', 'thread', 'turn', 'id', 'tags', 'review', 'note']

export const isCarried = (name: ColumnName): boolean => !FIELDS.includes(name)

/** Headers match whatever their case, spaces and punctuation; one of punctuation alone matches itself. */
export function columnKey(header: string): string {
  const plain = header.normalize('NFKC').toLowerCase()
  const key = plain.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '')
  return key === '' ? plain.trim() : key
}

const KEYS = new Map<string, { readonly name: ColumnName; readonly isOwn: boolean }>(
  COLUMN_NAMES.flatMap((name) => [
    [columnKey(name), { name, isOwn: true }] as const,
    ...COLUMNS[name].map((other) => [columnKey(other), { name, isOwn: false }] as const),
  ]),
)

/** Which column a header names, and whether by its own name. */
export const findColumn = (
  header: string,
): { readonly name: ColumnName; readonly isOwn: boolean } | undefined => KEYS.get(columnKey(header))

/** Two letters that changed places are one slip. */
function countSlips(word: string, name: string): number {
  const slips = distance(word, name)
  const sorted = (text: string): string => text.split('').toSorted().join('')
  return slips === 2 && sorted(word) === sorted(name) ? 1 : slips
}

/** The nearest of the names, at most two letters away, and one of short words. */
export function suggest(word: string, names: readonly string[]): string | undefined {
  const key = columnKey(word)
  const most = Math.min(2, Math.floor(key.length / 4))
  return names
    .map((name) => ({ name, slips: countSlips(key, columnKey(name)) }))
    .filter(({ slips }) => slips <= most)
    .toSorted((a, b) => a.slips - b.slips)[0]?.name
}
