// A threshold as it was typed, or what is wrong with it in words for whoever typed it.
import { parseThreshold, type ParsedThreshold, type Threshold } from '../analysis/gates/expression.ts'
import { didYouMean } from '../library/suggest.ts'

/** The threshold, or a sentence without its subject that names the expression and the mend. */
export const readThreshold = (expression: string): Threshold | string =>
  explainThreshold(expression, parseThreshold(expression))

/** The same for one that was parsed by other names. */
export function explainThreshold(expression: string, parsed: ParsedThreshold): Threshold | string {
  if (parsed.kind === 'threshold') return parsed.threshold
  const { reason, unknown } = parsed
  const hint = unknown === undefined ? '' : didYouMean(unknown.word, unknown.known)
  return `'${expression}' ${reason}${hint}`
}
