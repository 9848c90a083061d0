// Copilot Studio's test methods: how an answer is compared with the expected response, and what becomes of it here.
import type { Account, Reason } from './importer.ts'
import { columnKey } from '../columns.ts'
import { matchText, writePhrases } from './our-cells.ts'

export const COPILOT_COLUMNS = ['message', 'expect_contains', 'expect_regex', 'expect_answer'] as const

const because = (what: string, why: string): Reason => ({ what, why })

const QUALITY = because(
  'General quality',
  'a model judges it without an expected response; where one is given it is a reference answer here, compared by the words they share',
)
const MEANING = because(
  'Compare meaning',
  'a model judges it; here the expected response is a reference answer, compared by the words they share',
)
const SIMILARITY = because(
  'Similarity',
  'it compares meanings as vectors; here the expected response is a reference answer, compared by the words they share',
)
const EXACT = because('Exact match', 'it minds the case there, never here')
const KEYWORDS = because(
  'Keyword match',
  'every keyword must be there, each between commas or semicolons; Copilot Studio can also be content with one',
)
const NO_METHOD = because(
  'expected response without a method',
  'it is a reference answer, compared by the words they share',
)
const NOTHING = because(
  'test method without an expected response',
  'a model judges the answer by itself there; nothing is checked by it',
)
const OTHER = because('other test method', 'the harness has no such check; nothing is checked by it')

/** What a method does with the expected response. */
const METHODS: ReadonlyMap<string, { readonly as: 'words' | 'pattern' | 'answer'; readonly reason: Reason }> =
  new Map([
    ['exactmatch', { as: 'pattern', reason: EXACT }],
    ['keywordmatch', { as: 'words', reason: KEYWORDS }],
    ['partialmatch', { as: 'words', reason: KEYWORDS }],
    ['comparemeaning', { as: 'answer', reason: MEANING }],
    ['similarity', { as: 'answer', reason: SIMILARITY }],
    ['textsimilarity', { as: 'answer', reason: SIMILARITY }],
    ['generalquality', { as: 'answer', reason: QUALITY }],
  ] as const)

export interface Tested {
  readonly question: string
  readonly expected: string
  /** In the column of that name. */
  readonly keywords: string
  /** As written; none: the file does not say how. */
  readonly methods: readonly string[]
}

/** Cells of `COPILOT_COLUMNS`. */
export function writeTested(
  { question, expected, keywords, methods }: Tested,
  account: Account,
  line: number,
): string[] {
  const words = splitKeywords(keywords === '' ? expected : keywords)
  const uses = new Set<'words' | 'pattern' | 'answer'>()
  for (const name of methods) {
    const method = METHODS.get(columnKey(name))
    // Beside another method an expected response is that one's, which General quality has no use for.
    const isIdle = method?.reason === QUALITY && methods.length > 1
    if (method === undefined) account.lost(OTHER, line)
    else if (isIdle || (method.as === 'words' ? words.length === 0 : expected === ''))
      account.lost(NOTHING, line)
    else {
      uses.add(method.as)
      account.changed(method.reason, line)
    }
  }
  if (methods.length === 0 && keywords !== '') uses.add('words')
  if (methods.length === 0 && expected !== '') {
    uses.add('answer')
    account.changed(NO_METHOD, line)
  }
  if (uses.has('words')) account.mapped('keywords')
  if (uses.has('pattern')) account.mapped('exact match')
  if (uses.has('answer')) account.mapped('reference answer')
  return [
    question,
    uses.has('words') ? writePhrases(words) : '',
    uses.has('pattern') ? `^${matchText(expected)}$` : '',
    uses.has('answer') ? expected : '',
  ]
}

const splitKeywords = (text: string): string[] =>
  text
    .split(/[,;\n]/)
    .map((word) => word.trim())
    .filter((word) => word !== '')
