// Expectations of what stands beside the answer: its source and its time.
import type { Failure } from '../../domain/turn.ts'
import type { Expectations } from '../../domain/question.ts'
import { fold } from './fold.ts'

const LONGEST_SOURCE = 60

/**
 * Case and outer white space do not matter: a `!knowledge_base` that silently held for every answer of
 * KNOWLEDGE_BASE would be worse than one that is too generous.
 */
export function sourceFailures({ source }: Expectations, found: string): Failure[] {
  if (source === undefined) return []
  const isSame = fold(found) === fold(source.value)
  if (isSame !== source.not) return []
  const expected = source.not ? 'anything else' : shorten(source.value)
  return [{ expectation: 'expect_source', sentence: `was ${shorten(found)}, expected ${expected}` }]
}

function shorten(source: string): string {
  const line = source.replaceAll(/\s+/g, ' ').trim()
  if (line === '') return '(empty)'
  return line.length <= LONGEST_SOURCE ? line : `${line.slice(0, LONGEST_SOURCE).toWellFormed()}…`
}

/** Service time of the last attempt; waiting for the limiter is not the answer's fault. */
export function timeFailures({ maxLatencyMs }: Expectations, serviceMs: number | undefined): Failure[] {
  if (maxLatencyMs === undefined || (serviceMs !== undefined && serviceMs <= maxLatencyMs)) return []
  const took = serviceMs === undefined ? 'its time is not known' : `took ${milliseconds(serviceMs)}`
  return [{ expectation: 'max_latency_ms', sentence: `${took}, allowed ${milliseconds(maxLatencyMs)}` }]
}

/** A time just over the limit must not be written like the limit. */
const milliseconds = (ms: number): string =>
  `${Number.isInteger(ms) ? ms : ms.toFixed(ms - Math.floor(ms) < 0.05 ? 3 : 1)} ms`
