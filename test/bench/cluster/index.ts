// `npm run bench -- cluster [WORD..]`: 1, 3 and 8 processes of the built program on one Redis against one limit, beside their
// goals; only what has the words.
import { cpus } from 'node:os'
import { isReached, runScenario, type Scenario } from './processes.ts'

const bucket = { kind: 'token-bucket', limit: 15, window: '1s', burst: 15 }
const fixed = { kind: 'fixed-window', limit: 30, window: '2s' }
const sliding = { kind: 'sliding-window', limit: 150, window: '10s' }
const fast = { kind: 'token-bucket', limit: 300, window: '1s', burst: 300 }

const shapes = [
  ['token bucket 15/s b15', bucket, 15],
  ['fixed window 30/2s', fixed, 15],
  ['sliding window 150/10s', sliding, 15],
] as const

const scenarios: readonly Scenario[] = [
  ...[1, 3, 8].flatMap((processes) =>
    shapes.map(([shape, rule, perSecond]) => ({
      name: `${processes}, ${shape}, auto`,
      rule,
      perSecond,
      processes,
      calls: 1000,
    })),
  ),
  ...[3, 8].map((processes): Scenario => ({
    name: `${processes}, token bucket 15/s b15, --rate 15/s`,
    rule: bucket,
    perSecond: 15,
    processes,
    calls: 600,
    isKnown: true,
  })),
  ...(['one killed', 'one late', 'Redis stopped'] as const).map((happening): Scenario => ({
    name: `3, sliding window 150/10s, --rate 15/s, ${happening}`,
    rule: sliding,
    perSecond: 15,
    processes: 3,
    calls: 600,
    isKnown: true,
    happening,
  })),
  {
    name: '3, token bucket 300/s, --rate 300/s',
    rule: fast,
    perSecond: 300,
    processes: 3,
    calls: 3000,
    isKnown: true,
  },
]

const words = process.argv.slice(2)
console.log(`${cpus().length} cores, Node ${process.version}; threads of five`)
console.log('share: accepted calls against what the limit keeps up, from its first call to its last')
console.log('goals: share 95 %, 429s 2 %, Jain 0.95; a stopped Redis: all end with 4 and resume\n')
console.log(`${'processes, limit'.padEnd(56)}  calls  seconds    share     429s    Jain`)
for (const scenario of scenarios.filter(({ name }) => words.every((word) => name.includes(word)))) {
  const figures = await runScenario(scenario)
  const { accepted, seconds, share, refused, fairness, faults } = figures
  const cells = [
    String(accepted).padStart(7),
    seconds.toFixed(1).padStart(9),
    `${share.toFixed(1)} %`.padStart(9),
    `${refused.toFixed(2)} %`.padStart(9),
    fairness.toFixed(3).padStart(8),
    isReached(figures, scenario) ? '  reached' : '  below',
  ]
  console.log(`${scenario.name.padEnd(56)}${cells.join('')}`)
  for (const fault of faults) console.log(`  ${fault}`)
}
