// Copilot Studio: test sets, with or without test methods, and exported results.
import { ownValue } from '../../domain/text.ts'
import { columnKey, type ColumnName } from '../columns.ts'
import { has, matches, escapeRegex, escapePhrase, type Format, type ColumnRule } from './format.ts'

/** Other test methods than these, such as General quality, ignore the expected response. */
const METHODS: Readonly<Record<string, ColumnName>> = {
  exactmatch: 'expect_regex',
  keywordmatch: 'expect_contains',
  partialmatch: 'expect_contains',
  comparemeaning: 'expect_answer',
  similarity: 'expect_answer',
  textsimilarity: 'expect_answer',
}

/**
 * The question column's rule reads the expectations, too, since a method may need no expected response.
 * Without a method, the expected response is a reference answer. `columns` are those of the methods.
 */
const questionWith = (columns: readonly string[]): ColumnRule => [
  'question',
  (question, out, cellOf) => {
    out.add('message', question)
    const [expected = '', keywords = ''] = ['expectedResponse', 'Keywords'].map((name) => cellOf(name).trim())
    const methods = columns.map((name) => cellOf(name).trim()).filter((method) => method !== '')
    const fields = new Set<ColumnName>()
    if (methods.length === 0) fields.add(keywords === '' ? 'expect_answer' : 'expect_contains')
    for (const method of methods) {
      const field = ownValue(METHODS, columnKey(method))
      const text = field === 'expect_contains' && expected === '' ? keywords : expected
      if (field === undefined || text === '')
        out.lost('test method without a counterpart', 'a model judges the answer there')
      else {
        fields.add(field)
        out.changed(method, 'compared by words here; case does not matter')
      }
    }
    if (fields.has('expect_answer')) out.add('expect_answer', expected)
    if (fields.has('expect_regex')) out.add('expect_regex', `^${escapeRegex(expected)}$`)
    if (fields.has('expect_contains'))
      for (const word of (keywords || expected).split(/[,;\n]/))
        out.add('expect_contains', escapePhrase(word))
  },
]

const METHOD = ['Testing method', 'Test method']

export const copilotTestSet: Format = {
  name: 'copilot-test-set',
  title: 'a Copilot Studio test set',
  recognises: (keys) =>
    matches(keys, ['question', 'expectedResponse']) ||
    (has(keys, 'question', 'expectedResponse') && ['Keywords', ...METHOD].some((name) => has(keys, name))),
  required: ['question'],
  columns: () => [
    questionWith(METHOD),
    ...['expectedResponse', 'Keywords', ...METHOD].map((name) => [name, 'read elsewhere'] as const),
  ],
}

const METHOD_TYPE = /^test_?method_?type_?\d+$/i

/** The recorded answers and their results remain ordinary columns. */
export const copilotResults: Format = {
  name: 'copilot-results',
  title: 'an export of Copilot Studio results',
  recognises: (keys) =>
    has(keys, 'question', 'expectedResponse', 'actualResponse') && keys.some((key) => METHOD_TYPE.test(key)),
  required: ['question', 'expectedResponse'],
  columns: (headers) => [
    questionWith(headers.filter((name) => METHOD_TYPE.test(name))),
    ['expectedResponse', 'read elsewhere'],
    [METHOD_TYPE, 'read elsewhere'],
  ],
}
