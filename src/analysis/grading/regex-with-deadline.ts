// Expressions from question sets may backtrack without end: a limit of time stops them.
import { hash } from 'node:crypto'
import { createContext, Script } from 'node:vm'
import type { RegexOutcome } from './grade.ts'

/** It is wall time: on a busy machine an expression that ends at once may wait for its turn. */
const LIMIT_MS = 1000

/**
 * The engine checks for termination while it backtracks, so the time limit of `node:vm` stops it. That costs
 * about 100 µs per call, and reports grade an answer more than once, so outcomes are cached.
 */
export function createRegexMatcher(limitMs = LIMIT_MS): (source: string, text: string) => RegexOutcome {
  const outcomes = new Map<string, RegexOutcome>()
  const sandbox: { regex?: RegExp; text?: string } = {}
  const context = createContext(sandbox)
  const script = new Script('regex.test(text)')

  const run = (source: string, text: string): RegexOutcome => {
    try {
      Object.assign(sandbox, { regex: new RegExp(source, 'iu'), text })
      return script.runInContext(context, { timeout: limitMs }) === true ? 'match' : 'no match'
    } catch (error) {
      // By its code: an error may come from another realm, where `instanceof` fails.
      const hasCode = typeof error === 'object' && error !== null && 'code' in error
      return hasCode && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? 'timed out' : 'cannot run'
    }
  }
  return (source, text) => {
    const key = hash('sha256', JSON.stringify([source, text]))
    const outcome = outcomes.get(key) ?? run(source, text)
    outcomes.set(key, outcome)
    return outcome
  }
}
