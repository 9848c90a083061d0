// Every option of every command, once: the command line, its help, the config file, its schema, the reference
// pages, the library, the manifest, resume and merge read this.
import { ARTICLE_COLUMN_NAMES, EXPORT_COLUMN_NAMES } from '../dataset/columns.ts'
import { FORMAT_NAMES, NATIVE } from '../dataset/formats.ts'
import { DEFAULT_RULES } from '../domain/comparison.ts'
import { PASS_POLICIES } from '../domain/turn.ts'
import { asTyped } from './faults.ts'
import * as value from './values.ts'

export interface Option {
  readonly value: value.OptionValue
  readonly default?: unknown
  /** Replaces the default: help says what holds if the option is absent. */
  readonly unset?: string
  /** Shows its first sentence with the default in help, and all of it on the reference page. */
  readonly describe: string
  /** Is the value that help shows behind the option. A flag's example is its name. */
  readonly example?: string
  /**
   * Is `ask` for what is sent, fixed for the life of a run; `pace` for how fast, which a resume may change;
   * `judge` for how it is counted, which any report may change; absent if it is not part of a run's record.
   */
  readonly phase?: 'ask' | 'pace' | 'judge'
  /** Puts it in `options` of run.json; targets, shards and load tests have places of their own there. */
  readonly isRecorded?: true
  /** Is `target` if one of the targets may have it, too. */
  readonly config?: 'run' | 'target'
}

const code = (name: string): string => `\`${name}\``

const flag = { value: value.flag } as const
const ask = { phase: 'ask', isRecorded: true, config: 'run' } as const
const pace = { phase: 'pace', isRecorded: true, config: 'target' } as const
const judge = { phase: 'judge', isRecorded: true, config: 'run' } as const
const inFile = { config: 'run' } as const
/** Marks where calls go, which has a place of its own in run.json, as has the plan of a load test. */
const place = { phase: 'ask', config: 'target' } as const
const key = { phase: 'pace', config: 'target' } as const
const plan = { phase: 'ask', config: 'run' } as const

/** Are headings of help and of the reference page; below them, names as in config files and programs. */
export const SECTIONS = {
  Target: {
    baseUrl: {
      value: value.name,
      describe: 'Address of the desk (or ASSIST_BASE_URL). A user name or password in it is rejected.',
      example: '--base-url https://desk.example.com',
      ...place,
    },
    apiKeyEnv: {
      value: value.variable,
      default: 'ASSIST_API_KEY',
      describe:
        'Variable with the key. It names the environment variable that holds the API key. A key is never ' +
        'an argument.',
      example: '--api-key-env ASSIST_KEY_QA',
      ...key,
    },
    header: {
      value: value.headers,
      default: [],
      describe:
        'Further request header, NAME: $VARIABLE (repeatable). A key of a gateway, or a tenant. Its value ' +
        'comes from the environment variable, and is masked like the key.',
      example: "--header 'X-Gateway-Key: $GATEWAY_KEY'",
      ...pace,
    },
    clientCert: {
      value: value.name,
      describe: 'Client certificate (mTLS), a PEM file. Needs `--client-key`.',
      example: '--client-cert client.pem --client-key client.key',
      ...pace,
    },
    clientKey: {
      value: value.name,
      describe: 'Private key of the client certificate. A PEM file without a passphrase.',
      example: '--client-cert client.pem --client-key client.key',
      ...pace,
    },
    target: {
      value: value.names,
      describe: 'Target of the config file (repeatable). Several targets run side by side.',
      example: '--target production --target staging',
      ...plan,
    },
    sandbox: {
      ...flag,
      describe:
        'Send to a local sandbox: no key, no quota. Starts a sandbox endpoint on a free loopback port.',
      ...plan,
    },
    kb: {
      value: value.name,
      unset: 'shipped ones',
      describe: 'Articles of the sandbox. A folder of Markdown files, one article each.',
      example: '--sandbox --kb articles',
      ...plan,
    },
    organization: {
      value: value.name,
      unset: 'per URL and key',
      describe: 'Share one rate limit. Targets with the same name share one limiter.',
      example: '--organization acme',
      ...key,
    },
    allowHttp: {
      ...flag,
      describe: 'Allow http:// to hosts other than this machine. Others on the network can read the key.',
      ...place,
    },
  },
  'Pace and budget': {
    rate: {
      value: value.rate,
      default: 'auto',
      describe:
        'auto, unlimited, or a known rate. `auto` finds the limit and stays just below it. `unlimited` ' +
        'does not pace. A rate is `5/s`, `60/min` or `1000/h`.',
      example: '--rate 60/min',
      ...pace,
    },
    share: {
      value: value.share,
      default: 1,
      describe: 'Use at most this share of the limit. The rest is left to live users.',
      example: '--share 0.5',
      ...pace,
    },
    concurrency: {
      value: value.concurrency,
      default: 'auto',
      describe: 'Maximum calls in flight. Counted per organization. `auto` allows as many as the pace needs.',
      example: '--concurrency 8',
      ...pace,
    },
    from: {
      value: value.name,
      describe:
        'Take pace and answer time from this run. The pace is the one that the endpoint announced, else ' +
        'the rate at which it accepted calls, or a slower one that its 429s set. A stated `--rate` is used ' +
        'instead.',
      example: '--from reports/nightly',
    },
    limiter: {
      value: value.choice(['local', 'redis']),
      default: 'local',
      describe:
        'Share the pace through Redis. `local`: this process paces alone. `redis`: all processes of the ' +
        'organization that use the same Redis (`ASSIST_REDIS_URL`) share one pace.',
      example: '--limiter redis',
      ...pace,
    },
    maxCalls: {
      value: value.count,
      describe:
        'Stop after this many calls, retries included. The count covers all sessions of a run; of several ' +
        'targets, each may send as many. `load` needs this option for a host other than this machine. On ' +
        'this machine, `load --find-limit` uses 2000 by default. In `view` it counts all calls of the ' +
        'session; by default 200 to other machines.',
      example: '--max-calls 500',
      ...pace,
    },
    untilDecided: {
      ...flag,
      describe:
        'Stop once no answer to come can change the exit code. `must_pass` questions are sent first, then ' +
        'whole conversations in random order (`--seed`). `--resume` sends the rest. Gates that only the ' +
        'end decides, such as a latency or the rules of a baseline, are named at the start.',
      ...pace,
      config: 'run',
    },
    confirm: {
      value: value.timesAgain,
      default: 0,
      describe:
        'At the end, send each conversation in which a question newly fails, or newly lost its grounding, ' +
        'this many times more. The majority of its answers counts. Without a baseline: those with a ' +
        'failed `must_pass` question. Stays within `--max-calls`.',
      example: '--baseline accepted --confirm 2',
      ...pace,
      config: 'run',
    },
    giveUpAfter: {
      value: value.duration,
      default: 30 * 60_000,
      describe:
        'Stop after this long with nothing but 429s and failures, and at once when the endpoint names a ' +
        'wait longer than what is left of it. Before the first answer of a session it is at most one ' +
        'minute. 429s of one error.code after which no question was ever answered end a run after 3 minutes.',
      example: '--give-up-after 10m',
      ...pace,
    },
    maxDuration: {
      value: value.duration,
      describe: 'Stop after this long, in each session. `--resume` sends the rest.',
      example: '--max-duration 4h',
      ...pace,
      config: 'run',
    },
    timeout: {
      value: value.duration,
      default: 120_000,
      describe: 'Time limit of one attempt. It runs from sending the request to the last byte of the answer.',
      example: '--timeout 30s',
      ...pace,
    },
  },
  Questions: {
    tag: {
      value: value.names,
      default: [],
      describe: 'Only conversations with this tag (repeatable).',
      example: '--tag vpn --tag email',
      ...ask,
    },
    grep: {
      value: value.pattern,
      describe:
        'Only conversations that match this pattern. A regular expression. Case does not matter. One ' +
        'matching question selects its whole conversation.',
      example: "--grep 'password|mfa'",
      ...ask,
    },
    sample: {
      value: value.count,
      describe: 'Only a random sample of conversations. The same seed draws the same sample.',
      example: '--sample 20',
      ...ask,
    },
    repeat: {
      value: value.count,
      default: 1,
      describe:
        'Send each question this many times. Each repeat is a fresh conversation. Repeats tell flaky ' +
        'questions from changed ones.',
      example: '--repeat 3',
      ...ask,
    },
    shard: {
      value: value.shard,
      describe:
        'Only this shard of the set; merge joins them. Shard I of N, for N machines side by side. ' +
        '`--max-calls` is divided among the shards.',
      example: '--shard 2/4',
      ...plan,
    },
    format: {
      value: value.format,
      unset: 'detected',
      describe:
        'Format of the sets. `native`, or the tool that made them: ' +
        `${FORMAT_NAMES.filter((name) => name !== NATIVE)
          .map(code)
          .join(', ')}.`,
      example: '--format promptfoo',
      ...ask,
    },
    column: {
      value: value.columns,
      default: [],
      describe:
        'Read a column of the file as a known one (repeatable). The name of the known column, and the ' +
        `header in the file. ${ARTICLE_COLUMN_NAMES.map(code).join(', ')} are columns of \`--articles\`, ` +
        `${EXPORT_COLUMN_NAMES.map(code).join(', ')} is one of an export of tickets.`,
      example: '--column message=Description',
      ...ask,
    },
  },
  Judging: {
    threshold: {
      value: value.thresholds,
      default: [],
      describe:
        'Gate on a figure of the summary (repeatable). A threshold on `passed` replaces the rule that ' +
        'every failed expectation fails the run. One on `errors` replaces the rule for errors.',
      example: "--threshold 'coverage>=80%' --threshold 'errors<=1%' --threshold 'rate429<=1%'",
      ...judge,
    },
    articles: {
      value: value.name,
      unset: 'those of the sandbox',
      describe:
        "The organization's own articles, for the causes of gaps. A folder of `.md`, `.html` and `.txt` " +
        'files, or an export as `.csv`, `.xlsx` or `.json`. Nothing is sent anywhere.',
      example: '--articles kb-export.csv',
      ...judge,
      config: 'target',
    },
    last: {
      value: value.count,
      default: 60,
      describe: 'Runs of a series, the last ones, on which the gate is tried.',
      example: '--last 30',
    },
    was: {
      value: value.name,
      unset: 'those of the run',
      describe: 'The articles before the edit: a folder or an export, like `--articles`.',
      example: '--was knowledge-base',
    },
    synonyms: {
      value: value.name,
      unset: 'synonyms.txt beside the articles',
      describe:
        'Words that mean the same, for the causes of gaps. A text file with a line for each group: ' +
        '`laptop, notebook`.',
      example: '--articles kb --synonyms words.txt',
      ...judge,
      config: 'target',
    },
    decisions: {
      value: value.name,
      unset: 'decisions.csv beside the runs, or beside their folder',
      describe:
        'Which article answers a gap, as people decided. A table (CSV, .xlsx) with the columns `article` ' +
        '(an id, or `none`), and `id` or `message`; `by` and `at` say who and when.',
      example: '--articles kb --decisions decisions.csv',
      ...judge,
      config: 'target',
    },
    embeddings: {
      value: value.name,
      describe:
        'Vectors for the causes of gaps, from this address. An embeddings endpoint in the form of OpenAI ' +
        '(`POST URL/embeddings`), such as a local Ollama. It gets questions, titles and headings of ' +
        'articles, each once, and nothing else. Its key stands in `ASSIST_EMBEDDINGS_KEY`.',
      example: '--embeddings http://localhost:11434/v1 --embeddings-model all-minilm',
      ...judge,
    },
    embeddingsModel: {
      value: value.name,
      describe: 'The model of --embeddings.',
      example: '--embeddings http://localhost:11434/v1 --embeddings-model all-minilm',
      ...judge,
    },
    baseline: {
      value: value.name,
      describe: 'Compare with this run, and fail if worse. `--fail-on` says what counts as worse.',
      example: '--baseline accepted',
      ...judge,
    },
    requireBaseline: {
      ...flag,
      describe:
        'Without the baseline, send nothing. A missing baseline is an error (2) instead of a note. It ' +
        'guards a nightly run against a lost one.',
      example: '--baseline accepted --require-baseline',
      phase: 'judge',
      ...inFile,
    },
    failOn: {
      value: value.rules,
      unset: DEFAULT_RULES.join(','),
      describe:
        'Gates. What fails the comparison: `must-pass`, `grounding`, `verdicts`, `newly-failing` (any ' +
        'question), `availability`, `latency` (p95 slower by a fifth), `quota` (a tenth more calls per ' +
        'question), or `none`.',
      example: '--fail-on must-pass,latency',
      ...judge,
    },
    passPolicy: {
      value: value.choice(PASS_POLICIES),
      default: 'all',
      describe:
        'Repeats that must pass. With `--repeat`: a question passes if `all` of its answers do, the ' +
        '`majority`, or `any`.',
      example: '--pass-policy majority',
      ...judge,
    },
    groundedSources: {
      value: value.commaSeparated,
      default: ['KNOWLEDGE_BASE'],
      describe: 'What counts as grounded. Values of `contextSource`, separated by commas.',
      example: '--grounded-sources FAQ,WIKI',
      ...judge,
      config: 'target',
    },
    reviews: {
      value: value.names,
      describe:
        'Reviews of answers, carried over (repeatable). A run folder, which gives all that it carries, or ' +
        'a table (CSV, .xlsx) with the columns `id`, `answer`, `review` and `note`, such as an edited ' +
        '`results.xlsx`. A review is carried to the same answer.',
      example: '--reviews reports/tuesday',
      phase: 'judge',
      ...inFile,
    },
    quota: {
      value: value.count,
      describe:
        'Monthly allowance of AI calls, to show the share. Reports show which share of it the run used, ' +
        'and what a nightly run would use.',
      example: '--quota 10000',
      ...judge,
      config: 'target',
    },
    ledger: {
      value: value.names,
      describe:
        "Check calls against a usage export (repeatable). The organization's own usage export: CSV, .xlsx " +
        'or JSON.',
      example: '--ledger usage.csv',
    },
  },
  Output: {
    out: {
      value: value.name,
      describe:
        'Folder to write. Default: a new folder in `reports`, named by time and question set. `history` ' +
        'writes `history.csv` into the folder of the runs, `draft` a file, `questions.csv` by default.',
      example: '--out reports/nightly',
      ...inFile,
    },
    continue: {
      ...flag,
      describe:
        'With --out: finish the run there, or start it. What a retried job needs. A run of another set, or ' +
        "one that has been complete for more than 12 hours (last night's), is an error.",
      example: '--out "reports/$(date -u +%F)" --continue',
    },
    resume: {
      value: value.name,
      describe: 'Finish a run that stopped early. Sends the turns that have no outcome yet.',
      example: '--resume reports/nightly',
    },
    retryErrors: {
      ...flag,
      describe:
        'With --resume: send failed conversations again. Sends whole conversations in which a turn ended ' +
        'in an error.',
      example: '--resume reports/nightly --retry-errors',
    },
    json: {
      ...flag,
      describe: 'Print the figures as JSON on stdout. An array with several targets.',
      ...inFile,
    },
    excel: {
      ...flag,
      describe:
        'Also write results.xlsx, one sheet for each table. `Results`, `Gaps`, `Changes` and `Articles`, ' +
        'as the run has them. Rate answers in its column `review`, and name the edited copy with ' +
        '`--reviews`.',
      ...inFile,
    },
    open: {
      ...flag,
      describe: 'Open the report page in the browser at the end.',
      ...inFile,
    },
    debug: {
      ...flag,
      describe: 'Print a line on stderr for each attempt.',
      ...inFile,
    },
    logFormat: {
      value: value.choice(['text', 'json']),
      default: 'text',
      describe:
        'Notes and progress on stderr as text or as lines of JSON. `json`: one object an event, with its ' +
        "time and the fields of the library's events; texts of questions and answers only with --debug.",
      example: '--log-format json',
      ...inFile,
    },
    metrics: {
      value: value.listenAddress,
      describe:
        'Serve Prometheus metrics while it lasts. `GET /metrics` on this port of this machine, or on ' +
        'HOST:PORT. `run.prom` and `load.prom` hold the last state.',
      example: '--metrics 9464',
      ...inFile,
    },
    config: {
      value: value.name,
      describe:
        'Config file (YAML). It holds options in camelCase, and targets. `run`, `load`, `estimate` and ' +
        '`view` read `assist-harness.yaml` if it is there. The file of `sandbox` is another: it holds ' +
        'keys, limits, latency and faults.',
      example: '--config nightly.yaml',
    },
  },
  Advanced: {
    onAmbiguous: {
      value: value.choice(['restart', 'fail']),
      default: 'restart',
      describe:
        'After a lost answer, fail. A call that may have been processed is ambiguous. `restart` sends its ' +
        'conversation again, once, as a fresh one. `fail` records the error.',
      example: '--on-ambiguous fail',
      ...ask,
      config: 'target',
    },
    rotatingIds: {
      ...flag,
      describe:
        'A changed conversation id is not a lost context. For endpoints that return a new conversation id ' +
        'each turn.',
      ...ask,
      config: 'target',
    },
    hashEndUserRefs: {
      ...flag,
      describe:
        'Send end_user_ref as an HMAC (ASSIST_HASH_KEY). HMAC-SHA-256, with the key in the variable ' +
        '`ASSIST_HASH_KEY`. The raw value is written nowhere.',
      ...ask,
    },
    seed: {
      value: value.seed,
      default: 1,
      describe: 'Seed of everything random. It decides the sample, and the think times of `load`.',
      example: '--sample 20 --seed 7',
      ...ask,
    },
    alpha: {
      value: value.level,
      default: 0.05,
      describe:
        'Chance of a false alarm. The chance that a comparison fails although nothing changed. All gates ' +
        'share it.',
      example: '--alpha 0.01',
      ...judge,
    },
    margin: {
      value: value.points,
      default: 0.02,
      describe:
        'Tolerated drop in points. A comparison fails only on a drop that is larger than this and larger ' +
        'than noise.',
      example: '--margin 5',
      ...judge,
    },
    minOverlap: {
      value: value.shareOfAll,
      default: 0.5,
      describe: 'Questions both runs must share. With fewer, every gate of the comparison fails.',
      example: '--min-overlap 80%',
      ...judge,
    },
  },
  Load: {
    arrivalRate: {
      value: value.arrivalRate,
      describe:
        'Rate of new conversations. Slow answers do not slow it down. With `--stages`, the rate to start ' +
        'from (0/s unless given).',
      example: '--arrival-rate 2/s --duration 5m',
      ...plan,
    },
    duration: {
      value: value.duration,
      describe:
        'How long new conversations start. With `--find-limit`: how long the search may take (10m unless ' +
        'given).',
      example: '--duration 10m',
      ...plan,
    },
    stages: {
      value: value.stages,
      describe:
        'Ramp the arrival rate, as TIME:RATE,TIME:RATE. The rate goes to RATE in a straight line within ' +
        'TIME.',
      example: '--stages 30s:5/s,1m:5/s',
      ...plan,
    },
    thinkTime: {
      value: value.thinkTime,
      default: { kind: 'constant', ms: 0 },
      describe: 'Pause before a follow-up question. A time, `uniform:FROM:TO`, or `lognormal:MEDIAN:P95`.',
      example: '--think-time uniform:1s:5s',
      ...plan,
    },
    maxInFlight: {
      value: value.callsAtOnce,
      default: 512,
      describe:
        'Maximum calls in flight. A conversation that is due when they are all in use is dropped, and ' +
        'counted. With `--find-limit`: 64 unless given.',
      example: '--max-in-flight 200',
      ...place,
    },
    users: {
      value: value.callsAtOnce,
      describe:
        'Instead of a rate: this many users in a loop. Each user starts a conversation when the last one ' +
        'is over.',
      example: '--users 10 --duration 5m',
      ...plan,
    },
    findLimit: {
      ...flag,
      describe:
        'Instead of a load test: search for the rate limit. It stays within `--max-calls`, ' +
        '`--max-in-flight` and `--duration`, and sends at most 50 calls a second.',
      example: '--find-limit --max-calls 300',
      ...plan,
    },
  },
  Draft: {
    limit: {
      value: value.count,
      describe:
        'At most this many questions: a random sample of the tickets, stratified by their category. ' +
        'Each has the weight of the tickets that it stands for.',
      example: '--limit 200',
    },
  },
  Server: {
    port: {
      value: value.port,
      default: 8787,
      describe: 'Port to listen on; 0 takes any. `view` takes any, too, where its own is in use.',
      example: '--port 0',
    },
    noOpen: {
      ...flag,
      describe: 'Only print the address. By default the browser opens it.',
    },
    readOnly: {
      ...flag,
      describe: 'Change nothing and send nothing. For a shared machine behind a proxy.',
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Option>>>>

export const OPTIONS = {
  ...SECTIONS.Target,
  ...SECTIONS['Pace and budget'],
  ...SECTIONS.Questions,
  ...SECTIONS.Judging,
  ...SECTIONS.Output,
  ...SECTIONS.Advanced,
  ...SECTIONS.Load,
  ...SECTIONS.Draft,
  ...SECTIONS.Server,
}

export type Options = typeof OPTIONS
export type OptionName = keyof Options

export const optionEntries = Object.entries<Option>(OPTIONS) as [OptionName, Option][]

export function shownDefault({ value: typed, default: byDefault, unset }: Option): string | undefined {
  const isNone = byDefault === undefined || (Array.isArray(byDefault) && byDefault.length === 0)
  return isNone ? unset : typed.write(byDefault)
}

export const exampleOf = (name: string, { example = asTyped(name) }: Option): string => example

export const isFlag = (option: Option): boolean => option.value === value.flag

export const isList = (option: Option): boolean => option.value.isList === true
