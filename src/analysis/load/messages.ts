// What the verdict and the warnings of a load test say.
import { digits, duration, listCounts, listNames, percent } from '../../domain/format.ts'
import { makeMessage, type Message } from '../../domain/message.ts'

export const noThreshold = (): Message => makeMessage('no-threshold', 'no threshold was given')

export const unreachable = (calls: number, codes: readonly string[]): Message =>
  makeMessage(
    'load-unreachable',
    `no call of ${digits(calls)} got an HTTP status (${listNames(codes)}): the endpoint is unreachable ` +
      'or down',
  )

export const nothingAnswered = (): Message => makeMessage('load-nothing-answered', 'no question was answered')

export const nothingSent = (): Message => makeMessage('load-nothing-sent', 'no call was sent')

export const turnsUnanswered = (
  share: number,
  counts: readonly (readonly [outcome: string, turns: number])[],
): Message =>
  makeMessage(
    'load-unanswered',
    `${percent(share)} of the questions were not answered (${listCounts(counts)})`,
  )

export const threadsDroppedShare = (share: number): Message =>
  makeMessage('load-dropped', `${percent(share)} of the conversations were dropped`)

/** Calls that this machine could not send, by what it lacked. */
interface Unsent {
  readonly calls: number
  readonly byCause: Readonly<Record<string, number>>
}
const lackOf = ({ byCause }: Unsent): string => Object.keys(byCause).join(', ')

export const callsUnsent = (unsent: Unsent): Message =>
  makeMessage(
    'load-unsent',
    `${digits(unsent.calls)} calls were not sent: this machine ran out of ${lackOf(unsent)}`,
  )

// The warnings.

export const machineTooSmall = (unsent: Unsent, all: number): Message =>
  makeMessage(
    'load-machine',
    `Calls not sent: ${digits(unsent.calls)} of ${digits(all)}. This machine ran out of ` +
      `${lackOf(unsent)}, so these calls say nothing about the endpoint. Raise the limit (ulimit -n for ` +
      'file descriptors), lower --max-in-flight, or use another machine.',
  )

export const closedLoop = (): Message =>
  makeMessage(
    'load-closed-loop',
    'Users wait for answers (--users): while the endpoint stalls, little is sent, and response times ' +
      'hide the stall. Use --arrival-rate to see it.',
  )

export const sentLate = (p99: number, maxMs: number): Message =>
  makeMessage(
    'load-send-lag',
    `Send lag p99 is ${duration(p99)}, above ${duration(maxMs)}. This machine sent calls late, which ` +
      'adds to response times. Lower the rate, or use another machine.',
  )

export const threadsDropped = (dropped: number, due: number, maxInFlight: number): Message =>
  makeMessage(
    'load-threads-dropped',
    `Conversations dropped: ${digits(dropped)} of ${digits(due)}. ${digits(maxInFlight)} calls were in ` +
      `flight (--max-in-flight).`,
  )
