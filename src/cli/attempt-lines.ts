// `--debug`: a line for each attempt.
import type { AttemptResult } from '../domain/attempt.ts'
import { describeError } from '../domain/describe-error.ts'
import type { JournalRecord } from '../domain/journal.ts'
import { shorten, visible } from '../report/visible.ts'
import { say } from './output.ts'

/** Says each attempt once its result is journaled. */
export function createAttemptLines(name: string): (record: JournalRecord) => void {
  const places = new Map<number, string>()
  return (record) => {
    if (record.kind === 'intent')
      places.set(
        record.attempt,
        `question ${record.question} repeat ${record.repeat} conversation ${record.conversation}`,
      )
    if (record.kind !== 'result') return
    const place = places.get(record.attempt) ?? ''
    places.delete(record.attempt)
    const times = `waited ${record.waitMs.toFixed(0)} ms, took ${record.serviceMs.toFixed(0)} ms`
    say(`${name} attempt ${record.attempt}: ${place}: ${describe(record.result)}; ${times}`)
  }
}

function describe(result: AttemptResult): string {
  const status = 'httpStatus' in result && result.httpStatus !== undefined ? ` ${result.httpStatus}` : ''
  const words = result.kind === 'reply' ? result.reply.contextSource : (describeError(result) ?? '')
  return `${result.kind}${status} ${visible(shorten(words, 200))}`
}
