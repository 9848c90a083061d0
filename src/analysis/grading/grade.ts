// A turn's grade: whether its answer meets what the question expects. Pure but for the clock on regular expressions.
import type { Expectations, Question } from '../../domain/question.ts'
import type { Failure, Grade, TurnRecord } from '../../domain/turn.ts'
import { cut } from '../../domain/text.ts'
import { fold } from './fold.ts'
import { tokenF1, tokensOf } from './similarity.ts'

type TurnToGrade = Pick<TurnRecord, 'outcome' | 'contextLost' | 'result' | 'serviceMs'> & {
  readonly question: Pick<Question, 'expect'>
}

/** `timed out`: stopped at its limit of time. `cannot run`: the engine gives up, for the size of expression or answer. */
export type RegexOutcome = 'match' | 'no match' | 'timed out' | 'cannot run'

export interface GradePorts {
  /** Runs a regular expression (flags `iu`) with a limit of time; never throws. */
  readonly matches: (source: string, text: string) => RegexOutcome
}

interface Answer extends GradePorts {
  readonly text: string
  readonly folded: string
  readonly contextSource: string
  /** Service time of the last attempt; waiting for the limiter is not the answer's fault. */
  readonly serviceMs: number | undefined
}

interface Expectation {
  /** As the set writes it; undefined where the question does not expect it. */
  readonly expected: (expect: Expectations) => string | undefined
  /** What is wrong, a sentence fragment each; none where the expectation is met, or there is none. */
  readonly check: (expect: Expectations, answer: Answer) => string[]
}

/** By column, in the order of the columns. */
const EXPECTATIONS: Readonly<Record<string, Expectation>> = {
  expect_source: {
    expected: ({ source }) => source && `${source.not ? '!' : ''}${source.value}`,
    /** Folded: a `!knowledge_base` that silently held for every answer of KNOWLEDGE_BASE would be worse than a generous one. */
    check: ({ source }, { contextSource }) => {
      if (source === undefined || (fold(contextSource) === fold(source.value)) !== source.not) return []
      return [
        `was ${shorten(contextSource)}, expected ${source.not ? 'anything else' : shorten(source.value)}`,
      ]
    },
  },
  expect_contains: {
    expected: ({ contains }) => contains?.join(' | '),
    check: ({ contains = [] }, { text, folded }) =>
      contains
        .filter((phrase) => !folded.includes(fold(phrase)))
        .map((phrase) => `does not contain ${quote(phrase)}; the answer was ${quote(text)}`),
  },
  expect_not_contains: {
    expected: ({ notContains }) => notContains?.join(' | '),
    check: ({ notContains = [] }, { text, folded }) =>
      notContains.flatMap((phrase) => {
        // A phrase of nothing but invisible signs forbids nothing.
        const place = fold(phrase) === '' ? -1 : folded.indexOf(fold(phrase))
        if (place === -1) return []
        return [
          `contains ${quote(phrase)}, which it must not; found in ${quote(text, unfoldedPlace(text, place))}`,
        ]
      }),
  },
  expect_regex: {
    expected: ({ regex }) => regex,
    /** The answer is matched as it came: a regular expression says itself what it ignores. */
    check: ({ regex }, { text, matches }) => {
      if (regex === undefined) return []
      const [shown, answer] = [`the regular expression ${quote(regex)}`, `the answer was ${quote(text)}`]
      switch (matches(regex, text)) {
        case 'match':
          return []
        case 'no match':
          return [`does not match ${shown}; ${answer}`]
        case 'timed out':
          return [`${shown} took too long: avoid nested repetition such as (a+)+; ${answer}`]
        case 'cannot run':
          return [`${shown} cannot run on this answer: simplify it; ${answer}`]
      }
    },
  },
  expect_answer: {
    expected: ({ answer }) => answer?.text,
    check: ({ answer }, { text, folded }) => {
      if (answer === undefined) return []
      const similarity = tokenF1(tokensOf(text, folded), tokensOf(answer.text))
      if (similarity >= answer.minSimilarity) return []
      // Rounded down, so that what falls short is never written as if it did not.
      const found = Math.floor(similarity * 1000) / 10
      const needed = Number((answer.minSimilarity * 100).toFixed(1))
      return [
        `shares ${found} % of its words with the expected answer ${quote(answer.text)}, needs ${needed} %; the answer was ${quote(text)}`,
      ]
    },
  },
  max_latency_ms: {
    expected: ({ maxLatencyMs }) => maxLatencyMs?.toString(),
    check: ({ maxLatencyMs }, { serviceMs }) => {
      if (maxLatencyMs === undefined || (serviceMs !== undefined && serviceMs <= maxLatencyMs)) return []
      const took = serviceMs === undefined ? 'its time is unknown' : `took ${milliseconds(serviceMs)}`
      return [`${took}, allowed ${milliseconds(maxLatencyMs)}`]
    },
  },
}

export const expectedTexts = (expect: Expectations): (readonly [column: string, expected: string])[] =>
  Object.entries(EXPECTATIONS).flatMap(([column, { expected }]) => {
    const text = expected(expect)
    return text === undefined ? [] : [[column, text] as const]
  })

/** Every expectation is checked, so all failures show at once. Only an answer with its context is graded. `must_pass` is no expectation of its own. */
export function grade(turn: TurnToGrade, { matches }: GradePorts): Grade {
  const { expect } = turn.question
  if (expect === undefined) return { kind: 'none' }
  const { outcome, result, contextLost, serviceMs } = turn
  if (outcome !== 'answered' || result?.kind !== 'reply' || contextLost) return { kind: 'notGraded' }
  const { message: text, contextSource } = result.reply
  const answer: Answer = { text, folded: fold(text), contextSource, serviceMs, matches }
  const [first, ...rest] = Object.entries(EXPECTATIONS).flatMap(([expectation, { check }]): Failure[] =>
    check(expect, answer).map((sentence) => ({ expectation, sentence })),
  )
  return first === undefined ? { kind: 'passed' } : { kind: 'failed', failures: [first, ...rest] }
}

const LONGEST = 120
const LONGEST_SOURCE = 60

/** What stands around a place in a text, on one line, in quotes; `at` counts UTF-16 units. */
function quote(text: string, at = 0): string {
  if (text.trim() === '') return '(empty)'
  const from = Math.max(0, Math.min(at - LONGEST / 3, text.length - LONGEST))
  const to = from + LONGEST
  // A half of a sign at a cut is dropped.
  const piece = text.slice(from, to).replaceAll(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  const line = piece.replaceAll(/\s+/g, ' ').trim()
  return `'${from > 0 ? '…' : ''}${line}${to < text.length ? '…' : ''}'`
}

function shorten(source: string): string {
  const line = source.replaceAll(/\s+/g, ' ').trim()
  return line === '' ? '(empty)' : cut(line, LONGEST_SOURCE)
}

/** Where in a text stands what begins at `place` of its folding, which keeps the order; off by a sign or two where folding merges signs. */
function unfoldedPlace(text: string, place: number): number {
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (fold(text.slice(0, middle)).length < place) low = middle + 1
    else high = middle
  }
  return low
}

/** A time just over the limit must not be written like the limit. */
const milliseconds = (ms: number): string =>
  `${Number.isInteger(ms) ? ms : ms.toFixed(ms - Math.floor(ms) < 0.05 ? 3 : 1)} ms`
