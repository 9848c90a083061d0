// Every option of every command, once: the command line, its help, the config file, its schema, the library, resume and merge read this.
import type * as z from 'zod'
import { PASS_POLICIES } from '../domain/turn.ts'
import * as value from './option-values.ts'

export interface Option<V extends z.ZodType = z.ZodType> {
  readonly value: V
  /** One line: help shows it with the default, in 49 columns. */
  readonly describe: string
  /** Whole sentences, which the reference page adds. */
  readonly details?: string
  readonly default?: string
  /** Help shows the value that stands behind the option here. */
  readonly example: string
  /** Another option that help shows on the same line, as in `--sandbox [--kb articles]`: its name, and the line's text. */
  readonly together?: readonly [name: string, describe: string]
  /** It may be given several times on the command line. */
  readonly isList?: true
  /**
   * `ask`: what is sent, which is fixed for the life of a run; `pace`: how fast, which a resume may change; `judge`: how it
   * is counted, which any report may change. Absent: not part of a run's record.
   */
  readonly phase?: 'ask' | 'pace' | 'judge' | undefined
  /** Where it may stand in the config file: for all targets, or also in one of them. */
  readonly config?: 'run' | 'target' | undefined
}

/** Options under one heading of help; `common` holds unless an option says otherwise. A flag is its own example. */
const table = <T extends Readonly<Record<string, Partial<Option> & Omit<Option, 'example'>>>>(
  common: Pick<Option, 'phase' | 'config'>,
  options: T,
) =>
  Object.fromEntries(
    Object.entries(options).map(([name, option]) => [name, { example: `--${name}`, ...common, ...option }]),
  ) as { readonly [Name in keyof T]: T[Name] & Pick<Option, 'example'> }

const TARGET = table(
  { phase: 'ask', config: 'target' },
  {
    'base-url': {
      value: value.name,
      describe: 'Address of the desk (or ASSIST_BASE_URL)',
      details: 'A user name or password in it is rejected.',
      example: '--base-url https://desk.example.com',
    },
    'api-key-env': {
      value: value.variable,
      describe: 'Variable with the key',
      details: 'It names the environment variable that holds the API key. A key is never an argument.',
      default: 'ASSIST_API_KEY',
      example: '--api-key-env ASSIST_KEY_QA',
      phase: 'pace',
    },
    target: {
      value: value.names,
      isList: true,
      describe: 'Target of the config file (repeatable)',
      details: 'Several targets run side by side.',
      example: '--target production --target staging',
      config: 'run',
    },
    sandbox: {
      value: value.flag,
      describe: 'Send to a local sandbox: no key, no quota',
      details: 'Starts a sandbox endpoint on a free loopback port.',
      together: ['kb', 'Send to a local sandbox; --kb: with your articles'],
      config: 'run',
    },
    kb: {
      value: value.name,
      describe: 'Articles of the sandbox',
      details: 'A folder of Markdown files, one article each.',
      default: 'shipped ones',
      example: '--sandbox --kb articles',
      config: 'run',
    },
    organization: {
      value: value.name,
      describe: 'Share one rate limit',
      details: 'Targets with the same name share one limiter.',
      default: 'per URL and key',
      example: '--organization acme',
      phase: 'pace',
    },
    'allow-http': {
      value: value.flag,
      describe: 'Allow http:// to hosts other than this machine',
      details: 'Others on the network can read the key.',
    },
  },
)

const PACE = table(
  { phase: 'pace', config: 'target' },
  {
    rate: {
      value: value.rate,
      describe: 'auto, unlimited, or a known rate',
      details:
        '`auto` finds the limit and stays just below it. `unlimited` does not pace. A rate is `5/s`, `60/min` or `1000/h`.',
      default: 'auto',
      example: '--rate 60/min',
    },
    share: {
      value: value.share,
      describe: 'Use at most this share of the limit',
      details: 'The rest is left to live users.',
      default: '1',
      example: '--share 0.5',
    },
    concurrency: {
      value: value.concurrency,
      describe: 'Maximum calls in flight',
      details: 'Counted per organization. `auto` allows as many as the pace needs.',
      default: 'auto, up to 64',
      example: '--concurrency 8',
    },
    limiter: {
      value: value.choice(['local', 'redis']),
      describe: 'Share the pace through Redis',
      details:
        '`local`: this process paces alone. `redis`: all processes of the organization that use the same Redis (`ASSIST_REDIS_URL`) share one pace.',
      default: 'local',
      example: '--limiter redis',
    },
    'max-calls': {
      value: value.count,
      describe: 'Stop after this many calls, retries included',
      details:
        'The count covers all sessions of a run. `load` needs this option for a host other than this machine. On this machine, `load --find-limit` uses 600 by default.',
      example: '--max-calls 500',
    },
    'give-up-after': {
      value: value.duration,
      describe: 'Longest time without success',
      details:
        'The run stops when every call in this time got a 429 or failed. It stops at once when the endpoint names a longer wait.',
      default: '30m',
      example: '--give-up-after 10m',
    },
    timeout: {
      value: value.duration,
      describe: 'Time limit of one attempt',
      details: 'It runs from sending the request to the last byte of the answer.',
      default: '120s',
      example: '--timeout 30s',
    },
  },
)

const QUESTIONS = table(
  { phase: 'ask', config: 'run' },
  {
    tag: {
      value: value.names,
      isList: true,
      describe: 'Only conversations with this tag (repeatable)',
      example: '--tag vpn --tag email',
    },
    grep: {
      value: value.pattern,
      describe: 'Only conversations that match this pattern',
      details:
        'A regular expression. Case does not matter. One matching question selects its whole conversation.',
      example: "--grep 'password|mfa'",
    },
    sample: {
      value: value.count,
      describe: 'Only a random sample of conversations',
      details: 'The same seed draws the same sample.',
      example: '--sample 20',
      together: ['seed', 'Only a random sample; --seed draws another one'],
    },
    repeat: {
      value: value.count,
      describe: 'Send each question this many times',
      details: 'Each repeat is a fresh conversation. Repeats tell flaky questions from changed ones.',
      default: '1',
      example: '--repeat 3',
    },
    shard: {
      value: value.shard,
      describe: 'Only this shard of the set; merge joins them',
      details: 'Shard I of N, for N machines side by side. `--max-calls` is divided among the shards.',
      example: '--shard 2/4',
    },
    format: {
      value: value.format,
      describe: 'Format of the sets',
      details:
        '`native`, or the tool that made them: `promptfoo`, `copilot-test-set`, `copilot-results`, `google-cx`, `botium`, `pairs`.',
      default: 'detected',
      example: '--format promptfoo',
    },
  },
)

const JUDGING = table(
  { phase: 'judge', config: 'run' },
  {
    threshold: {
      value: value.thresholds,
      isList: true,
      describe: 'Gate on a figure of the summary (repeatable)',
      details:
        'A threshold on `passed` replaces the rule that every failed expectation fails the run. One on `errors` replaces the rule for errors.',
      example: "--threshold 'coverage>=80%' --threshold 'errors<=1%' --threshold 'rate429<=1%'",
    },
    baseline: {
      value: value.name,
      describe: 'Compare with this run, and fail if worse',
      details: '`--fail-on` says what counts as worse.',
      example: '--baseline reports/accepted',
    },
    'fail-on': {
      value: value.rules,
      isList: true,
      describe: 'Gates',
      details:
        'What fails the comparison: `must-pass`, `grounding`, `verdicts`, `newly-failing` (any question), `availability`, `latency` (p95 slower by a fifth), `quota` (a tenth more calls per question), or `none`.',
      default: 'must-pass,grounding,verdicts',
      example: '--fail-on must-pass,latency',
    },
    'pass-policy': {
      value: value.choice(PASS_POLICIES),
      describe: 'Repeats that must pass',
      details: 'With `--repeat`: a question passes if `all` of its answers do, the `majority`, or `any`.',
      default: 'all',
      example: '--pass-policy majority',
    },
    'grounded-sources': {
      value: value.words,
      isList: true,
      describe: 'What counts as grounded',
      details: 'Values of `contextSource`, separated by commas.',
      default: 'KNOWLEDGE_BASE',
      example: '--grounded-sources FAQ,WIKI',
      config: 'target',
    },
    reviews: {
      value: value.names,
      isList: true,
      describe: 'Reviews of answers, carried over (repeatable)',
      details:
        'CSV with the columns `id`, `answer`, `review` and `note`, such as an edited `results.csv`. A review is carried to the same answer.',
      example: '--reviews reviews.csv',
    },
    quota: {
      value: value.count,
      describe: 'Monthly allowance of AI calls, to show the share',
      details: 'Reports show which share of it the run used, and what a nightly run would use.',
      example: '--quota 10000',
      config: 'target',
    },
    history: {
      value: value.names,
      isList: true,
      describe: 'Mark questions that changed before (repeatable)',
      details:
        'Earlier runs, or a folder of runs. Questions that also changed their grounding there are marked.',
      example: '--history reports',
      phase: undefined,
      config: undefined,
    },
    ledger: {
      value: value.names,
      isList: true,
      describe: 'Check calls against a usage export (repeatable)',
      details: "The organization's own usage export, CSV or JSON.",
      example: '--ledger usage.csv',
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
      describe: 'Folder to write',
      details:
        'Default: a new folder in `reports`, named by time and question set. `history` writes into the folder of the runs.',
      example: '--out reports/nightly',
      config: 'run',
    },
    resume: {
      value: value.name,
      describe: 'Finish a run that stopped early',
      details: 'Sends the turns that have no outcome yet.',
      example: '--resume reports/nightly',
      together: ['retry-errors', 'Finish a run; resend errors, too'],
    },
    'retry-errors': {
      value: value.flag,
      describe: 'With --resume: send failed conversations again',
      details: 'Sends whole conversations in which a turn ended in an error.',
      example: '--resume reports/nightly --retry-errors',
    },
    json: {
      value: value.flag,
      describe: 'Print the figures as JSON on stdout',
      details: 'An array with several targets.',
      together: ['debug', 'JSON on stdout; --debug: each attempt on stderr'],
      config: 'run',
    },
    excel: {
      value: value.flag,
      describe: 'Write CSV files that open in Excel',
      details: 'With a byte order mark, and the separator of the question set.',
      config: 'run',
    },
    open: {
      value: value.flag,
      describe: 'Open the report page in the browser at the end',
      config: 'run',
    },
    debug: {
      value: value.flag,
      describe: 'Print a line on stderr for each attempt',
      config: 'run',
    },
    config: {
      value: value.name,
      describe: 'Config file (YAML)',
      details:
        'It holds options in camelCase, and targets. `run`, `load` and `estimate` read `assist-harness.yaml` if it is there. The file of `sandbox` is another: it holds keys, limits, latency and faults.',
      example: '--config nightly.yaml',
    },
  },
)

const LOAD = table(
  { phase: 'ask', config: 'run' },
  {
    'arrival-rate': {
      value: value.arrivalRate,
      describe: 'Rate of new conversations',
      details:
        'Slow answers do not slow it down. With `--stages`, the rate to start from (0/s unless given).',
      example: '--arrival-rate 2/s --duration 5m',
    },
    duration: {
      value: value.duration,
      describe: 'How long new conversations start',
      details: 'With `--find-limit`: how long the search may take (10m unless given).',
      example: '--duration 10m',
    },
    stages: {
      value: value.stages,
      isList: true,
      describe: 'Ramp the arrival rate, as TIME:RATE,TIME:RATE',
      details: 'The rate goes to RATE in a straight line within TIME.',
      example: '--stages 30s:5/s,1m:5/s',
    },
    'think-time': {
      value: value.thinkTime,
      describe: 'Pause before a follow-up question',
      details: 'A time, `uniform:FROM:TO`, or `lognormal:MEDIAN:P95`.',
      default: '0',
      example: '--think-time uniform:1s:5s',
    },
    'max-in-flight': {
      value: value.callsAtOnce,
      describe: 'Maximum calls in flight',
      details:
        'A conversation that is due when they are all in use is dropped, and counted. With `--find-limit`: 64 unless given.',
      default: '512',
      example: '--max-in-flight 200',
      config: 'target',
    },
    users: {
      value: value.callsAtOnce,
      describe: 'Instead of a rate: this many users in a loop',
      details: 'Each user starts a conversation when the last one is over.',
      example: '--users 10 --duration 5m',
    },
    'find-limit': {
      value: value.flag,
      describe: 'Instead of a load test: search for the rate limit',
      details:
        'It stays within `--max-calls`, `--max-in-flight` and `--duration`, and sends at most 50 calls a second.',
      example: '--find-limit --max-calls 300',
    },
  },
)

const SANDBOX = table(
  {},
  {
    port: {
      value: value.port,
      describe: 'Port to listen on; 0 takes any',
      default: '8787',
      example: '--port 0',
    },
  },
)

const ADVANCED = table(
  { phase: 'judge', config: 'run' },
  {
    'on-ambiguous': {
      value: value.choice(['restart', 'fail']),
      describe: 'After a lost answer, fail',
      details:
        'A call that may have been processed is ambiguous. `restart` sends its conversation again, once, as a fresh one. `fail` records the error.',
      default: 'restart',
      example: '--on-ambiguous fail',
      phase: 'ask',
      config: 'target',
    },
    'rotating-ids': {
      value: value.flag,
      describe: 'A changed conversation id is not a lost context',
      details: 'For endpoints that return a new conversation id each turn.',
      phase: 'ask',
      config: 'target',
    },
    'hash-end-user-refs': {
      value: value.flag,
      describe: 'Send end_user_ref as an HMAC (ASSIST_HASH_KEY)',
      details:
        'HMAC-SHA-256, with the key in the variable `ASSIST_HASH_KEY`. The raw value is written nowhere.',
      phase: 'ask',
    },
    seed: {
      value: value.seed,
      describe: 'Seed of everything random',
      details: 'It decides the sample, and the think times of `load`.',
      default: '1',
      example: '--sample 20 --seed 7',
      phase: 'ask',
    },
    alpha: {
      value: value.level,
      describe: 'Chance of a false alarm',
      details: 'The chance that a comparison fails although nothing changed. All gates share it.',
      default: '0.05',
      example: '--alpha 0.01',
    },
    margin: {
      value: value.points,
      describe: 'Tolerated drop in points',
      details: 'A comparison fails only on a drop that is larger than this and larger than noise.',
      default: '2',
      example: '--margin 5',
    },
    'min-overlap': {
      value: value.shareOfAll,
      describe: 'Questions both runs must share',
      details: 'With fewer, every gate of the comparison fails.',
      default: '50%',
      example: '--min-overlap 80%',
    },
  },
)

/** Under their headings in help, in its order. */
export const OPTION_GROUPS = [
  ['Sandbox', SANDBOX],
  ['Load', LOAD],
  ['Target', TARGET],
  ['Pace and budget', PACE],
  ['Questions', QUESTIONS],
  ['Judging', JUDGING],
  ['Output', OUTPUT],
  ['Advanced', ADVANCED],
] as const satisfies readonly (readonly [string, Readonly<Record<string, Option>>])[]

export const OPTIONS = {
  ...TARGET,
  ...PACE,
  ...QUESTIONS,
  ...JUDGING,
  ...OUTPUT,
  ...ADVANCED,
  ...LOAD,
  ...SANDBOX,
}

export type OptionName = keyof typeof OPTIONS
