// Every sentence of the results: one for each code, with values in it. Figures stand in tables; a message is what a user must know or act on.
import * as z from 'zod'
import type { LedgerResult } from './quota.ts'
import { digits, listCounts } from './text.ts'

type Values = Readonly<Record<string, unknown>>

const tenths = (share: number): string => String(Number((share * 100).toFixed(1)))
const rounded = (value: number): number => Number(value.toPrecision(3))

/** What a rule of a comparison judges. */
const FIGURES = {
  grounding: 'grounded',
  verdicts: 'expectations met',
  availability: 'answered',
  latency: 'latency p95',
  quota: 'calls per question',
}

/** How a sentence writes a value: `{share:percent}`. */
const FORMATS = {
  percent: (share: number) => `${tenths(share)} %`,
  points: (share: number) => `${tenths(share)} points`,
  change: (candidate: number, { baseline }: Values) => `${tenths(candidate - Number(baseline))} points`,
  whole: (value: number) => String(Math.round(value)),
  decimal: (value: number) => String(Number(value.toFixed(3))),
  seconds: (ms: number) => `${rounded(ms / 1000)} s`,
  /** `30 s`, `90 min`, `3 h`. */
  span: (ms: number): string => {
    if (ms < 60_000) return `${Math.round(ms / 1000)} s`
    return ms < 2 * 3_600_000 ? `${rounded(ms / 60_000)} min` : `${rounded(ms / 3_600_000)} h`
  },
  /** In the unit in which it is a number of at least one. */
  pace: (perSecond: number): string => {
    const units = { s: 1, min: 60, h: 3600 }
    const [unit, each] = Object.entries(units).find(([, one]) => perSecond * one >= 1) ?? ['s', 1]
    return `${rounded(perSecond * each)} calls/${unit}`
  },
  /** The first five, and how many more. */
  list: (names: readonly string[]): string =>
    names.length > 5
      ? `${names.slice(0, 5).join(', ')} and ${digits(names.length - 5)} more`
      : names.join(', ') || 'none',
  counts: listCounts,
  names: (counts: Readonly<Record<string, number>>) => Object.keys(counts).join(', '),
  figure: (rule: keyof typeof FIGURES) => FIGURES[rule],
}

const MOVED_SHARE =
  '{rule:figure} {baseline:percent} → {candidate:percent} ({candidate:change} over {questions} questions)'
const MOVED_P95 = 'latency p95 {baselineMs:whole} → {candidateMs:whole} ms'
const MOVED_CALLS = 'calls per question {baseline:decimal} → {candidate:decimal}'

interface NamedWait {
  readonly waitMs: number
  readonly leftOfMs: number
  readonly isFirst: boolean | undefined
  readonly last: string
}

/**
 * One sentence for each code. `{name}` is a value: a text, or a number with its thousands. None adapts its grammar: "3 of 48
 * failed" needs no singular. Names and texts that come from elsewhere are values like others: a renderer treats the whole text
 * as untrusted.
 */
const SENTENCES = {
  // Verdicts.
  answered: '{answered} of {total} answered',
  'every-turn-answered': 'every question was answered',
  'gates-passed': 'every gate passed',
  'nothing-gated': 'nothing was gated',
  'expectations-met': 'every expectation was met',
  'turns-without-outcome': 'questions without an outcome: {turns}',
  'journal-damaged': 'the journal is damaged',
  'stop-died': 'the process ended before the run did',
  'stop-key': ({ httpStatus, text }: { httpStatus: number; text: string }) =>
    `the endpoint rejected ${httpStatus === 401 ? 'the key (401)' : 'the scope of the key (403)'}: ${text}`,
  'stop-budget': ({ maxCalls, last }: { maxCalls: number; last: string | undefined }) =>
    `the call budget of ${digits(maxCalls)} is used up (--max-calls)${last === undefined ? '' : `; the last call failed (${last})`}`,
  'stop-time': 'time is up after {ms:span} (--duration)',
  'stop-named-wait': ({ waitMs, leftOfMs, isFirst = false, last }: NamedWait) =>
    `the endpoint asks to wait ${FORMATS.span(waitMs)}, longer than ${
      isFirst
        ? `the ${FORMATS.span(leftOfMs)} that a session waits for its first answer`
        : `--give-up-after ${FORMATS.span(leftOfMs)} allows`
    } (${last})`,
  'stop-refusals': ({ ms, code, last }: { ms: number; code: string | undefined; last: string }) =>
    `only 429s for ${FORMATS.span(ms)}${code === undefined ? '' : `, each with ${code}`}: the quota is used up, or other traffic uses the limit (last: ${last})`,
  'stop-failures': 'only failures for {ms:span}: the endpoint is unreachable or down (last: {last})',
  'stop-unreadable': 'the endpoint answers, but its answers cannot be read: {last}',
  'stop-machine':
    'this machine could open no connection for {ms:span}: it ran out of file descriptors, ports or memory (last: {last})',
  'stop-limiter': '{reason}',
  'stop-storage': 'the journal cannot be written ({text}): sending stopped',
  'stop-interrupted': ({ signal }: { signal: string }) =>
    signal === 'caller' ? 'stopped by the program that called it' : `interrupted (${signal})`,
  'stop-fault': 'a fault of the harness: {text}',
  'baseline-failed': 'compared with {baseline}: {reason}',
  'baseline-waits': 'The run is not compared with its baseline until it is complete.',
  'known-failures': 'known failures (also in {baseline}): {known}',
  // Warnings.
  noted: '{text}',
  'no-grounded-source':
    'No answer has the source {sources:list}. If your endpoint uses another name for its knowledge base, set --grounded-sources.',
  'context-lost':
    'Answers without context: {turns}. The endpoint returned a different conversationId. If it does so each turn, use --rotating-ids.',
  'not-counted':
    'Attempts that were refused or never arrived: {attempts}. They are assumed not to count toward the quota.',
  'threads-restarted':
    'Conversations sent again from the start: {restarts} ({causes:counts}). The account counts every attempt; results.csv shows the last answers.',
  'attempts-lost': 'Attempts in unreadable lines of the journal: {attempts}. Only the account counts them.',
  'reviews-unmatched':
    'Reviews match no question of this run; reviews.csv keeps them. Their ids: {ids:list}. If a spreadsheet changed an id, put it back.',
  // Gates.
  'turns-failed': 'errors: {errors}',
  'questions-failed': 'failed expectations: {failed}',
  threshold: '{name} is {found}, required {required}',
  'threshold-without-value': '{name} has no value: no question counts toward it',
  'threshold-few-values': '{name} has no value: fewer than ten answers count toward it',
  'threshold-without-quota': '{name} has no value: give the monthly allowance with --quota N',
  'status-not-success': (values: {
    count: number
    answered: number
    most: readonly (readonly [status: string, times: number])[]
  }) =>
    `answers with a status other than success: ${digits(values.count)} of ${digits(values.answered)}, allowed 1%` +
    values.most.map(([status, times]) => `; ${status}: ${digits(times)}`).join(''),
  'must-pass-failed': ({ ids }: { ids: readonly string[] }) =>
    `failed must_pass questions: ${ids.length === 0 ? '0' : `${digits(ids.length)} (${FORMATS.list(ids)})`}`,
  'shard-not-judged': '{shard}: nothing in it fails the run; merge judges the whole',
  // Estimate.
  'max-calls-below-base':
    '--max-calls permits {maxCalls} of {calls} calls: the run stops early. It can be resumed.',
  'answer-time-assumed': 'Answer time {answerMs:span} is assumed.',
  'limit-unknown':
    'The limit is not known. The run starts at {startPerSecond} calls a second. A lower limit takes longer: set --rate.',
  // History.
  'history-no-summary': '{file} is missing: a load test has none. For a run, the report command writes it.',
  'history-unreadable': '{file} cannot be read ({issue}). The report command writes it again.',
  'history-shard': 'Shard {index} of {of}: the merged run counts in its place.',
  'history-copy': 'A copy of the run in {folder}, which counts in its place.',
  // Ledger.
  'ledger-within': (ledger: LedgerResult) =>
    `${matchOf(ledger)}: within ${accountOf(ledger)}${duplicatesOf(ledger)}`,
  'ledger-below': (ledger: LedgerResult) =>
    `${matchOf(ledger)}: ${digits(ledger.by)} below ${accountOf(ledger)}. It lacks calls that were answered.${duplicatesOf(ledger)}`,
  'ledger-above': (ledger: LedgerResult) =>
    `${matchOf(ledger)}: ${digits(ledger.by)} above ${accountOf(ledger)}${refusedOf(ledger)}${duplicatesOf(ledger)}`,
  // Load.
  'no-threshold': 'no threshold was given',
  'load-unreachable':
    'no call of {calls} got an HTTP status ({codes:list}): the endpoint is unreachable or down',
  'load-nothing-answered': 'no question was answered',
  'load-unanswered': '{share:percent} of the questions were not answered ({counts:counts})',
  'load-dropped': '{share:percent} of the conversations were dropped',
  'load-unsent': '{calls} calls were not sent: this machine ran out of {byCause:names}',
  'load-nothing-sent': 'no call was sent',
  'load-machine':
    'Calls not sent: {calls} of {all}. This machine ran out of {byCause:names}, so these calls say nothing about the endpoint. Raise the limit (ulimit -n for file descriptors), lower --max-in-flight, or use another machine.',
  'load-closed-loop':
    'Users wait for answers (--users): while the endpoint stalls, little is sent, and response times hide the stall. Use --arrival-rate to see it.',
  'load-send-lag':
    'Send lag p99 is {p99} ms, above {most} ms. This machine sent calls late, which adds to response times. Lower the rate, or use another machine.',
  'load-threads-dropped':
    'Conversations dropped: {dropped} of {due}. {maxInFlight} calls were in flight (--max-in-flight).',
  // Comparison.
  'overlap-low':
    'too few questions in both runs to compare: {shared} ({share:percent}; --min-overlap {minOverlap:percent})',
  'must-pass-not-sent': 'must_pass questions that passed before were not sent: {ids:list}',
  'must-pass-newly-failing': 'must_pass questions newly failing: {ids:list}',
  'newly-failing': 'newly failing: {ids:list}',
  'nothing-to-judge': 'no question has a value for {rule:figure} in both runs',
  'too-few-values':
    'too few answers to judge {rule:figure}: {questions} of the {expected} questions with a value have one in both runs',
  'share-not-lower': MOVED_SHARE,
  'share-fell': `${MOVED_SHARE}: more than the margin of {margin:points}, and more than noise`,
  'share-within-margin': `${MOVED_SHARE}: within the margin of {margin:points}`,
  'share-within-noise': `${MOVED_SHARE}: within noise`,
  'p95-not-slower': MOVED_P95,
  'p95-slower': `${MOVED_P95}: more than {margin:percent} and more than noise`,
  'p95-within-noise': `${MOVED_P95}: within noise`,
  'calls-not-more': MOVED_CALLS,
  'calls-more': `${MOVED_CALLS}: more than {margin:percent}`,
  'run-not-complete': '{run} is {state}. Questions without an outcome are not compared.',
  'availability-not-judged':
    'Questions that no longer get an answer: {questions}. No gate covers this. Add availability to --fail-on, beside the other rules.',
  'questions-edited': 'edited questions, left out of the comparison: {questions}',
  'expectations-edited':
    "Questions whose expectations changed: {questions}. Both runs are graded by the new ones, so figures differ from the baseline's report.",
  'sent-differently': 'Sent differently from the baseline: {options:list}.',
  'changed-before': 'Changed grounding in earlier runs, too: {ids:list}',
  'journal-note': '{run}: {note}',
  // Limit.
  'limit-fixed-window': '{limit} calls per {windowMs:seconds}, in fixed windows',
  'limit-sliding-window': '{limit} calls in any {windowMs:seconds}',
  'limit-token-bucket': '{ratePerSecond:pace}, {burst} at once',
  'limit-concurrency': '{inFlight} calls in flight',
  'limit-none-met': 'not reached: none of {calls} calls was refused',
  'limit-hardly-met': 'unknown: too few calls were refused to tell ({refused} of {calls})',
  'limit-unclear': 'unknown: no single limit explains which calls were refused ({refused} of {calls})',
  'search-known': 'the limit is known with {confidence} confidence; no second rule up to {upToMs:span}',
  'search-second-rule':
    'no second rule up to {upToMs:span} was found, and {neededMs:span} must be ruled out; raise --max-calls or --duration',
  'search-unexplained':
    'the limit found explains {explained:percent} of the calls: there may be a second, longer rule',
  'search-lost': 'Calls that show nothing about the limit: {calls} ({causes:list}).',
  'search-quota': 'Announced, and too long to wait out: {rules:list}.',
  'limit-rule': '{limit} calls per {windowMs:span}',
  'search-unmet': 'none of {budget} calls was refused; raise --max-calls to look for a higher limit',
} as const

const matchOf = ({ matchedBy, counted, others }: LedgerResult): string =>
  matchedBy === 'id'
    ? `${digits(counted)} calls with an id of this run (${digits(others)} others in its time)`
    : `${digits(counted)} calls in the time of this run, none with an id of it`

/** Duplicates may explain all that is too much. */
const refusedOf = ({ by, duplicates, matchedBy }: LedgerResult): string =>
  duplicates >= by ? '' : `. It counts refused calls${matchedBy === 'id' ? '' : ' or other traffic'}`

const duplicatesOf = ({ duplicates }: LedgerResult): string =>
  duplicates === 0 ? '' : `. Duplicates: ${digits(duplicates)} rows repeat another row`

const accountOf = ({ min, max }: LedgerResult): string =>
  `the account (${min === max ? digits(min) : `${digits(min)} to ${digits(max)}`})`

type Format = keyof typeof FORMATS
type MessageCode = keyof typeof SENTENCES

/** The values that a template names. */
type Named<Template> = Template extends `${string}{${infer Placeholder}}${infer Rest}`
  ? (Placeholder extends `${infer Name}:${infer F extends Format}`
      ? { readonly [K in Name]: Parameters<(typeof FORMATS)[F]>[0] }
      : { readonly [K in Placeholder]: string | number }) &
      Named<Rest>
  : unknown
/** A sentence without values takes none. */
type ValuesOf<Sentence> = Sentence extends (...values: infer Values) => string
  ? Values
  : unknown extends Named<Sentence>
    ? []
    : [values: Named<Sentence>]

/** As JSON files hold it: the code and its values for programs, the text for people. */
export const messageSchema = z.object({
  code: z.string(),
  values: z.record(z.string(), z.unknown()),
  text: z.string(),
})
export type Message = z.infer<typeof messageSchema>

export function message<C extends MessageCode>(
  code: C,
  ...[given]: ValuesOf<(typeof SENTENCES)[C]>
): Message {
  const values = { ...(given as Values | undefined) }
  const sentence = SENTENCES[code]
  const text = typeof sentence === 'string' ? fill(sentence, values) : sentence(values as never)
  return { code, values, text }
}

const fill = (template: string, values: Values): string =>
  template.replaceAll(/\{(\w+):?(\w*)\}/g, (_, name: string, format: string) => {
    const value = values[name]
    if (format !== '') return FORMATS[format as Format](value as never, values)
    return typeof value === 'number' ? digits(value) : String(value)
  })
