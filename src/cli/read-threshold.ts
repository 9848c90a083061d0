// A threshold as it was typed, or what is wrong with it in words for whoever typed it.
import { parseThreshold, type Threshold } from '../analysis/gates/expression.ts'
import { didYouMean } from './suggest.ts'

/** The threshold, or a sentence without its subject that names the expression and the mend. */
export function readThreshold(expression: string): Threshold | string {
  const parsed = parseThreshold(expression)
  if (parsed.kind === 'threshold') return parsed.threshold
  const { reason, unknown } = parsed
  const hint = unknown === undefined ? '' : didYouMean(unknown.word, unknown.known)
  return `'${expression}' ${reason}${hint}`
}
