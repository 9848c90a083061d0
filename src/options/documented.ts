// Generated from src/options/table.ts. Change that file, then run npm run build:package.

type Text = string | number
type List = Text | readonly Text[]

/** Options of all commands, written as in the config file. */
export interface DocumentedOptions {
  /** Address of the desk (or ASSIST_BASE_URL). A user name or password in it is rejected. */
  readonly baseUrl?: Text | undefined
  /**
   * Variable with the key. It names the environment variable that holds the API key. A key is never an
   * argument. Default: ASSIST_API_KEY.
   */
  readonly apiKeyEnv?: Text | undefined
  /**
   * Further request header, NAME: $VARIABLE. A key of a gateway, or a tenant. Its value comes from the
   * environment variable, and is masked like the key.
   */
  readonly header?: List | undefined
  /** Client certificate (mTLS), a PEM file. Needs `--client-key`. */
  readonly clientCert?: Text | undefined
  /** Private key of the client certificate. A PEM file without a passphrase. */
  readonly clientKey?: Text | undefined
  /** Target of the config file. Several targets run side by side. */
  readonly target?: List | undefined
  /** Articles of the sandbox. A folder of Markdown files, one article each. Default: shipped ones. */
  readonly kb?: Text | undefined
  /** Share one rate limit. Targets with the same name share one limiter. Default: per URL and key. */
  readonly organization?: Text | undefined
  /** Allow http:// to hosts other than this machine. Others on the network can read the key. */
  readonly allowHttp?: boolean | undefined
  /**
   * auto, unlimited, or a known rate. `auto` finds the limit and stays just below it. `unlimited` does
   * not pace. A rate is `5/s`, `60/min` or `1000/h`. Default: auto.
   */
  readonly rate?: Text | undefined
  /** Use at most this share of the limit. The rest is left to live users. Default: 1. */
  readonly share?: Text | undefined
  /**
   * Maximum calls in flight. Counted per organization. `auto` allows as many as the pace needs. Default:
   * auto.
   */
  readonly concurrency?: Text | undefined
  /**
   * Share the pace through Redis. `local`: this process paces alone. `redis`: all processes of the
   * organization that use the same Redis (`ASSIST_REDIS_URL`) share one pace. Default: local.
   */
  readonly limiter?: 'local' | 'redis' | undefined
  /**
   * Stop after this many calls, retries included. The count covers all sessions of a run. `load` needs
   * this option for a host other than this machine. On this machine, `load --find-limit` uses 2000 by
   * default. In `view` it counts all calls of the session; by default 200 to other machines.
   */
  readonly maxCalls?: Text | undefined
  /**
   * Stop once no answer to come can change the exit code. `must_pass` questions are sent first, then
   * whole conversations in random order (`--seed`). `--resume` sends the rest. Gates that only the end
   * decides, such as a latency or the rules of a baseline, are named at the start.
   */
  readonly untilDecided?: boolean | undefined
  /**
   * At the end, send each conversation in which a question newly fails, or newly lost its grounding,
   * this many times more. The majority of its answers counts. Without a baseline: those with a failed
   * `must_pass` question. Stays within `--max-calls`. Default: 0.
   */
  readonly confirm?: Text | undefined
  /**
   * Stop after this long with nothing but 429s and failures, and at once when the endpoint names a wait
   * longer than what is left of it. Before the first answer of a session it is at most one minute. 429s
   * of one error.code after which no question was ever answered end a run after 3 minutes. Default: 30m.
   */
  readonly giveUpAfter?: Text | undefined
  /**
   * Time limit of one attempt. It runs from sending the request to the last byte of the answer. Default:
   * 120s.
   */
  readonly timeout?: Text | undefined
  /** Only conversations with this tag. */
  readonly tag?: List | undefined
  /**
   * Only conversations that match this pattern. A regular expression. Case does not matter. One matching
   * question selects its whole conversation.
   */
  readonly grep?: Text | undefined
  /** Only a random sample of conversations. The same seed draws the same sample. */
  readonly sample?: Text | undefined
  /**
   * Send each question this many times. Each repeat is a fresh conversation. Repeats tell flaky
   * questions from changed ones. Default: 1.
   */
  readonly repeat?: Text | undefined
  /**
   * Only this shard of the set; merge joins them. Shard I of N, for N machines side by side.
   * `--max-calls` is divided among the shards.
   */
  readonly shard?: Text | undefined
  /**
   * Format of the sets. `native`, or the tool that made them: `promptfoo`, `copilot-test-set`,
   * `copilot-results`, `pairs`. Default: detected.
   */
  readonly format?: Text | undefined
  /**
   * Read a column of the file as a known one. The name of the known column, and the header in the file.
   * `title`, `body`, `url`, `language` and `status` are columns of `--articles`, `subject` is one of an
   * export of tickets.
   */
  readonly column?: List | undefined
  /**
   * Gate on a figure of the summary. A threshold on `passed` replaces the rule that every failed
   * expectation fails the run. One on `errors` replaces the rule for errors.
   */
  readonly threshold?: List | undefined
  /**
   * The organization's own articles, for the causes of gaps. A folder of `.md`, `.html` and `.txt`
   * files, or an export as `.csv`, `.xlsx` or `.json`. Nothing is sent anywhere. Default: those of the
   * sandbox.
   */
  readonly articles?: Text | undefined
  /** Compare with this run, and fail if worse. `--fail-on` says what counts as worse. */
  readonly baseline?: Text | undefined
  /**
   * Without the baseline, send nothing. A missing baseline is an error (2) instead of a note. It guards
   * a nightly run against a lost one.
   */
  readonly requireBaseline?: boolean | undefined
  /**
   * Gates. What fails the comparison: `must-pass`, `grounding`, `verdicts`, `newly-failing` (any
   * question), `availability`, `latency` (p95 slower by a fifth), `quota` (a tenth more calls per
   * question), or `none`. Default: must-pass,grounding,verdicts.
   */
  readonly failOn?: List | undefined
  /**
   * Repeats that must pass. With `--repeat`: a question passes if `all` of its answers do, the
   * `majority`, or `any`. Default: all.
   */
  readonly passPolicy?: 'all' | 'majority' | 'any' | undefined
  /** What counts as grounded. Values of `contextSource`, separated by commas. Default: KNOWLEDGE_BASE. */
  readonly groundedSources?: List | undefined
  /**
   * Reviews of answers, carried over. A run folder, which gives all that it carries, or a table (CSV,
   * .xlsx) with the columns `id`, `answer`, `review` and `note`, such as an edited `results.xlsx`. A
   * review is carried to the same answer.
   */
  readonly reviews?: List | undefined
  /**
   * Monthly allowance of AI calls, to show the share. Reports show which share of it the run used, and
   * what a nightly run would use.
   */
  readonly quota?: Text | undefined
  /**
   * Mark questions that changed before. Earlier runs, or a folder of runs. Questions that also changed
   * their grounding there are marked.
   */
  readonly history?: List | undefined
  /** Check calls against a usage export. The organization's own usage export: CSV, .xlsx or JSON. */
  readonly ledger?: List | undefined
  /**
   * Folder to write. Default: a new folder in `reports`, named by time and question set. `history`
   * writes `history.csv` into the folder of the runs, `draft` a file, `questions.csv` by default.
   */
  readonly out?: Text | undefined
  /**
   * With --out: finish the run there, or start it. What a retried job needs. A run of another set, or
   * one that has been complete for more than 12 hours (last night's), is an error.
   */
  readonly continue?: boolean | undefined
  /** Finish a run that stopped early. Sends the turns that have no outcome yet. */
  readonly resume?: Text | undefined
  /**
   * With --resume: send failed conversations again. Sends whole conversations in which a turn ended in
   * an error.
   */
  readonly retryErrors?: boolean | undefined
  /**
   * Also write results.xlsx, one sheet for each table. `Results`, `Gaps`, `Changes` and `Articles`, as
   * the run has them. Rate answers in its column `review`, and name the edited copy with `--reviews`.
   */
  readonly excel?: boolean | undefined
  /**
   * Serve Prometheus metrics while it lasts. `GET /metrics` on this port of this machine, or on
   * HOST:PORT. `run.prom` and `load.prom` hold the last state.
   */
  readonly metrics?: Text | undefined
  /**
   * After a lost answer, fail. A call that may have been processed is ambiguous. `restart` sends its
   * conversation again, once, as a fresh one. `fail` records the error. Default: restart.
   */
  readonly onAmbiguous?: 'restart' | 'fail' | undefined
  /**
   * A changed conversation id is not a lost context. For endpoints that return a new conversation id
   * each turn.
   */
  readonly rotatingIds?: boolean | undefined
  /**
   * Send end_user_ref as an HMAC (ASSIST_HASH_KEY). HMAC-SHA-256, with the key in the variable
   * `ASSIST_HASH_KEY`. The raw value is written nowhere.
   */
  readonly hashEndUserRefs?: boolean | undefined
  /** Seed of everything random. It decides the sample, and the think times of `load`. Default: 1. */
  readonly seed?: Text | undefined
  /**
   * Chance of a false alarm. The chance that a comparison fails although nothing changed. All gates
   * share it. Default: 0.05.
   */
  readonly alpha?: Text | undefined
  /**
   * Tolerated drop in points. A comparison fails only on a drop that is larger than this and larger than
   * noise. Default: 2.
   */
  readonly margin?: Text | undefined
  /** Questions both runs must share. With fewer, every gate of the comparison fails. Default: 50%. */
  readonly minOverlap?: Text | undefined
  /**
   * Rate of new conversations. Slow answers do not slow it down. With `--stages`, the rate to start from
   * (0/s unless given).
   */
  readonly arrivalRate?: Text | undefined
  /**
   * How long new conversations start. With `--find-limit`: how long the search may take (10m unless
   * given).
   */
  readonly duration?: Text | undefined
  /** Ramp the arrival rate, as TIME:RATE,TIME:RATE. The rate goes to RATE in a straight line within TIME. */
  readonly stages?: List | undefined
  /** Pause before a follow-up question. A time, `uniform:FROM:TO`, or `lognormal:MEDIAN:P95`. Default: 0. */
  readonly thinkTime?: Text | undefined
  /**
   * Maximum calls in flight. A conversation that is due when they are all in use is dropped, and
   * counted. With `--find-limit`: 64 unless given. Default: 512.
   */
  readonly maxInFlight?: Text | undefined
  /**
   * Instead of a rate: this many users in a loop. Each user starts a conversation when the last one is
   * over.
   */
  readonly users?: Text | undefined
  /**
   * Instead of a load test: search for the rate limit. It stays within `--max-calls`, `--max-in-flight`
   * and `--duration`, and sends at most 50 calls a second.
   */
  readonly findLimit?: boolean | undefined
  /**
   * At most this many questions or conversations. Those that stand for most tickets, of similar ones one
   * first; a twentieth is a random sample of the rest.
   */
  readonly limit?: Text | undefined
  /** Keep whole conversations. All that a person wrote in a ticket or chat, instead of its question. */
  readonly conversations?: boolean | undefined
  /**
   * Leave personal data as they are. By default e-mail addresses, telephone, card and account numbers,
   * addresses with a query, and names in greetings and signatures are masked.
   */
  readonly noMask?: boolean | undefined
  /** Port to listen on; 0 takes any. `view` takes any, too, where its own is in use. Default: 8787. */
  readonly port?: Text | undefined
  /** Only print the address. By default the browser opens it. */
  readonly noOpen?: boolean | undefined
  /** Change nothing and send nothing. For a shared machine behind a proxy. */
  readonly readOnly?: boolean | undefined
}
