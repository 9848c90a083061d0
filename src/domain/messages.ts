// Every sentence of the results: one for each code, with values in it. Figures stand in tables; a message is what a user must know or act on.
import * as z from 'zod'
import type { LedgerResult, UsageRange } from './quota.ts'
import { digits } from './text.ts'

/**
 * One sentence for each code. None adapts its grammar to its values: "3 of 48 failed" needs no singular. Names and texts that come from
 * elsewhere are values like others: a renderer treats the whole text as untrusted.
 */
const SENTENCES = {
  // Verdicts.
  'every-turn-answered': () => 'every question was answered',
  'gates-passed': () => 'every gate passed',
  'expectations-met': () => 'every expectation was met',
  'turns-without-outcome': ({ turns }: { turns: number }) => `questions without an outcome: ${digits(turns)}`,
  'journal-damaged': () => 'the journal is damaged',
  'stop-died': () => 'the process ended before the run did',
  'stop-key': ({ httpStatus, text }: { httpStatus: number; text: string }) =>
    `the endpoint rejected ${httpStatus === 401 ? 'the key (401)' : 'the scope of the key (403)'}: ${text}`,
  'stop-budget': ({ maxCalls }: { maxCalls: number }) =>
    `the call budget of ${digits(maxCalls)} is used up (--max-calls)`,
  'stop-time': ({ ms }: { ms: number }) => `time is up after ${spanOf(ms)} (--duration)`,
  'stop-named-wait': ({ waitMs, leftOfMs, last }: { waitMs: number; leftOfMs: number; last: string }) =>
    `the endpoint asks to wait ${spanOf(waitMs)}, longer than --give-up-after ${spanOf(leftOfMs)} allows (${last})`,
  'stop-refusals': ({ ms, last }: { ms: number; last: string }) =>
    `only 429s for ${spanOf(ms)}: the quota is used up, or other traffic uses the limit (last: ${last})`,
  'stop-failures': ({ ms, last }: { ms: number; last: string }) =>
    `only failures for ${spanOf(ms)}: the endpoint is unreachable or down (last: ${last})`,
  'stop-limiter': ({ reason }: { reason: string }) => reason,
  'stop-storage': ({ text }: { text: string }) => `the journal cannot be written (${text}): sending stopped`,
  'stop-interrupted': ({ signal }: { signal: string }) =>
    signal === 'caller' ? 'stopped by the program that called it' : `interrupted (${signal})`,
  'stop-fault': ({ text }: { text: string }) => `a fault of the harness: ${text}`,
  'baseline-failed': ({ baseline, reason }: { baseline: string; reason: string }) =>
    `compared with ${baseline}: ${reason}`,
  'known-failures': ({ known, baseline }: { known: number; anew: number; baseline: string }) =>
    `known failures (also in ${baseline}): ${digits(known)}`,
  // Warnings.
  noted: ({ text }: { text: string }) => text,
  'no-grounded-source': ({ sources }: { sources: readonly string[] }) =>
    `no answer has the source ${sources.join(', ')}: if your endpoint uses another name for its knowledge base, set --grounded-sources`,
  'context-lost': ({ turns }: { turns: number }) =>
    `answers without context: ${digits(turns)}. The endpoint returned a different conversationId (if it does so each turn, use --rotating-ids)`,
  'not-counted': ({ attempts }: { attempts: number }) =>
    `attempts that were refused or never arrived: ${digits(attempts)}. They are assumed not to count toward the quota`,
  'threads-restarted': ({
    restarts,
    causes,
  }: {
    restarts: number
    causes: readonly (readonly [string, number])[]
  }) =>
    `conversations sent again from the start: ${digits(restarts)} (${causes.map(([cause, count]) => `${cause.replaceAll('_', ' ')} ${digits(count)}`).join(', ')}). The account counts every attempt; results.csv shows the last answers`,
  'attempts-lost': ({ attempts }: { attempts: number }) =>
    `attempts in unreadable lines of the journal: ${digits(attempts)}. They are in the account alone`,
  // Gates.
  'turns-failed': ({ errors }: { errors: number }) => `errors: ${digits(errors)}`,
  'questions-failed': ({ failed }: { failed: number }) => `failed expectations: ${digits(failed)}`,
  threshold: ({ name, found, required }: { name: string; found: string; required: string }) =>
    `${name} is ${found}, required ${required}`,
  'threshold-without-value': ({ name }: { name: string }) =>
    `${name} has no value: no question counts toward it`,
  'threshold-without-quota': ({ name }: { name: string }) =>
    `${name} has no value: give the monthly allowance with --quota N`,
  'status-not-success': ({
    count,
    answered,
    most,
  }: {
    count: number
    answered: number
    most: readonly (readonly [status: string, times: number])[]
  }) =>
    `answers with a status other than success: ${digits(count)} of ${digits(answered)}, allowed 1%` +
    most.map(([status, times]) => `; ${status}: ${digits(times)}`).join(''),
  'must-pass-failed': ({ ids }: { ids: readonly string[] }) =>
    `failed must_pass questions: ${digits(ids.length)}${ids.length === 0 ? '' : ` (${firstOf(ids)})`}`,
  'shard-not-judged': ({ shard }: { shard: string }) =>
    `${shard}: nothing in it fails the run; merge judges the whole`,
  // Estimate.
  'max-calls-below-base': ({ maxCalls, calls }: { maxCalls: number; calls: number }) =>
    `--max-calls permits ${digits(maxCalls)} of ${digits(calls)} calls: the run stops early. It can be resumed.`,
  'answer-time-assumed': ({ answerMs }: { answerMs: number }) =>
    `Answer time ${answerMs / 1000} s is assumed.`,
  'limit-unknown': ({ startPerSecond }: { startPerSecond: number }) =>
    `The limit is not known. The run starts at ${startPerSecond} calls a second. A lower limit takes longer: set --rate.`,
  // History.
  'history-no-summary': ({ file }: { file: string }) =>
    `${file} is missing: a load test has none. For a run, the report command writes it.`,
  'history-unreadable': ({ file, issue }: { file: string; issue: string }) =>
    `${file} cannot be read (${issue}). The report command writes it again.`,
  'history-shard': ({ index, of }: { index: number; of: number }) =>
    `Shard ${index} of ${of}: the merged run counts in its place.`,
  'history-copy': ({ folder }: { folder: string }) =>
    `A copy of the run in ${folder}, which counts in its place.`,
  // Ledger.
  'ledger-within': (ledger: LedgerResult) =>
    `${describeMatch(ledger)}: within the account (${interval(ledger)})`,
  'ledger-below': (ledger: LedgerResult) =>
    `${describeMatch(ledger)}: ${digits(ledger.by)} below the account (${interval(ledger)}). It lacks calls that were answered.`,
  'ledger-above': (ledger: LedgerResult) =>
    `${describeMatch(ledger)}: ${digits(ledger.by)} above the account (${interval(ledger)}). It counts refused calls${ledger.matchedBy === 'id' ? '' : ' or other traffic'}.`,
  // Load.
  'threshold-failed': ({ expression, reason }: { expression: string; reason: string }) =>
    `${expression}: ${reason}`,
  'no-threshold': () => 'no threshold was given',
  'load-unreachable': ({ calls, codes }: { calls: number; codes: readonly string[] }) =>
    `no call of ${digits(calls)} got an HTTP status (${codes.join(', ')}): the endpoint is unreachable or down`,
  'load-nothing-answered': () => 'no question was answered',
  'load-unanswered': ({ share }: { share: number }) =>
    `${tenths(share)} % of the questions were not answered`,
  'load-send-lag': ({ p99, most }: { p99: number; most: number }) =>
    `send lag p99 is ${p99} ms, above ${most} ms: this machine sent calls late, ` +
    'which adds to response times; lower the rate, or use another machine',
  'load-threads-dropped': (values: { dropped: number; due: number; maxInFlight: number }) =>
    `conversations dropped: ${digits(values.dropped)} of ${digits(values.due)}, because ` +
    `${digits(values.maxInFlight)} calls were in flight (--max-in-flight)`,

  // Comparison.
  'overlap-low': ({ shared, share, minOverlap }: { shared: number; share: number; minOverlap: number }) =>
    `too few questions in both runs to compare: ${digits(shared)} (${inPercent(share)}; --min-overlap ${inPercent(minOverlap)})`,
  'must-pass-not-asked': ({ ids }: { ids: readonly string[] }) =>
    `must_pass questions that passed before were not sent: ${firstOf(ids)}`,
  'must-pass-newly-failing': ({ ids }: { ids: readonly string[] }) =>
    `must_pass questions newly failing: ${firstOf(ids)}`,
  'newly-failing': ({ ids }: { ids: readonly string[] }) => `newly failing: ${firstOf(ids)}`,
  'nothing-to-judge': ({ rule }: { rule: ComparedRule }) =>
    `no question has a value for ${FIGURES[rule]} in both runs`,
  'too-few-values': ({
    rule,
    questions,
    expected,
  }: {
    rule: ComparedRule
    questions: number
    expected: number
  }) =>
    `too few answers to judge ${FIGURES[rule]}: ${digits(questions)} of the ${digits(expected)} questions with a value in the baseline have one in both runs`,
  'share-kept': (share: ComparedShare) => movedShare(share),
  'share-fell': (share: ComparedShare) =>
    `${movedShare(share)}: more than the margin of ${inPoints(share.margin)}, and more than noise`,
  'share-within-margin': (share: ComparedShare) =>
    `${movedShare(share)}: within the margin of ${inPoints(share.margin)}`,
  'share-within-noise': (share: ComparedShare) => `${movedShare(share)}: within noise`,
  'p95-kept': (latency: ComparedLatency) => movedP95(latency),
  'p95-slower': (latency: ComparedLatency) =>
    `${movedP95(latency)}: more than ${inPercent(latency.margin)} and more than noise`,
  'p95-within-noise': (latency: ComparedLatency) => `${movedP95(latency)}: within noise`,
  'calls-kept': (calls: ComparedCalls) => movedCalls(calls),
  'calls-more': (calls: ComparedCalls) => `${movedCalls(calls)}: more than ${inPercent(calls.margin)}`,
  'run-not-complete': ({ run, state }: { run: string; state: string }) =>
    `${run} is ${state}: questions without an outcome are not compared`,
  'availability-not-judged': ({ questions }: { questions: number }) =>
    `questions that no longer get an answer: ${digits(questions)}. No gate covers this; add one with --fail-on availability`,
  'expectations-edited': ({ questions }: { questions: number }) =>
    `questions whose expectations changed: ${digits(questions)}. Both answers are graded by the candidate's`,
  'changed-before': ({ ids }: { ids: readonly string[] }) =>
    `changed grounding in earlier runs, too: ${firstOf(ids)}`,
  'journal-note': ({ run, note }: { run: string; note: string }) => `${run}: ${note}`,
  // Limit.
  'limit-fixed-window': ({ limit, windowMs }: { limit: number; windowMs: number }) =>
    `${digits(limit)} calls per ${seconds(windowMs)}, in fixed windows`,
  'limit-sliding-window': ({ limit, windowMs }: { limit: number; windowMs: number }) =>
    `${digits(limit)} calls in any ${seconds(windowMs)}`,
  'limit-token-bucket': ({ ratePerSecond, burst }: { ratePerSecond: number; burst: number }) =>
    `${perSecond(ratePerSecond)}, ${digits(burst)} at once`,
  'limit-concurrency': ({ inFlight }: { inFlight: number }) => `${digits(inFlight)} calls in flight`,
  'limit-none-met': ({ calls }: { calls: number }) =>
    `not reached: none of ${digits(calls)} calls was refused`,
  'limit-hardly-met': ({ calls, refused }: { calls: number; refused: number }) =>
    `unknown: too few calls were refused to tell (${digits(refused)} of ${digits(calls)})`,
  'limit-unclear': ({ calls, refused }: { calls: number; refused: number }) =>
    `unknown: no single limit explains which calls were refused (${digits(refused)} of ${digits(calls)})`,
  'search-known': ({ confidence }: { confidence: string }) =>
    `the limit is known with ${confidence} confidence`,
  'search-unmet': ({ budget }: { budget: number }) =>
    `none of ${digits(budget)} calls was refused; raise --max-calls to look for a higher limit`,
} as const

function describeMatch({ matchedBy, counted, others }: LedgerResult): string {
  return matchedBy === 'id'
    ? `${digits(counted)} calls with an id of this run (${digits(others)} others in its time)`
    : `${digits(counted)} calls in the time of this run, none with an id of it`
}

const interval = ({ min, max }: UsageRange): string =>
  min === max ? digits(min) : `${digits(min)} to ${digits(max)}`

type ComparedRule = 'grounding' | 'verdicts' | 'availability' | 'latency' | 'quota'
type ComparedShare = {
  readonly rule: ComparedRule
  readonly baseline: number
  readonly candidate: number
  readonly questions: number
  readonly margin: number
}
type ComparedLatency = {
  readonly baselineMs: number
  readonly candidateMs: number
  readonly margin: number
}
type ComparedCalls = {
  readonly baseline: number
  readonly candidate: number
  readonly margin: number
}

const FIGURES: Readonly<Record<ComparedRule, string>> = {
  grounding: 'grounded',
  verdicts: 'passed',
  availability: 'answered',
  latency: 'latency p95',
  quota: 'calls per question',
}

const tenths = (share: number): string => String(Number((share * 100).toFixed(1)))
const inPercent = (share: number): string => `${tenths(share)} %`
const inPoints = (share: number): string => `${tenths(share)} points`

const movedShare = ({ rule, baseline, candidate, questions }: ComparedShare): string =>
  `${FIGURES[rule]} ${inPercent(baseline)} → ${inPercent(candidate)} (${tenths(candidate - baseline)} points over ${digits(questions)} questions)`
const movedP95 = ({ baselineMs, candidateMs }: ComparedLatency): string =>
  `latency p95 ${Math.round(baselineMs)} → ${Math.round(candidateMs)} ms`
const movedCalls = ({ baseline, candidate }: ComparedCalls): string =>
  `calls per question ${Number(baseline.toFixed(3))} → ${Number(candidate.toFixed(3))}`

/** The first five, and how many more. */
const firstOf = (ids: readonly string[]): string =>
  ids.length > 5
    ? `${ids.slice(0, 5).join(', ')} and ${digits(ids.length - 5)} more`
    : ids.join(', ') || 'none'

/** `30 s`, `90 min`, `3 h`. */
function spanOf(ms: number): string {
  if (ms < 60_000) return `${Math.round(ms / 1000)} s`
  const [value, unit] = ms < 2 * 3_600_000 ? [ms / 60_000, 'min'] : [ms / 3_600_000, 'h']
  return `${Number(value.toPrecision(3))} ${unit}`
}

const rounded = (value: number): number => Number(value.toPrecision(3))
const seconds = (ms: number): string => `${rounded(ms / 1000)} s`
const UNITS = [
  ['s', 1],
  ['min', 60],
  ['h', 3600],
] as const
/** In the unit in which it is a number of at least one. */
const perSecond = (rate: number): string => {
  const [unit, times] = UNITS.find(([, each]) => rate * each >= 1) ?? UNITS[0]
  return `${rounded(rate * times)} calls/${unit}`
}

type MessageCode = keyof typeof SENTENCES
type ValuesOf<C extends MessageCode> = Parameters<(typeof SENTENCES)[C]>

/** As JSON files hold it: the code and its values for programs, the text for people. */
export const messageSchema = z.object({
  code: z.string(),
  values: z.record(z.string(), z.unknown()),
  text: z.string(),
})
export type Message = z.infer<typeof messageSchema>

/** A sentence without values takes none. */
export function message<C extends MessageCode>(code: C, ...values: ValuesOf<C>): Message {
  const say = SENTENCES[code] as (...values: ValuesOf<C>) => string
  return { code, values: { ...values[0] }, text: say(...values) }
}
