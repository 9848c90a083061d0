// The table of recorded runs: which folder, which command, and what it wrote.

export interface RecordedCase {
  /** The folder of this directory that holds what is expected, and the recorded runs unless `of` says otherwise. */
  readonly name: string
  readonly of?: string
  readonly words: readonly string[]
  /** Where the command writes. */
  readonly out: string
  readonly kind: 'run' | 'load' | 'limit' | 'comparison'
  /** So many turns that its tables are kept compressed, without JUnit. */
  readonly isLarge?: boolean
}

/** `more`: typed behind it, words apart by a blank. */
const report = (name: string, more = ''): RecordedCase => ({
  name,
  words: `report run ${more}`.trim().split(' '),
  out: 'run',
  kind: 'run',
})

const again = (of: string, name: string, more: string): RecordedCase => ({ ...report(name, more), of })

/** `candidates`: and what is typed behind them. */
const compare = (name: string, of: string, candidates: string): RecordedCase => ({
  name,
  of,
  words: `compare baseline ${candidates} --out comparison`.split(' '),
  out: 'comparison',
  kind: 'comparison',
})

export const RECORDED_CASES: readonly RecordedCase[] = [
  report('expectations'),
  again(
    'limited-with-headers',
    'thresholds-passed',
    '--threshold passed>=99% --threshold coverage[x]>=80% --threshold latency.p95<30s --threshold rate429<=60% --threshold wait.p95<1h --threshold turns.answered==24 --threshold quota.max<=100 --quota 1000',
  ),
  again(
    'expectations',
    'thresholds-failed',
    '--threshold passed>=99% --threshold coverage[vpn]>=99% --threshold quota.max<3 --threshold wait.p95<1h --threshold passed[vpn]>=1%',
  ),
  again('expectations', 'grounded-sources', '--grounded-sources KNOWLEDGE_BASE,FAQ'),
  again('expectations', 'must-pass-failed', '--threshold passed>=1%'),
  report('repeats'),
  again('repeats', 'repeats-majority', '--pass-policy majority'),
  again('repeats', 'must-pass-any', '--pass-policy any --threshold passed>=1% --threshold errors<=10%'),
  again('repeats', 'repeats-any', '--pass-policy any'),
  report('outcomes'),
  again('outcomes', 'outcomes-tolerated', '--threshold errors<=90% --quota 200'),
  report('ambiguous-fail'),
  report('lost-context'),
  report('rotating-ids'),
  report('restarts'),
  report('limited-with-headers'),
  report('limited-without-headers'),
  report('killed-and-resumed'),
  report('killed'),
  report('torn-line'),
  report('errors-retried'),
  {
    name: 'shards',
    words: ['merge', 'run-1', 'run-2', 'run-3', '--out', 'whole'],
    out: 'whole',
    kind: 'run',
  },
  { name: 'one-shard', of: 'shards', words: ['report', 'run-2'], out: 'run-2', kind: 'run' },
  report('reviews', '--reviews reviews.csv'),
  report('nothing-sent'),
  report('nothing-answered', '--threshold coverage>=1% --threshold latency.p95<30s --threshold errors<=100%'),
  report('unreachable'),
  report('key-rejected'),
  report('budget-reached'),
  report('interrupted'),
  report('hostile'),
  report('unknown-values'),
  { ...report('two-thousand'), isLarge: true },
  compare('compared', 'compared', 'candidate'),
  compare('compared-same', 'compared', 'again'),
  compare('compared-worse', 'compared', 'worse'),
  compare('compared-trend', 'compared', 'again worse'),
  compare('compared-any', 'compared', 'candidate --fail-on availability,latency,quota --margin 0'),
  compare('compared-kinds', 'compared-kinds', 'candidate'),
  compare('compared-single', 'compared-single', 'candidate'),
  compare('compared-slower', 'compared-slower', 'candidate --fail-on availability,latency,quota'),
  compare('compared-none', 'compared', 'candidate --fail-on none'),
  {
    name: 'baseline',
    of: 'compared',
    words: ['report', 'candidate', '--baseline', 'baseline'],
    out: 'candidate',
    kind: 'run',
  },
  { ...report('load'), kind: 'load' },
  {
    ...report('load-refused', '--threshold rate429<=1% --threshold response.p95<10s'),
    kind: 'load',
  },
  { ...report('load-killed'), kind: 'load' },
  { ...report('load-closed'), kind: 'load' },
  { ...report('limit'), kind: 'limit' },
  { ...report('limit-window'), kind: 'limit' },
  { ...report('limit-unmet'), kind: 'limit' },
]
