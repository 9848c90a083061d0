// What promptfoo expects of an answer, as our own expectations; what has no counterpart is lost, and named.
import { literally, phrase, type CellReader } from './format.ts'

/** `(not-)?type((n))?:value`. */
const MAPPED =
  /^(not-)?(equals|i?contains(?:-any|-all)?|regex|starts-with|latency)(?:\(([\d.]+)\))?(?::([\s\S]*))?$/
/** Checks by code, by models or of formats; code is never executed. */
const OTHER =
  /^(?:not-)?(javascript|fn|eval|python|ruby|webhook|file|package|llm-rubric|grade|factuality|moderation|similar|levenshtein|classifier|cost|perplexity|rouge-n|bleu|gleu|meteor|g-eval|pi|select-best|max-score|word-count|guardrails|is-[a-z-]+|contains-(?:json|sql|xml|html)|(?:answer|context|conversation)-[a-z]+|model-graded-[a-z]+|trace-[a-z-]+|trajectory)(?=[:(]|$)/

/** Reads a cell of `__expected`. Without a type, promptfoo compares the whole cell with the answer, and so does the harness. */
export const readCheck: CellReader = (cell, draft, out) => {
  const [, other] = OTHER.exec(cell) ?? []
  if (other !== undefined)
    return out.lost(other, 'the harness has no such check; code is never executed', draft.line)
  const [, not, type = 'equals', limit, written] = MAPPED.exec(cell) ?? []
  const value = (MAPPED.test(cell) ? (written ?? '') : cell).trim()
  const isNot = not !== undefined
  if (type === 'latency') {
    const ms = limit ?? value
    if (isNot || !(Number(ms) > 0))
      return out.lost('latency without a limit', 'write one, as in latency(2000)', draft.line)
    return draft.add('max_latency_ms', ms)
  }
  const items = /-(?:any|all)$/.test(type) ? value.split(',').map((item) => item.trim()) : [value]
  const texts = items.filter((item) => item !== '')
  if (texts.length === 0)
    return out.lost('expectation without a value', 'it would pass with any answer', draft.line)
  if (!MAPPED.test(cell))
    out.changed(
      'without a type',
      'the whole answer is compared; write contains: before words in it',
      draft.line,
    )
  else if (!type.startsWith('i'))
    out.changed(type, 'promptfoo minds the case here, the harness never does', draft.line)
  const isEach = type.endsWith('contains') || type.endsWith(isNot ? '-any' : '-all') || texts.length === 1
  if (type.includes('contains') && isEach)
    for (const text of texts) draft.add(isNot ? 'expect_not_contains' : 'expect_contains', phrase(text))
  else {
    const pattern = patternOf(type, texts)
    draft.add('expect_regex', isNot ? `^(?![\\s\\S]*(?:${pattern}))` : pattern)
  }
}

function patternOf(type: string, texts: readonly string[]): string {
  const [text = ''] = texts
  if (type === 'regex') return isRegex(text) ? text : text.replaceAll(/\\([-_'"@#%&=:;,<>~!` ])/g, '$1')
  if (type === 'equals') return `^${literally(text)}$`
  if (type === 'starts-with') return `^${literally(text)}`
  if (type.endsWith('-any')) return texts.map(literally).join('|')
  return `^${texts.map((one) => `(?=[\\s\\S]*${literally(one)})`).join('')}`
}

/** With flag `u`, as ours are read: a backslash before a sign that needs none is an error there. */
function isRegex(text: string): boolean {
  try {
    RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}
