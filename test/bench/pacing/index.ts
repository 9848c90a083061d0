// `npm run bench -- pacing [calls..]`: every scenario in virtual time, ours beside other clients; then our classes beside the goals;
// then the limits of pacing-http in virtual time.
import { printFast } from './fast.ts'
import { count, type Column } from './measure.ts'
import { ours } from './ours.ts'
import { additiveIncrease, awsAdaptive, even, naive } from './peers.ts'
import { printGoals, printTable } from './table.ts'

/** The bench must be fast enough to try things out. */
const LEAST_RUNS_A_MINUTE = 1000

const auto: Column = (_, random) => ours(random)
const known: Column = (scenario, random) =>
  scenario.known === undefined ? undefined : ours(random, { known: scenario.known })

const columns: Record<string, Column> = {
  'naive c16': (_, random) => naive(random),
  AIMD: (_, random) => additiveIncrease(random),
  'AWS adaptive': (_, random) => awsAdaptive(random),
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
const seconds = (performance.now() - started) / 1000
const aMinute = (count.runs / seconds) * 60
console.log(
  `\n${count.runs} runs in ${seconds.toFixed(1)} s: ${aMinute.toFixed(0)} a minute (Node ${process.version}), ` +
    `at least ${LEAST_RUNS_A_MINUTE}: ${aMinute >= LEAST_RUNS_A_MINUTE ? 'met' : 'NOT met'}`,
)
