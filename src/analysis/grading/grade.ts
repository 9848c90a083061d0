// Grades a turn by its question's expectations. Pure, except for the time limit of regular expressions.
import { hash } from 'node:crypto'
import { createContext, Script } from 'node:vm'
import type { AttemptResult } from '../../domain/attempt.ts'
import { WRITTEN } from '../../domain/format.ts'
import { EXPECTATION_COLUMNS, type Expectations } from '../../domain/question.ts'
import { cut, singleSpaced } from '../../domain/text.ts'
import type { Grade, Turn, Unmet, UnmetExpectation } from '../../domain/turn.ts'
import { foldText, visibleText } from '../../text/fold.ts'
import { standsIn, tokenF1, tokensOf } from './similarity.ts'

/** `timed out`: the time limit stopped it. `cannot run`: expression or answer is too large for the engine. */
type RegexOutcome = 'match' | 'no match' | 'timed out' | 'cannot run'

interface Answer {
  readonly text: string
  readonly folded: string
  readonly plain: string
  readonly contextSource: string
  /** Excludes the wait for the limiter, which says nothing about the endpoint. */
  readonly serviceMs: number | undefined
  readonly matches: ReturnType<typeof createRegexMatcher>
}

interface Expectation {
  readonly expected: (expect: Expectations) => string | undefined
  readonly check: (expect: Expectations, answer: Answer) => Unmet[]
}

const EXPECTATIONS: Readonly<Record<keyof Expectations, Expectation>> = {
  source: {
    expected: ({ source }) => source && `${source.not ? '!' : ''}${source.value}`,
    check: ({ source }, { contextSource }) => {
      // With its case, `!knowledge_base` would silently hold for every KNOWLEDGE_BASE answer.
      if (source === undefined || (foldText(contextSource) === foldText(source.value)) !== source.not)
        return []
      const expected = source.not ? 'anything else' : shorten(source.value)
      return [{ sentence: `was ${shorten(contextSource)}, expected ${expected}` }]
    },
  },
  contains: {
    expected: ({ contains }) => contains?.join(' | '),
    check: ({ contains = [] }, { text, folded, plain }) =>
      contains
        .filter((phrase) => !folded.includes(foldText(phrase)) && !plain.includes(foldPlain(phrase)))
        .map((phrase) => ({ sentence: `does not contain ${quote(phrase)}`, found: answerWas(text) })),
  },
  notContains: {
    expected: ({ notContains }) => notContains?.join(' | '),
    check: ({ notContains = [] }, { text, folded, plain }) =>
      notContains
        .filter((phrase) => forbids(foldText(phrase), folded) || forbids(foldPlain(phrase), plain))
        .map((phrase) => {
          const at = text.toLowerCase().indexOf(phrase.toLowerCase())
          const found = `found in ${quote(text, Math.max(0, at))}`
          return { sentence: `contains ${quote(phrase)}, which it must not`, found }
        }),
  },
  regex: {
    expected: ({ regex }) => regex,
    check: ({ regex }, { text, matches }) => {
      if (regex === undefined) return []
      const [expression, found] = [`the regular expression ${quote(regex)}`, answerWas(text)]
      // The answer is not folded: the expression decides what to ignore.
      switch (matches(regex, text)) {
        case 'match':
          return []
        case 'no match':
          return [{ sentence: `does not match ${expression}`, found }]
        case 'timed out':
          return [{ sentence: `${expression} took too long: avoid nested repetition such as (a+)+`, found }]
        case 'cannot run':
          return [{ sentence: `${expression} cannot run on this answer: simplify it`, found }]
      }
    },
  },
  answer: {
    expected: ({ answer }) => answer?.text,
    check: ({ answer }, { text, plain }) => {
      if (answer === undefined || standsIn(foldPlain(answer.text), plain)) return []
      const similarity = tokenF1(tokensOf(visibleText(text), plain), tokensOf(visibleText(answer.text)))
      if (similarity >= answer.minSimilarity) return []
      // Rounded down: a similarity below the limit must not look like the limit.
      const shared = Math.floor(similarity * 1000) / 10
      const needed = Number((answer.minSimilarity * 100).toFixed(1))
      const expected = `the expected answer ${quote(answer.text)}`
      const sentence = `shares ${shared} % of its words with ${expected}, needs ${needed} %`
      return [{ sentence, found: answerWas(text) }]
    },
  },
  maxLatencyMs: {
    expected: ({ maxLatencyMs }) => maxLatencyMs?.toString(),
    check: ({ maxLatencyMs }, { serviceMs }) => {
      if (maxLatencyMs === undefined || (serviceMs !== undefined && serviceMs <= maxLatencyMs)) return []
      const took = serviceMs === undefined ? 'its time is unknown' : `took ${WRITTEN.milliseconds(serviceMs)}`
      return [{ sentence: `${took}, allowed ${WRITTEN.milliseconds(maxLatencyMs)}` }]
    },
  },
}

export const expectedTexts = (expect: Expectations): (readonly [column: string, expected: string])[] =>
  NAMES.flatMap((name) => {
    const text = EXPECTATIONS[name].expected(expect)
    return text === undefined ? [] : [[EXPECTATION_COLUMNS[name], text] as const]
  })

const NAMES = Object.keys(EXPECTATIONS) as (keyof Expectations)[]

interface Graded {
  readonly grade: Grade
  readonly failures: readonly UnmetExpectation[]
}

/** Checks every expectation, so that all failures show at once. Grades only answers with their context. */
export function createGrader(): (turn: Turn, result: AttemptResult | undefined) => Graded {
  const matches = createRegexMatcher()
  return ({ question: { expect }, outcome, contextLost, serviceMs }, result) => {
    if (expect === undefined) return { grade: 'none', failures: [] }
    if (outcome !== 'answered' || result?.kind !== 'reply' || contextLost)
      return { grade: 'notGraded', failures: [] }
    const { message: text, contextSource } = result.reply
    const [folded, plain] = [foldText(text), foldPlain(text)]
    const answer: Answer = { text, folded, plain, contextSource, serviceMs, matches }
    const failures = NAMES.flatMap((name): UnmetExpectation[] =>
      EXPECTATIONS[name]
        .check(expect, answer)
        .map((unmet) => ({ expectation: EXPECTATION_COLUMNS[name], ...unmet })),
    )
    return { grade: failures.length === 0 ? 'passed' : 'failed', failures }
  }
}

const foldPlain = (text: string): string => foldText(visibleText(text))

/** A phrase of only invisible signs forbids nothing. */
const forbids = (phrase: string, answer: string): boolean => phrase !== '' && answer.includes(phrase)

const answerWas = (text: string): string => `the answer was ${quote(text)}`

const MAX_LENGTH = 120
const MAX_SOURCE_LENGTH = 60

function quote(text: string, at = 0): string {
  if (text.trim() === '') return '(empty)'
  const from = Math.max(0, Math.min(at - MAX_LENGTH / 3, text.length - MAX_LENGTH))
  const to = from + MAX_LENGTH
  // Drops half a surrogate pair at either cut.
  const piece = text.slice(from, to).replaceAll(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  return `'${from > 0 ? '…' : ''}${singleSpaced(piece)}${to < text.length ? '…' : ''}'`
}

function shorten(source: string): string {
  const line = singleSpaced(source)
  return line === '' ? '(empty)' : cut(line, MAX_SOURCE_LENGTH)
}

/** It is wall time: on a busy machine an expression that ends at once may wait for its turn. */
const LIMIT_MS = 1000

/**
 * The engine checks for termination while it backtracks, so the time limit of `node:vm` stops it. That costs
 * about 100 µs per call, and reports grade an answer more than once, so outcomes are cached.
 */
function createRegexMatcher(): (source: string, text: string) => RegexOutcome {
  const outcomes = new Map<string, RegexOutcome>()
  const sandbox: { regex?: RegExp; text?: string } = {}
  const context = createContext(sandbox)
  const script = new Script('regex.test(text)')

  const run = (source: string, text: string): RegexOutcome => {
    try {
      Object.assign(sandbox, { regex: new RegExp(source, 'iu'), text })
      return script.runInContext(context, { timeout: LIMIT_MS }) === true ? 'match' : 'no match'
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
