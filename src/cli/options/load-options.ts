// Options that only `load` has, and those of `run` that it shares.
import { define, type OptionSpec } from './option-spec.ts'
import { arrivalRateValue, stagesValue, thinkTimeValue } from './load-values.ts'
import { choiceValue } from './choice.ts'
import { countUpTo } from './number-values.ts'
import { durationValue, knownRateValue } from './time-values.ts'
import { flagValue } from './values.ts'

const GROUP = 'What a load test offers:'

export const loadOptions = define({
  'arrival-rate': {
    kind: 'text',
    value: arrivalRateValue,
    placeholder: 'R',
    describe: 'Threads that arrive, whatever the answers do; with --stages the rate to start from',
    default: 'with --stages: 0/s',
    example: '--arrival-rate 2/s --duration 5m',
    config: 'run',
    group: GROUP,
  },
  stages: {
    kind: 'list',
    value: stagesValue,
    placeholder: 'D:R,..',
    describe:
      'The rate of arrivals goes in a straight line to R within D, from where it was; commas separate several, one after the other',
    example: '--arrival-rate 2/s --stages 30s:5/s,1m:5/s',
    config: 'run',
    group: GROUP,
  },
  arrivals: {
    kind: 'text',
    value: choiceValue(['constant', 'poisson']),
    placeholder: 'HOW',
    describe:
      'constant: threads arrive evenly; poisson: by chance, as people do who know nothing of each other (--seed)',
    default: 'constant',
    example: '--arrivals poisson',
    config: 'run',
    group: GROUP,
  },
  duration: {
    kind: 'text',
    value: durationValue,
    placeholder: 'D',
    describe:
      'How long threads arrive; stages have their own times. With --find-limit: how long the search may take',
    default: 'with --find-limit: 10m',
    example: '--duration 10m',
    config: 'run',
    group: GROUP,
  },
  'think-time': {
    kind: 'text',
    value: thinkTimeValue,
    placeholder: 'T',
    describe:
      'Between an answer and the next turn: a time, uniform:FROM:TO, or lognormal:MEDIAN:P95; with --users before each new thread, too',
    default: '0',
    example: '--think-time lognormal:5s:20s',
    config: 'run',
    group: GROUP,
  },
  'max-in-flight': {
    kind: 'text',
    value: countOfCallsValue(),
    placeholder: 'N',
    describe:
      'Calls in flight at most: a thread that is due without room is dropped and counted; a turn that goes on waits, and goes first',
    default: '512; with --find-limit: 64',
    example: '--max-in-flight 200',
    config: 'target',
    group: GROUP,
  },
  users: {
    kind: 'text',
    value: countOfCallsValue(),
    placeholder: 'N',
    describe:
      'So many users in a loop instead: each starts a thread when its last is over, so slow answers slow the questions; after a failure or a 429 it waits as long as Retry-After says (a minute at most), and a second or the think time at least',
    example: '--users 10 --duration 5m',
    config: 'run',
    group: GROUP,
  },
  'find-limit': {
    kind: 'flag',
    value: flagValue,
    describe:
      "Instead of a load: seek the organization's limit with as few calls as it takes, within --max-calls (600 on this machine, else to be said), --max-rate, --max-in-flight and --duration",
    example: '--find-limit --max-calls 300',
    config: 'run',
    group: GROUP,
  },
  'max-rate': {
    kind: 'text',
    value: knownRateValue,
    placeholder: 'R',
    describe: 'With --find-limit: calls are never sent faster; a limit above that is not met',
    default: '50/s',
    example: '--find-limit --max-rate 10/s',
    config: 'target',
    group: GROUP,
  },
})

/** More connections to one origin than a process has file descriptors for would only fail later. */
function countOfCallsValue() {
  return countUpTo(10_000, 'must be a whole number from 1 to 10000')
}

export const LOAD_OPTION_NAMES = Object.keys(loadOptions) as (keyof typeof loadOptions)[]

/** Options of `run` that mean the same to `load`. */
export const SHARED_WITH_LOAD = [
  'base-url',
  'api-key-env',
  'target',
  'sandbox',
  'kb',
  'organization',
  'allow-http',
  'max-calls',
  'give-up-after',
  'timeout',
  'format',
  'tag',
  'grep',
  'sample',
  'seed',
  'shard',
  'grounded-sources',
  'rotating-ids',
  'threshold',
  'quota',
  'out',
  'hash-end-user-refs',
  'json',
  'debug',
  'config',
] as const

/** What help of `load` says of options that it shares with `run`, where that is something else; the rest stands as it is. */
export const SAID_IN_LOAD: Readonly<
  Partial<
    Record<(typeof SHARED_WITH_LOAD)[number], Partial<Pick<OptionSpec, 'describe' | 'default' | 'example'>>>
  >
> = {
  target: {
    describe: 'The target of the config file to ask; a load test has one',
    example: '--target staging',
  },
  'max-calls': {
    describe: 'End the test after so many calls; must be given for an endpoint that is not on this machine',
    default: 'no end on this machine; with --find-limit: 600',
    example: '--max-calls 5000',
  },
  threshold: {
    describe:
      'A gate over a figure of load.json; repeat it for several. One on errors replaces the rule that every error fails the test',
    example: "--threshold 'response.p95<2s' --threshold 'dropped==0' --threshold 'rate429<=1%'",
  },
  shard: {
    describe:
      'Only part I of N of the set, for several generators side by side: each offers its own --arrival-rate and keeps its own --max-calls; load tests are not merged',
  },
  seed: {
    describe: 'Decides when threads arrive by chance (--arrivals poisson), think times and --sample',
  },
  quota: {
    describe:
      "The organization's allowance of AI calls: the share that the test uses is said before and after",
  },
  out: { describe: 'The run folder', example: '--out reports/load' },
  json: {
    describe: 'Print load.json (with --find-limit: limit.json) on stdout; words for people stay on stderr',
  },
}
