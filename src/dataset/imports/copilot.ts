// Copilot Studio: test sets, of two columns or with the method of comparison, and its export of results.
import { columnKey } from '../columns.ts'
import {
  areWhole,
  literally,
  phrase,
  type Draft,
  type ForeignRow,
  type Format,
  type Importing,
} from './format.ts'

/** What a method does with the expected response, and what is not the same here. */
const METHODS: Readonly<Record<string, readonly [as: 'words' | 'text' | 'answer', why: string]>> = {
  exactmatch: ['text', 'it minds the case there, never here'],
  keywordmatch: ['words', 'every keyword must be there, each between commas or semicolons'],
  partialmatch: ['words', 'every keyword must be there, each between commas or semicolons'],
  comparemeaning: ['answer', 'a model judges it there; here the words are compared'],
  similarity: ['answer', 'it compares vectors there; here the words are compared'],
  textsimilarity: ['answer', 'it compares vectors there; here the words are compared'],
  generalquality: ['answer', 'a model judges it there; here the words are compared'],
}

const splitWords = (text: string): string[] =>
  text
    .split(/[,;\n]/)
    .map((word) => word.trim())
    .filter((word) => word !== '')

/** `methods`: as written; none is a reference answer. */
function expectResponse(draft: Draft, out: Importing, row: ForeignRow, methods: readonly string[]): void {
  const [expected, keywords] = [row.cell('expectedResponse'), row.cell('Keywords')]
  const uses = new Set(methods.length === 0 && expected !== '' ? ['answer'] : [])
  if (methods.length === 0 && keywords !== '') uses.add('words')
  for (const method of methods) {
    const [as, why] = METHODS[columnKey(method)] ?? []
    const isIdle = as === 'words' ? keywords === '' && expected === '' : expected === ''
    if (as === undefined || why === undefined)
      out.lost('other test method', 'the harness has no such check', row.line)
    else if (isIdle)
      out.lost('test method without an expected response', 'a model judges the answer by itself', row.line)
    else {
      uses.add(as)
      out.changed(method, why, row.line)
    }
  }
  // Beside another method an expected response is that one's, which General quality has no use for.
  const isOnlyAnswer = uses.size === 1 || !methods.some((method) => columnKey(method) === 'generalquality')
  if (uses.has('answer') && isOnlyAnswer) draft.add('expect_answer', expected)
  if (uses.has('text')) draft.add('expect_regex', `^${literally(expected)}$`)
  if (uses.has('words'))
    for (const word of splitWords(keywords === '' ? expected : keywords))
      draft.add('expect_contains', phrase(word))
}

const QUESTION = ['question', 'message'] as const
const METHOD = ['Testing method', 'Test method']

export const copilotTestSet: Format = {
  name: 'copilot-test-set',
  title: 'a Copilot Studio test set',
  recognises: (keys) => areWhole(keys, ['question', 'expectedResponse'], [...METHOD, 'Keywords']),
  needs: ['question'],
  columns: () => [
    QUESTION,
    ...['expectedResponse', 'Keywords', ...METHOD].map((name) => [name, 'row'] as const),
  ],
  start: () => (row, out) => {
    const methods = METHOD.map(row.cell).filter((method) => method !== '')
    expectResponse(out.question(row), out, row, methods)
  },
}

const NUMBERED = /^(?:testmethodtype|result|passingscore|explanation)\d+$/
const OF_THEN = { lost: 'it was given to the answer of then' }

/** The answers of then stay in the column `actualResponse`. */
export const copilotResults: Format = {
  name: 'copilot-results',
  title: 'an export of Copilot Studio results',
  recognises: (keys) =>
    keys.some((key) => key.startsWith('testmethodtype')) &&
    areWhole(
      keys.filter((key) => !NUMBERED.test(key)),
      ['question', 'expectedResponse', 'actualResponse'],
      ['conversationId'],
    ),
  needs: ['question', 'expectedResponse'],
  columns: () => [
    QUESTION,
    ['expectedResponse', 'row'],
    [/^test_?method_?type_?\d+$/i, 'row'],
    [/^(?:result|passing_?score|explanation)_?\d+$/i, OF_THEN],
  ],
  start: () => (row, out) => {
    const methods: string[] = []
    for (let block = 1; row.cell(`testMethodType_${block}`) !== ''; block += 1)
      methods.push(row.cell(`testMethodType_${block}`))
    expectResponse(out.question(row), out, row, methods)
  },
}
