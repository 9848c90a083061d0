// Every option of every command, once: the command line, its help, the config file, its schema, the library, resume and merge read this.
import type * as z from 'zod'
import { PASS_POLICIES } from '../domain/turn.ts'
import * as value from './option-values.ts'

export interface Option<V extends z.ZodType = z.ZodType> {
  readonly value: V
  readonly describe: string
  /** What help says of the default. */
  readonly default?: string
  readonly example: string
  /** On the command line it is given several times. */
  readonly isList?: true
  /**
   * `ask`: what is sent, which stays for the life of a run; `pace`: how fast, which a resume may change; `judge`: how it is
   * counted, which any report may change. Absent: it is no part of a run's record.
   */
  readonly phase?: 'ask' | 'pace' | 'judge' | undefined
  /** Where it may stand in the config file: for all targets, or in one of them, too. */
  readonly config?: 'run' | 'target' | undefined
}

/** Options under one heading of help; `common` is what most of them are. */
const table = <T extends Readonly<Record<string, Option>>>(
  common: Pick<Option, 'phase' | 'config'>,
  options: T,
): T =>
  Object.fromEntries(Object.entries(options).map(([name, option]) => [name, { ...common, ...option }])) as T

const WHOM = table(
  { phase: 'ask', config: 'target' },
  {
    'base-url': {
      value: value.name,
      describe: "The organization's desk address; from the variable ASSIST_BASE_URL otherwise",
      example: '--base-url https://desk.example.com',
    },
    'api-key-env': {
      value: value.variable,
      describe: 'The environment variable that holds the key; a key is never an argument',
      default: 'ASSIST_API_KEY',
      example: '--api-key-env ASSIST_KEY_STAGING',
      phase: 'pace',
    },
    target: {
      value: value.names,
      isList: true,
      describe: 'A target of the config file; repeat it to send to several side by side',
      example: '--target production --target staging',
      config: 'run',
    },
    sandbox: {
      value: value.flag,
      describe: 'Start a sandbox endpoint on a free loopback port and use that: no key, no quota',
      example: '--sandbox',
      config: 'run',
    },
    kb: {
      value: value.name,
      describe: 'The sandbox answers from this folder of Markdown articles',
      default: 'the shipped knowledge base',
      example: '--sandbox --kb articles',
      config: 'run',
    },
    organization: {
      value: value.name,
      describe: 'Whose limit is shared: targets with one name share one limiter',
      default: 'origin of the base URL and fingerprint of the key',
      example: '--organization acme',
      phase: 'pace',
    },
    'allow-http': {
      value: value.flag,
      describe: 'Allow plain http:// to a host that is not this machine; the key could be read on its way',
      example: '--allow-http',
    },
  },
)

const PACE = table(
  { phase: 'pace', config: 'target' },
  {
    rate: {
      value: value.rate,
      describe: 'auto finds the pace by itself, unlimited does not pace, or 60/min, 5/s, 1000/h',
      default: 'auto',
      example: '--rate 60/min',
    },
    share: {
      value: value.share,
      describe: 'Use at most this part of the limit, and leave the rest to live users',
      default: '1',
      example: '--share 0.5',
    },
    concurrency: {
      value: value.concurrency,
      describe: 'Calls in flight at most, per organization',
      default: 'auto: as many as the pace needs, at most 64',
      example: '--concurrency 8',
    },
    limiter: {
      value: value.choice(['local', 'redis']),
      describe:
        'Who shares the limit: local, this process; redis, all processes of the organization that use the same Redis (ASSIST_REDIS_URL)',
      default: 'local',
      example: '--limiter redis',
    },
    'max-calls': {
      value: value.count,
      describe:
        'Stop for good after so many attempts, retries included; a load test off this machine needs it',
      default: 'no end; 600 with --find-limit on this machine',
      example: '--max-calls 500',
    },
    'give-up-after': {
      value: value.duration,
      describe:
        'Stop after nothing but refusals (429) or failures for so long, or once a longer wait is named',
      default: '30m',
      example: '--give-up-after 10m',
    },
    timeout: {
      value: value.duration,
      describe: 'One attempt, one deadline from sending to the last byte',
      default: '120s',
      example: '--timeout 30s',
    },
    quota: {
      value: value.count,
      describe: "The organization's monthly allowance of AI calls, which usage is measured against",
      example: '--quota 10000',
      phase: 'judge',
    },
  },
)

const QUESTIONS = table(
  { phase: 'ask', config: 'run' },
  {
    format: {
      value: value.format,
      describe:
        'What the question sets were made for: promptfoo, copilot-test-set, copilot-results, google-cx, botium, pairs, or native',
      default: 'detected by their header',
      example: '--format promptfoo',
    },
    tag: {
      value: value.names,
      isList: true,
      describe: 'Only conversations with a question that has this tag; repeat it for several',
      example: '--tag vpn --tag email',
    },
    grep: {
      value: value.pattern,
      describe: 'Only conversations with a question that matches this regular expression, whatever the case',
      example: "--grep 'password|mfa'",
    },
    repeat: {
      value: value.count,
      describe: 'Send everything K times, each time in a fresh conversation, to tell flaky from changed',
      default: '1',
      example: '--repeat 3',
    },
    sample: {
      value: value.count,
      describe: 'Only N conversations, drawn by chance, the same for the same seed',
      example: '--sample 20',
    },
    seed: {
      value: value.seed,
      describe: 'Decides what is drawn by chance: the sample, arrivals, think times, intervals',
      default: '1',
      example: '--sample 20 --seed 7',
    },
    shard: {
      value: value.shard,
      describe:
        'Only shard I of N of the set, for N machines side by side; merge joins them and judges the whole. --max-calls is divided among them',
      example: '--shard 2/4',
    },
  },
)

const MEANING = table(
  { phase: 'judge', config: 'target' },
  {
    'grounded-sources': {
      value: value.words,
      isList: true,
      describe: 'Values of contextSource that count as grounded',
      default: 'KNOWLEDGE_BASE',
      example: '--grounded-sources KNOWLEDGE_BASE,FAQ',
    },
    'rotating-ids': {
      value: value.flag,
      describe: 'The endpoint returns a new conversation id each turn: a changed id is no lost context',
      example: '--rotating-ids',
      phase: 'ask',
    },
    reviews: {
      value: value.names,
      isList: true,
      describe:
        'Reviews of answers (CSV: id, answer, review, note), such as an edited results.csv, each carried to the same answer; repeat it for several',
      example: '--reviews reports/last-week/results.csv',
      config: 'run',
    },
  },
)

const GATES = table(
  { phase: 'judge', config: 'run' },
  {
    threshold: {
      value: value.thresholds,
      isList: true,
      describe:
        'A gate over a figure of the summary; repeat it for several. One on passed or errors replaces the rule that every failed expectation, or every error, fails',
      example: "--threshold 'coverage>=80%' --threshold 'errors<=1%' --threshold 'rate429<=1%'",
    },
    'pass-policy': {
      value: value.choice(PASS_POLICIES),
      describe: 'With --repeat: a question passes if all of its answers do, the majority, or any',
      default: 'all',
      example: '--repeat 3 --pass-policy majority',
    },
  },
)

const COMPARISON = table(
  { phase: 'judge', config: 'run' },
  {
    baseline: {
      value: value.name,
      describe: 'Compare with this recorded run at the end, and fail on what --fail-on names',
      example: '--baseline reports/accepted',
    },
    'fail-on': {
      value: value.rules,
      isList: true,
      describe:
        'What fails the comparison: must-pass, grounding, verdicts, newly-failing (any), availability, latency (p95 slower by a fifth), quota (a tenth more calls a turn), or none',
      default: 'must-pass,grounding,verdicts',
      example: '--fail-on must-pass,grounding,availability',
    },
    history: {
      value: value.names,
      isList: true,
      describe:
        'Earlier runs, or a folder of runs: questions that also changed grounding there are marked; repeat it for several',
      example: '--history reports',
      phase: undefined,
      config: undefined,
    },
  },
)

const OUTPUT = table(
  {},
  {
    out: {
      value: value.name,
      describe: 'The folder that is written',
      default: 'a new one, in reports; history: the folder of the runs',
      example: '--out reports/nightly',
      config: 'run',
    },
    resume: {
      value: value.name,
      describe: 'Finish an interrupted run: send the turns that have no outcome yet',
      example: '--resume reports/2026-11-20T12-31-05Z-quickstart',
    },
    'retry-errors': {
      value: value.flag,
      describe: 'With --resume: send conversations again, whole, in which a turn ended in an error',
      example: '--resume reports/nightly --retry-errors',
    },
    json: {
      value: value.flag,
      describe: 'Print the figures as JSON on stdout (an array with several targets)',
      example: '--json',
      config: 'run',
    },
    excel: {
      value: value.flag,
      describe: 'CSV files for a double click in Excel: with a byte order mark and the separator of the set',
      example: '--excel',
      config: 'run',
    },
    open: {
      value: value.flag,
      describe: 'Open the report page in the browser at the end',
      example: '--open',
      config: 'run',
    },
    debug: {
      value: value.flag,
      describe: 'A line on stderr for each attempt',
      example: '--debug',
      config: 'run',
    },
    config: {
      value: value.name,
      describe:
        'Config file (YAML): options in camelCase, and targets; of sandbox: keys, limits, latency, faults',
      default: 'assist-harness.yaml, if it is there; sandbox: none',
      example: '--config nightly.yaml',
    },
  },
)

const LOAD = table(
  { phase: 'ask', config: 'run' },
  {
    'arrival-rate': {
      value: value.arrivalRate,
      describe: 'Conversations that arrive, whatever the answers do; with --stages the rate to start from',
      default: 'with --stages: 0/s',
      example: '--arrival-rate 2/s --duration 5m',
    },
    stages: {
      value: value.stages,
      isList: true,
      describe:
        'The arrival rate goes in a straight line to R within D, from where it was; commas separate several',
      example: '--arrival-rate 2/s --stages 30s:5/s,1m:5/s',
    },
    arrivals: {
      value: value.choice(['constant', 'poisson']),
      describe: 'constant: conversations arrive evenly; poisson: by chance, as people do (--seed)',
      default: 'constant',
      example: '--arrivals poisson',
    },
    duration: {
      value: value.duration,
      describe: 'How long conversations arrive; with --find-limit, how long the search may take',
      default: 'with --find-limit: 10m',
      example: '--duration 10m',
    },
    'think-time': {
      value: value.thinkTime,
      describe: 'Between an answer and the next turn: a time, uniform:FROM:TO, or lognormal:MEDIAN:P95',
      default: '0',
      example: '--think-time lognormal:5s:20s',
    },
    'max-in-flight': {
      value: callsAtOnce(),
      describe: 'Calls in flight at most: a conversation that is due without room is dropped, and counted',
      default: '512; with --find-limit: 64',
      example: '--max-in-flight 200',
      config: 'target',
    },
    users: {
      value: callsAtOnce(),
      describe: 'So many users in a loop instead: each starts a conversation when its last is over',
      example: '--users 10 --duration 5m',
    },
    'find-limit': {
      value: value.flag,
      describe:
        "Instead of a load: look for the organization's limit, within --max-calls, --max-rate, --max-in-flight and --duration",
      example: '--find-limit --max-calls 300',
    },
    'max-rate': {
      value: value.knownRate,
      describe: 'With --find-limit: the highest rate that is tried',
      default: '50/s',
      example: '--find-limit --max-rate 10/s',
      config: 'target',
    },
  },
)

function callsAtOnce() {
  return value.countTo(10_000, 'must be a whole number from 1 to 10000')
}

const OTHERS = table(
  {},
  {
    'answer-time': {
      value: value.duration,
      describe: 'How long an answer takes',
      default: '3s',
      example: '--answer-time 2s',
    },
    since: {
      value: value.since,
      describe: 'Only runs that were begun on this day or later (UTC)',
      example: '--since 2026-10-01',
    },
    ledger: {
      value: value.names,
      isList: true,
      describe:
        "The organization's own usage export (CSV or JSON), to check the account of calls; repeat it for several",
      example: '--ledger usage.csv',
    },
    port: {
      value: value.port,
      describe: 'Port to listen on, 0 for a free one',
      default: '8787',
      example: '--port 0',
    },
    host: {
      value: value.name,
      describe: 'Address to listen on',
      default: '127.0.0.1',
      example: '--host 0.0.0.0',
    },
    log: { value: value.flag, describe: 'A line for each request', example: '--log' },
  },
)

const ADVANCED = table(
  { phase: 'judge', config: 'run' },
  {
    'on-ambiguous': {
      value: value.choice(['restart', 'fail']),
      describe:
        'After a call that may have been processed: restart sends its conversation again, once, in a fresh one; fail records the error',
      default: 'restart',
      example: '--on-ambiguous fail',
      phase: 'ask',
      config: 'target',
    },
    'hash-end-user-refs': {
      value: value.flag,
      describe:
        'Send HMAC-SHA-256 of end_user_ref, keyed by the variable ASSIST_HASH_KEY; the raw value is written nowhere',
      example: '--hash-end-user-refs',
      phase: 'ask',
    },
    alpha: {
      value: value.level,
      describe: 'The chance that a gate may have of failing though nothing changed; its tests share it',
      default: '0.05',
      example: '--alpha 0.01',
    },
    margin: {
      value: value.points,
      describe:
        'A loss fails the comparison only if it is larger than so many percentage points, and more than noise',
      default: '2',
      example: '--margin 5',
    },
    'min-overlap': {
      value: value.shareOfAll,
      describe: 'So many of the questions must be in both runs; with fewer, every gate fails',
      default: '50%',
      example: '--min-overlap 80%',
    },
  },
)

/** Under their headings in help, in its order. */
export const OPTION_GROUPS = [
  ['Load:', LOAD],
  ['Target:', WHOM],
  ['Pace and budget:', PACE],
  ['Questions:', QUESTIONS],
  ['What counts as what:', MEANING],
  ['What fails the run:', GATES],
  ['Comparison:', COMPARISON],
  ['Output:', OUTPUT],
  ['Of this command:', OTHERS],
  ['Advanced:', ADVANCED],
] as const satisfies readonly (readonly [string, Readonly<Record<string, Option>>])[]

export const OPTIONS = {
  ...LOAD,
  ...WHOM,
  ...PACE,
  ...QUESTIONS,
  ...MEANING,
  ...GATES,
  ...COMPARISON,
  ...OUTPUT,
  ...OTHERS,
  ...ADVANCED,
}

export type OptionName = keyof typeof OPTIONS
