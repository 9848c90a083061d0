// Runs regular expressions from question sets with a limit of time: one that backtracks without end is stopped.
import { hash } from 'node:crypto'
import { createContext, Script } from 'node:vm'
import type { RegexOutcome } from '../analysis/grading/grade.ts'

/** A turn has one regular expression, so it is graded well within a second. */
const LIMIT_MS = 250

/** Throws where the source is no regular expression. */
const prepare = (source: string) => ({ regex: new RegExp(source, 'iu'), isQuick: boundRegex(source) })

const keyOf = (source: string, text: string): string => hash('sha256', JSON.stringify([source, text]))

/**
 * The engine checks for termination while it backtracks, so the time limit of `node:vm` stops it. That costs a thread
 * a call (some 150 µs): expressions that are certain to end soon are run without it.
 */
export function createRegexMatcher(limitMs = LIMIT_MS): (source: string, text: string) => RegexOutcome {
  const prepared = new Map<string, ReturnType<typeof prepare>>()
  /** Reports look at an answer more than once; what ran out of time does so again. */
  const timedOut = new Set<string>()
  const sandbox: { regex?: RegExp; text?: string } = {}
  const context = createContext(sandbox)
  const script = new Script('regex.test(text)')

  return (source, text) => {
    if (timedOut.size > 0 && timedOut.has(keyOf(source, text))) return 'timed out'
    try {
      const known = prepared.get(source) ?? prepare(source)
      prepared.set(source, known)
      const { regex, isQuick } = known
      if (isQuick(text)) return regex.test(text) ? 'match' : 'no match'
      Object.assign(sandbox, { regex, text })
      return script.runInContext(context, { timeout: limitMs }) === true ? 'match' : 'no match'
    } catch (error) {
      if (!isTimeout(error)) return 'cannot run'
      timedOut.add(keyOf(source, text))
      return 'timed out'
    }
  }
}

/** By its code: an error may come from another realm, where `instanceof` fails. */
function isTimeout(error: unknown): boolean {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error
  return hasCode && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}

/** A step takes V8 some nanoseconds, a big class without case perhaps fifty: at most a tenth of a second. */
const MOST_STEPS = 2_000_000

const TOKEN =
  /(?:\((?:\?(?::|=|!|<=|<!|<[^>=!]+>))?|\)|(?<bar>\|)|[$^]|\\[bB]|(?<sign>\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\[sSdDwWtnrfv]|\\[\^$\\.*+?()[\]{}|/]|[^\\()[\]{}|*+?^$]))(?<times>(?:[*+?]|\{\d+(?:,\d*)?\})\??)?/suy

/**
 * Whether an expression is certain to end soon on a text: an upper bound on the steps of a backtracking matcher. From
 * each place in the text it walks the tree of all choices, whose leaves are at most the product of the ways at each
 * choice. A repeated sign has as many ways as the longest run of that sign in this text. Repeated groups, back
 * references and what this reader does not know are never certain. `source` is valid under the flags `iu`.
 */
export function boundRegex(source: string): (text: string) => boolean {
  const repeated: { readonly run: RegExp; readonly most: number }[] = []
  let [factor, length, place] = [1, 1, 0]
  while (place < source.length) {
    TOKEN.lastIndex = place
    const { bar, sign, times } = TOKEN.exec(source)?.groups ?? {}
    if (TOKEN.lastIndex === 0 || (times !== undefined && sign === undefined)) return () => false
    place = TOKEN.lastIndex
    length += 1
    if (bar !== undefined || times?.startsWith('?')) factor *= 2
    else if (times !== undefined)
      repeated.push({
        run: new RegExp(`(?:${sign})+`, 'giu'),
        most: Number(/(\d+)\}/.exec(times)?.[1] ?? Infinity),
      })
  }
  return (text) => {
    let steps = (text.length + 1) * length * factor
    for (const { run, most } of repeated) {
      if (steps > MOST_STEPS) return false
      const longest = (text.match(run) ?? []).reduce((so, { length: one }) => Math.max(so, one), 0)
      steps *= 1 + Math.min(most, longest)
    }
    return steps <= MOST_STEPS
  }
}
