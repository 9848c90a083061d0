// Every option of every command, once: the command line, its help, the config file, its schema, the library, resume and merge read this.
import type * as z from 'zod'
import { PASS_POLICIES } from '../domain/turn.ts'
import * as value from './values.ts'
import { asTyped } from './faults.ts'

export type CommandName =
  'run' | 'estimate' | 'load' | 'validate' | 'report' | 'merge' | 'compare' | 'history' | 'sandbox'

export interface Option<V extends z.ZodType = z.ZodType> {
  /** In help and on the reference page. */
  readonly heading: string
  /** Those whose help shows it. */
  readonly commands: readonly CommandName[]
  readonly value: V
  /** Help shows the first sentence with the default; the reference page shows all. */
  readonly describe: string
  readonly default?: string
  /** Help shows the value that stands behind the option here. */
  readonly example: string
  /**
   * `ask`: what is sent, which is fixed for the life of a run; `pace`: how fast, which a resume may change; `judge`: how it
   * is counted, which any report may change. Absent: not part of a run's record.
   */
  readonly phase?: 'ask' | 'pace' | 'judge' | undefined
  /** Where it may stand in the config file: for all targets, or also in one of them. */
  readonly config?: 'run' | 'target' | undefined
}

/** Options under one heading; `common` holds unless an option says otherwise. One without a value is a flag, and its own example. */
const group =
  <const C extends Partial<Option>>(heading: string, common: C) =>
  <const T extends Readonly<Record<string, Partial<Option> & Pick<Option, 'describe'>>>>(options: T) =>
    Object.fromEntries(
      Object.entries(options).map(([name, option]) => [
        name,
        { heading, value: value.flag, example: asTyped(name), ...common, ...option },
      ]),
    ) as unknown as { readonly [Name in keyof T]: Omit<Flag & C, keyof T[Name]> & T[Name] }

type Flag = Pick<Option<typeof value.flag>, 'heading' | 'value' | 'example'>

/** By their names in the config file and in programs, in the order of the reference page. */
export const OPTIONS = {
  ...group('Target', { phase: 'ask', config: 'target', commands: ['run', 'load'] })({
    baseUrl: {
      value: value.name,
      describe: 'Address of the desk (or ASSIST_BASE_URL). A user name or password in it is rejected.',
      example: '--base-url https://desk.example.com',
    },
    apiKeyEnv: {
      value: value.variable,
      describe:
        'Variable with the key. It names the environment variable that holds the API key. A key is never an argument.',
      default: 'ASSIST_API_KEY',
      example: '--api-key-env ASSIST_KEY_QA',
      phase: 'pace',
    },
    target: {
      value: value.names,
      describe: 'Target of the config file (repeatable). Several targets run side by side.',
      example: '--target production --target staging',
      commands: ['run', 'load', 'estimate'],
      config: 'run',
    },
    sandbox: {
      describe:
        'Send to a local sandbox: no key, no quota. Starts a sandbox endpoint on a free loopback port.',
      config: 'run',
    },
    kb: {
      value: value.name,
      describe: 'Articles of the sandbox. A folder of Markdown files, one article each.',
      default: 'shipped ones',
      example: '--sandbox --kb articles',
      commands: ['run', 'load', 'sandbox'],
      config: 'run',
    },
    organization: {
      value: value.name,
      describe: 'Share one rate limit. Targets with the same name share one limiter.',
      default: 'per URL and key',
      example: '--organization acme',
      phase: 'pace',
    },
    allowHttp: {
      describe: 'Allow http:// to hosts other than this machine. Others on the network can read the key.',
    },
  }),
  ...group('Pace and budget', { phase: 'pace', config: 'target', commands: ['run', 'estimate'] })({
    rate: {
      value: value.rate,
      describe:
        'auto, unlimited, or a known rate. `auto` finds the limit and stays just below it. `unlimited` does not pace. A rate is `5/s`, `60/min` or `1000/h`.',
      default: 'auto',
      example: '--rate 60/min',
    },
    share: {
      value: value.share,
      describe: 'Use at most this share of the limit. The rest is left to live users.',
      default: '1',
      example: '--share 0.5',
    },
    concurrency: {
      value: value.concurrency,
      describe: 'Maximum calls in flight. Counted per organization. `auto` allows as many as the pace needs.',
      default: 'auto, up to 64',
      example: '--concurrency 8',
    },
    limiter: {
      value: value.choice(['local', 'redis']),
      describe:
        'Share the pace through Redis. `local`: this process paces alone. `redis`: all processes of the organization that use the same Redis (`ASSIST_REDIS_URL`) share one pace.',
      default: 'local',
      example: '--limiter redis',
      commands: ['run'],
    },
    maxCalls: {
      value: value.count,
      describe:
        'Stop after this many calls, retries included. The count covers all sessions of a run. `load` needs this option for a host other than this machine. On this machine, `load --find-limit` uses 2000 by default.',
      example: '--max-calls 500',
      commands: ['run', 'load', 'estimate'],
    },
    giveUpAfter: {
      value: value.duration,
      describe:
        'Stop after this long with nothing but 429s and failures, and at once when the endpoint names a wait longer than what is left of it. Before the first answer of a session it is at most one minute.',
      default: '30m',
      example: '--give-up-after 10m',
      commands: ['run', 'load'],
    },
    timeout: {
      value: value.duration,
      describe: 'Time limit of one attempt. It runs from sending the request to the last byte of the answer.',
      default: '120s',
      example: '--timeout 30s',
      commands: ['run', 'load'],
    },
  }),
  ...group('Questions', { phase: 'ask', config: 'run', commands: ['run', 'load', 'estimate'] })({
    tag: {
      value: value.names,
      describe: 'Only conversations with this tag (repeatable).',
      example: '--tag vpn --tag email',
    },
    grep: {
      value: value.pattern,
      describe:
        'Only conversations that match this pattern. A regular expression. Case does not matter. One matching question selects its whole conversation.',
      example: "--grep 'password|mfa'",
    },
    sample: {
      value: value.count,
      describe: 'Only a random sample of conversations. The same seed draws the same sample.',
      example: '--sample 20',
    },
    repeat: {
      value: value.count,
      describe:
        'Send each question this many times. Each repeat is a fresh conversation. Repeats tell flaky questions from changed ones.',
      default: '1',
      example: '--repeat 3',
      commands: ['run', 'estimate'],
    },
    shard: {
      value: value.shard,
      describe:
        'Only this shard of the set; merge joins them. Shard I of N, for N machines side by side. `--max-calls` is divided among the shards.',
      example: '--shard 2/4',
    },
    format: {
      value: value.format,
      describe:
        'Format of the sets. `native`, or the tool that made them: `promptfoo`, `copilot-test-set`, `copilot-results`, `google-cx`, `botium`, `pairs`.',
      default: 'detected',
      example: '--format promptfoo',
      commands: ['run', 'load', 'estimate', 'validate'],
    },
    column: {
      value: value.columns,
      describe:
        'Read a column of the file as a known one (repeatable). The name of the known column, and the header in the file.',
      example: '--column message=Description',
      commands: ['run', 'load', 'estimate', 'validate'],
    },
  }),
  ...group('Judging', { phase: 'judge', config: 'run', commands: ['run', 'report', 'merge'] })({
    threshold: {
      value: value.thresholds,
      describe:
        'Gate on a figure of the summary (repeatable). A threshold on `passed` replaces the rule that every failed expectation fails the run. One on `errors` replaces the rule for errors.',
      example: "--threshold 'coverage>=80%' --threshold 'errors<=1%' --threshold 'rate429<=1%'",
      commands: ['run', 'load', 'report', 'merge'],
    },
    baseline: {
      value: value.name,
      describe: 'Compare with this run, and fail if worse. `--fail-on` says what counts as worse.',
      example: '--baseline accepted',
    },
    requireBaseline: {
      describe:
        'Without the baseline, send nothing. A missing baseline is an error (2) instead of a note. It guards a nightly run against a lost one.',
      example: '--baseline accepted --require-baseline',
    },
    failOn: {
      value: value.rules,
      describe:
        'Gates. What fails the comparison: `must-pass`, `grounding`, `verdicts`, `newly-failing` (any question), `availability`, `latency` (p95 slower by a fifth), `quota` (a tenth more calls per question), or `none`.',
      default: 'must-pass,grounding,verdicts',
      example: '--fail-on must-pass,latency',
      commands: ['run', 'report', 'merge', 'compare'],
    },
    passPolicy: {
      value: value.choice(PASS_POLICIES),
      describe:
        'Repeats that must pass. With `--repeat`: a question passes if `all` of its answers do, the `majority`, or `any`.',
      default: 'all',
      example: '--pass-policy majority',
    },
    groundedSources: {
      value: value.words,
      describe: 'What counts as grounded. Values of `contextSource`, separated by commas.',
      default: 'KNOWLEDGE_BASE',
      example: '--grounded-sources FAQ,WIKI',
      commands: ['run', 'load', 'report', 'merge', 'compare'],
      config: 'target',
    },
    reviews: {
      value: value.names,
      describe:
        'Reviews of answers, carried over (repeatable). A run folder, which gives all that it carries, or a CSV with the columns `id`, `answer`, `review` and `note`, such as an edited `results.csv`. A review is carried to the same answer.',
      example: '--reviews reports/tuesday',
      commands: ['run', 'report', 'merge', 'compare'],
    },
    quota: {
      value: value.count,
      describe:
        'Monthly allowance of AI calls, to show the share. Reports show which share of it the run used, and what a nightly run would use.',
      example: '--quota 10000',
      commands: ['run', 'load', 'estimate', 'report', 'merge', 'compare'],
      config: 'target',
    },
  }),
  ...group(
    'Judging',
    {},
  )({
    history: {
      value: value.names,
      describe:
        'Mark questions that changed before (repeatable). Earlier runs, or a folder of runs. Questions that also changed their grounding there are marked.',
      example: '--history reports',
      commands: ['compare'],
    },
    ledger: {
      value: value.names,
      describe:
        "Check calls against a usage export (repeatable). The organization's own usage export, CSV or JSON.",
      example: '--ledger usage.csv',
      commands: ['report'],
    },
  }),
  ...group(
    'Output',
    {},
  )({
    out: {
      value: value.name,
      describe:
        'Folder to write. Default: a new folder in `reports`, named by time and question set. `history` writes into the folder of the runs.',
      example: '--out reports/nightly',
      commands: ['run', 'load', 'merge', 'compare', 'history'],
      config: 'run',
    },
    continue: {
      describe:
        'With --out: finish the run there, or start it. What a retried job needs: the same command finishes the run in the folder, and starts it where there is none.',
      example: '--out reports/nightly --continue',
      commands: ['run'],
    },
    resume: {
      value: value.name,
      describe: 'Finish a run that stopped early. Sends the turns that have no outcome yet.',
      example: '--resume reports/nightly',
      commands: ['run'],
    },
    retryErrors: {
      describe:
        'With --resume: send failed conversations again. Sends whole conversations in which a turn ended in an error.',
      example: '--resume reports/nightly --retry-errors',
      commands: ['run'],
    },
    json: {
      describe: 'Print the figures as JSON on stdout. An array with several targets.',
      commands: ['run', 'load', 'estimate', 'validate', 'report', 'merge', 'compare', 'history'],
      config: 'run',
    },
    excel: {
      describe:
        'Write CSV files that open in Excel. With a byte order mark, and the separator of the question set.',
      commands: ['run', 'report', 'merge', 'compare', 'history'],
      config: 'run',
    },
    open: {
      describe: 'Open the report page in the browser at the end.',
      commands: ['run', 'load', 'report', 'merge', 'compare', 'history'],
      config: 'run',
    },
    debug: {
      describe: 'Print a line on stderr for each attempt.',
      commands: ['run', 'load'],
      config: 'run',
    },
    config: {
      value: value.name,
      describe:
        'Config file (YAML). It holds options in camelCase, and targets. `run`, `load` and `estimate` read `assist-harness.yaml` if it is there. The file of `sandbox` is another: it holds keys, limits, latency and faults.',
      example: '--config nightly.yaml',
      commands: ['run', 'load', 'estimate', 'sandbox'],
    },
  }),
  ...group('Advanced', { phase: 'ask', config: 'run', commands: ['run', 'load', 'estimate'] })({
    onAmbiguous: {
      value: value.choice(['restart', 'fail']),
      describe:
        'After a lost answer, fail. A call that may have been processed is ambiguous. `restart` sends its conversation again, once, as a fresh one. `fail` records the error.',
      default: 'restart',
      example: '--on-ambiguous fail',
      commands: ['run', 'estimate'],
      config: 'target',
    },
    rotatingIds: {
      describe:
        'A changed conversation id is not a lost context. For endpoints that return a new conversation id each turn.',
      config: 'target',
    },
    hashEndUserRefs: {
      describe:
        'Send end_user_ref as an HMAC (ASSIST_HASH_KEY). HMAC-SHA-256, with the key in the variable `ASSIST_HASH_KEY`. The raw value is written nowhere.',
      commands: ['run', 'load'],
    },
    seed: {
      value: value.seed,
      describe: 'Seed of everything random. It decides the sample, and the think times of `load`.',
      default: '1',
      example: '--sample 20 --seed 7',
    },
  }),
  ...group('Advanced', { phase: 'judge', config: 'run', commands: ['run', 'report', 'merge', 'compare'] })({
    alpha: {
      value: value.level,
      describe:
        'Chance of a false alarm. The chance that a comparison fails although nothing changed. All gates share it.',
      default: '0.05',
      example: '--alpha 0.01',
    },
    margin: {
      value: value.points,
      describe:
        'Tolerated drop in points. A comparison fails only on a drop that is larger than this and larger than noise.',
      default: '2',
      example: '--margin 5',
    },
    minOverlap: {
      value: value.shareOfAll,
      describe: 'Questions both runs must share. With fewer, every gate of the comparison fails.',
      default: '50%',
      example: '--min-overlap 80%',
    },
  }),
  ...group('Load', { phase: 'ask', config: 'run', commands: ['load'] })({
    arrivalRate: {
      value: value.arrivalRate,
      describe:
        'Rate of new conversations. Slow answers do not slow it down. With `--stages`, the rate to start from (0/s unless given).',
      example: '--arrival-rate 2/s --duration 5m',
    },
    duration: {
      value: value.duration,
      describe:
        'How long new conversations start. With `--find-limit`: how long the search may take (10m unless given).',
      example: '--duration 10m',
    },
    stages: {
      value: value.stages,
      describe:
        'Ramp the arrival rate, as TIME:RATE,TIME:RATE. The rate goes to RATE in a straight line within TIME.',
      example: '--stages 30s:5/s,1m:5/s',
    },
    thinkTime: {
      value: value.thinkTime,
      describe: 'Pause before a follow-up question. A time, `uniform:FROM:TO`, or `lognormal:MEDIAN:P95`.',
      default: '0',
      example: '--think-time uniform:1s:5s',
    },
    maxInFlight: {
      value: value.callsAtOnce,
      describe:
        'Maximum calls in flight. A conversation that is due when they are all in use is dropped, and counted. With `--find-limit`: 64 unless given.',
      default: '512',
      example: '--max-in-flight 200',
      config: 'target',
    },
    users: {
      value: value.callsAtOnce,
      describe:
        'Instead of a rate: this many users in a loop. Each user starts a conversation when the last one is over.',
      example: '--users 10 --duration 5m',
    },
    findLimit: {
      describe:
        'Instead of a load test: search for the rate limit. It stays within `--max-calls`, `--max-in-flight` and `--duration`, and sends at most 50 calls a second.',
      example: '--find-limit --max-calls 300',
    },
  }),
  ...group('Sandbox', { commands: ['sandbox'] })({
    port: {
      value: value.port,
      describe: 'Port to listen on; 0 takes any.',
      default: '8787',
      example: '--port 0',
    },
  }),
}

export type OptionName = keyof typeof OPTIONS

export const isFlag = (option: Option): boolean => option.value === value.flag

/** It may be given several times on the command line. */
export const isList = (option: Option): boolean => value.LISTS.has(option.value)
