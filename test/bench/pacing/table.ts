// The tables of the pacing bench: a row for each scenario, and a row for each class with its goal.
import { type Column, classMean, measure, seeds } from './measure.ts'
import { GOAL_CALLS, goals, verdict, type Measured } from './goals.ts'
import { scenarios, type ScenarioClass } from './scenarios.ts'

const rate = (refused: number): string => refused.toFixed(refused < 10 ? 1 : 0)

const format = (measured: Measured | undefined): string =>
  measured === undefined ? '–' : `${measured.share.toFixed(0)}/${rate(measured.refused)}`

const formatOurs = (measured: Measured | undefined): string => {
  if (measured === undefined) return '–'
  const others = measured.others === undefined ? '' : ` (${measured.others.toFixed(0)})`
  return `${format(measured)}${others}`
}

export function printTable(columns: Record<string, Column>, calls: number): void {
  console.log(
    `\nShare of the sustained rate / 429s of all attempts, both in %, ${calls} calls, ${seeds.length} seeds (* hidden)`,
  )
  console.log('In brackets: the competitor’s calls admitted\n')
  const isOurs = (name: string): boolean => name.startsWith('ours')
  const width = (name: string): number => (isOurs(name) ? 21 : 15)
  console.log(
    ['scenario'.padEnd(34), ...Object.keys(columns).map((name) => name.padStart(width(name)))].join(''),
  )
  for (const scenario of scenarios) {
    const cells = Object.entries(columns).map(([name, column]) => {
      const measured = measure(scenario, column, calls)
      return (isOurs(name) ? formatOurs(measured) : format(measured)).padStart(width(name))
    })
    console.log([`${scenario.name}${scenario.hidden === true ? ' *' : ''}`.padEnd(34), ...cells].join(''))
  }
}

export function printGoals(auto: Column, known: Column): void {
  console.log(
    `\nOurs by class: share/429s at ${GOAL_CALLS.join(', ')} calls; known rate at 1,000 calls; what is below its goal\n`,
  )
  for (const kind of Object.keys(goals) as ScenarioClass[]) {
    const at = GOAL_CALLS.map((calls) => classMean(kind, auto, calls))
    const atKnown = classMean(kind, known, 1000)
    const others = at.at(-1)?.others
    const competitor = others === undefined ? '' : `competitor at 5000: ${others.toFixed(1)} %; `
    console.log(
      [
        kind.padEnd(30),
        ...[...at, atKnown].map((one) => format(one).padStart(10)),
        `   ${competitor}${verdict(goals[kind], at, atKnown)}`,
      ].join(''),
    )
  }
}
