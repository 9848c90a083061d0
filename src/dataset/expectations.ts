// The expectation cells of a row to what is expected of its answer.
import type { Expectations } from '../domain/question.ts'
import type { Cells } from './cells.ts'
import { excerpt } from './excerpt.ts'
import { readMilliseconds, readSimilarity } from './numbers.ts'
import { value, wrong, type CellReading } from './reading.ts'

/** Columns that expect something of an answer; `min_similarity` only says how much of `expect_answer`. */
export const EXPECTATION_COLUMNS = [
  'expect_source',
  'expect_contains',
  'expect_not_contains',
  'expect_regex',
  'expect_answer',
  'max_latency_ms',
] as const

const DEFAULT_SIMILARITY = 0.5

/** `undefined` where nothing is expected. What is wrong is reported, and left out. */
export function readExpectations(cells: Cells): Expectations | undefined {
  const source = cells.read('expect_source', readSource)
  const contains = cells.read('expect_contains', readContained)
  const notContains = cells.read('expect_not_contains', readNotContained)
  const regex = cells.read('expect_regex', readRegex)
  const minSimilarity = cells.read('min_similarity', readSimilarity) ?? DEFAULT_SIMILARITY
  const text = cells.text('expect_answer')
  const maxLatencyMs = cells.read('max_latency_ms', readMilliseconds)
  const expectations: Expectations = {}
  if (source !== undefined) expectations.source = source
  if (contains !== undefined) expectations.contains = contains
  if (notContains !== undefined) expectations.notContains = notContains
  if (regex !== undefined) expectations.regex = regex
  if (text !== '') expectations.answer = { text, minSimilarity }
  if (maxLatencyMs !== undefined) expectations.maxLatencyMs = maxLatencyMs
  return Object.keys(expectations).length === 0 ? undefined : expectations
}

function readSource(text: string): CellReading<{ not: boolean; value: string }> {
  const not = text.startsWith('!')
  const source = not ? text.slice(1).trim() : text
  return source === ''
    ? wrong('expect_source names no source after the "!"; write the one that must not be, such as !NONE')
    : value({ not, value: source })
}

/** Separated by bars; `\|` and `\\` stand for the sign itself, a backslash before anything else too. */
function readPhrases(column: string, text: string): CellReading<string[]> {
  const phrases = (text.match(/(?:\\[|\\]|[^|])+/g) ?? [])
    .map((phrase) => phrase.trim().replaceAll(/\\([|\\])/g, '$1'))
    .filter((phrase) => phrase !== '')
  return phrases.length === 0
    ? wrong(`${column} ${excerpt(text)} holds only bars; write words between them, or \\| for a bar itself`)
    : value(phrases)
}

const readContained = (text: string): CellReading<string[]> => readPhrases('expect_contains', text)
const readNotContained = (text: string): CellReading<string[]> => readPhrases('expect_not_contains', text)

function readRegex(text: string): CellReading<string> {
  try {
    RegExp(text, 'iu')
    return value(text)
  } catch (error) {
    // The engine repeats the whole expression before the reason.
    const reason = error instanceof Error ? error.message.replace(/^.*: /s, '') : String(error)
    return wrong(
      `expect_regex ${excerpt(text)} is no regular expression (${reason}); mend it, or put a backslash before a sign that stands for itself`,
    )
  }
}
