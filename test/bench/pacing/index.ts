// `npm run bench -- pacing [calls..]`: every scenario in virtual time, ours beside an even pace, then our classes beside
// the goals, in virtual time what pacing-http measures, then several of ours on one limit.
import { printFairness } from './fairness.ts'
import { printFast } from './fast.ts'
import { count, even, type Column } from './measure.ts'
import { ours } from './ours.ts'
import { printGoals, printTable } from './table.ts'

/** The bench is for trying things out: fewer runs a minute than this, and nobody does. */
const LEAST_RUNS_A_MINUTE = 1000

const auto: Column = (_, random) => ours(random)
const known: Column = (scenario, random) =>
  scenario.known === undefined ? undefined : ours(random, { known: scenario.known })

const columns: Record<string, Column> = {
  'ours auto': auto,
  'minTime (known)': (scenario) => (scenario.known === undefined ? undefined : even(scenario.known)),
  'ours --rate': known,
}

const started = performance.now()
const asked = process.argv
  .slice(2)
  .map(Number)
  .filter((calls) => calls > 0)
for (const calls of asked.length > 0 ? asked : [1000]) printTable(columns, calls)
printGoals(auto, known)
printFast()
printFairness()
const seconds = (performance.now() - started) / 1000
const aMinute = (count.runs / seconds) * 60
console.log(
  `\n${count.runs} runs in ${seconds.toFixed(1)} s: ${aMinute.toFixed(0)} a minute (Node ${process.version}), ` +
    `at least ${LEAST_RUNS_A_MINUTE}: ${aMinute >= LEAST_RUNS_A_MINUTE ? 'kept' : 'NOT kept'}`,
)
