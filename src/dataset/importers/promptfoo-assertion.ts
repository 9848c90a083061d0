// An expectation of promptfoo's CSV, taken apart: `(not-)?type((n))?:value`; without a known type it means "equals".

export interface Assertion {
  readonly type: string
  readonly isNot: boolean
  /** The number in parentheses. */
  readonly threshold: number | undefined
  /** Without outer white space, as promptfoo takes it. */
  readonly value: string
  /** No type was written: promptfoo compares the whole cell. */
  readonly isUntyped: boolean
}

/** Types of promptfoo's that the harness has no counterpart for; code and models among them. */
const OTHER_TYPES = [
  'agent-rubric|answer-relevance|assert-set|bleu|classifier|contains-html|contains-json|contains-sql|contains-xml',
  'context-faithfulness|context-recall|context-relevance|conversation-relevance|cost|factuality|finish-reason|g-eval',
  'gleu|guardrails|human|is-html|is-json|is-refusal|is-sql|is-valid-function-call|is-valid-openai-function-call',
  'is-valid-openai-tools-call|is-xml|javascript|levenshtein|llm-rubric|max-score|meteor|model-graded-closedqa',
  'model-graded-factuality|moderation|perplexity|perplexity-score|pi|python|rouge-l|rouge-n|rouge-s|ruby|search-rubric',
  'select-best|similar|similar:cosine|similar:dot|similar:euclidean|skill-used|tool-call-f1|trace-error-spans',
  'trace-span-count|trace-span-duration|trajectory:[a-z-]+|webhook|word-count',
].join('|')

const TYPES = `equals|i?contains(?:-any|-all)?|regex|starts-with|latency|${OTHER_TYPES}`

const GRAMMAR = new RegExp(String.raw`^(not-)?(${TYPES})(?:\((\d+(?:\.\d+)?)\))?(?::([\s\S]*))?$`)

/** Older names, and whole cells that are code or a file. */
const PREFIXES: readonly (readonly [RegExp, string])[] = [
  [/^(?:javascript|fn|eval):/, 'javascript'],
  [/^python:/, 'python'],
  [/^(?:grade|llm-rubric):/, 'llm-rubric'],
  [/^file:\/\//, 'file://'],
  [/^package:/, 'package:'],
]

export function readAssertion(cell: string): Assertion {
  const text = cell.trim()
  const prefix = PREFIXES.find(([pattern]) => pattern.test(text))
  if (prefix !== undefined) return assertion(prefix[1], { value: text })
  const [, not, type, threshold, value] = GRAMMAR.exec(text) ?? []
  if (type === undefined) return assertion('equals', { value: text, isUntyped: true })
  // All of a family are one kind: what stands in cells must not make kinds.
  return assertion(type.replace(/^trajectory:.*/, 'trajectory'), {
    isNot: not !== undefined,
    threshold: threshold === undefined ? undefined : Number(threshold),
    value: value?.trim() ?? '',
  })
}

const assertion = (type: string, rest: Partial<Assertion>): Assertion => ({
  type,
  isNot: false,
  threshold: undefined,
  value: '',
  isUntyped: false,
  ...rest,
})
