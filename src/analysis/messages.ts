// What the verdict, the gates and the warnings of a run say. A load test says some of it, too.
import { digits, listCounts, listNames, WRITTEN } from '../domain/format.ts'
import { makeMessage, type Message } from '../domain/message.ts'
import { nameOfQuestion } from '../domain/question.ts'
import type { ListedQuestion } from '../domain/summary.ts'
import { describeShard, type ShardPosition } from '../domain/shard.ts'

// The verdict.

export const answeredOf = (answered: number, total: number): Message =>
  makeMessage('answered', `${digits(answered)} of ${digits(total)} answered`)

export const everyTurnAnswered = (): Message =>
  makeMessage('every-turn-answered', 'every question was answered')

export const expectationsMet = (): Message => makeMessage('expectations-met', 'every expectation was met')

export const gatesPassed = (): Message => makeMessage('gates-passed', 'every gate passed')

export const turnsWithoutOutcome = (turns: number): Message =>
  makeMessage('turns-without-outcome', `questions without an outcome: ${digits(turns)}`)

export const journalDamaged = (): Message => makeMessage('journal-damaged', 'the journal is damaged')

export const shardNotJudged = (position: ShardPosition): Message => {
  const shard = describeShard(position)
  const text = `${shard}: nothing in it fails the run; merge judges the whole`
  return makeMessage('shard-not-judged', text)
}

/** `left`: calls that the rest would need at least. */
export const decidedAfter = (calls: number, left: number): Message =>
  makeMessage('decided', `decided after ${digits(calls)} of ${digits(calls + left)} calls`)

export const notDecided = (gates: readonly string[]): Message =>
  makeMessage('not-decided', `open now: ${listNames(gates)}`)

export const decidedAtEnd = (gates: readonly string[]): Message =>
  makeMessage(
    'decided-at-end',
    `--until-decided: only the end of the run decides ${listNames(gates)}, so it sends everything unless ` +
      'another gate fails first',
  )

export const figuresOfPart = (known: number, total: number): Message =>
  makeMessage(
    'figures-of-part',
    `Figures are of a part: ${digits(known)} of ${digits(total)} questions have an outcome. The verdict is ` +
      'the one of the whole.',
  )

export const notConfirmed = (questions: number): Message =>
  makeMessage(
    'not-confirmed',
    `Questions that failed and have fewer answers than --confirm asks for: ${digits(questions)}. The calls ` +
      'of --max-calls were used up, or ended in errors.',
  )

export const baselineFailed = (baseline: string, reason: string): Message =>
  makeMessage('baseline-failed', `compared with ${baseline}: ${reason}`)

export const baselineWaits = (): Message =>
  makeMessage('baseline-waits', 'The run is not compared with its baseline until it is complete.')

export const knownFailures = (known: number, baseline: string): Message =>
  makeMessage('known-failures', `known failures (also in ${baseline}): ${digits(known)}`)

// The gates.

export const turnsFailed = (errors: number): Message =>
  makeMessage('turns-failed', `errors: ${digits(errors)}`)

export const questionsFailed = (failed: number): Message =>
  makeMessage('questions-failed', `failed expectations: ${digits(failed)}`)

export const mustPassFailed = (questions: readonly ListedQuestion[]): Message =>
  makeMessage('must-pass-failed', `failed must_pass questions: ${listQuestions(questions)}`)

/** The first five, as sentences name them. */
export const listQuestions = (questions: readonly ListedQuestion[]): string =>
  listNames(questions.map(nameOfQuestion))

/** `frequent`: the most frequent values, with their counts. */
export function otherStatuses(
  count: number,
  answered: number,
  allowed: number,
  frequent: readonly (readonly [status: string, times: number])[],
): Message {
  const named = frequent.map(([status, times]) => `; ${status}: ${digits(times)}`).join('')
  const of = `${digits(count)} of ${digits(answered)}, allowed ${WRITTEN.share(allowed)}`
  const text = `answers with a status other than success: ${of}${named}`
  return makeMessage('status-not-success', text)
}

export const thresholdJudged = (name: string, found: string, required: string): Message =>
  makeMessage('threshold', `${name} is ${found}, required ${required}`)

/** At the end of a run that was decided early. */
export const thresholdDecided = (name: string, low: string, high: string, required: string): Message =>
  makeMessage(
    'threshold-decided',
    `${name} ends ${low === high ? `at ${low}` : `between ${low} and ${high}`}, required ${required}`,
  )

/** Why a figure has no value, by the code of the message. */
const NO_VALUE = {
  'threshold-without-value': 'no question counts toward it',
  'threshold-few-values': 'fewer than ten answers count toward it',
  'threshold-without-weight': 'the set has no column weight, or no answer counts toward it',
  'threshold-without-quota': 'give the monthly allowance with --quota N',
}

export const thresholdWithoutValue = (name: string, code: keyof typeof NO_VALUE): Message =>
  makeMessage(code, `${name} has no value: ${NO_VALUE[code]}`)

// The warnings.

export const noGroundedSource = (sources: readonly string[]): Message =>
  makeMessage(
    'no-grounded-source',
    `No answer has the source ${listNames(sources)}. If your endpoint uses another name for its ` +
      'knowledge base, set --grounded-sources.',
  )

export const contextsLost = (turns: number): Message =>
  makeMessage(
    'context-lost',
    `Answers without context: ${digits(turns)}. The endpoint returned a different conversationId. If ` +
      'it does so each turn, use --rotating-ids.',
  )

export const attemptsNotCounted = (attempts: number): Message =>
  makeMessage(
    'not-counted',
    `Attempts that were refused or never arrived: ${digits(attempts)}. They are assumed not to count ` +
      'toward the quota.',
  )

export const threadsRestarted = (
  restarts: number,
  causes: readonly (readonly [cause: string, times: number])[],
): Message =>
  makeMessage(
    'threads-restarted',
    `Conversations sent again from the start: ${digits(restarts)} (${listCounts(causes)}). The account ` +
      'counts every attempt; results.csv shows the last answers.',
  )

export const attemptsUnreadable = (attempts: number): Message =>
  makeMessage(
    'attempts-lost',
    `Attempts in unreadable lines of the journal: ${digits(attempts)}. Only the account counts them.`,
  )

export const reviewsUnmatched = (ids: readonly string[]): Message =>
  makeMessage(
    'reviews-unmatched',
    `Reviews match no question of this run; reviews.csv keeps them. Their ids: ${listNames(ids)}. If a ` +
      'spreadsheet changed an id, put it back.',
  )
