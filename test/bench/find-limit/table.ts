// The tables of the bench: a row for each limiter, over all seeds.
import type { LimitFinding } from '../../../src/domain/limit-finding.ts'
import { errorsOf, searchOnce } from './measure.ts'
import { inferFromRecord, type Manner } from './passive.ts'
import type { Scenario } from './scenarios.ts'

export const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Middle and worst of the errors' sizes, in %. */
function spread(values: readonly (number | undefined)[]): string {
  const sizes = values.flatMap((value) => (value === undefined ? [] : Math.abs(value)))
  return sizes.length === 0 ? '–' : `${middle(sizes).toFixed(1)}/${Math.max(...sizes).toFixed(0)}`
}

const share = (count: number, all: number): string => ((count / all) * 100).toFixed(0)

function figures(findings: readonly LimitFinding[], { truth }: Scenario): string[] {
  const errors = findings.map((finding) => errorsOf(finding, truth))
  const all = findings.length
  const others = findings.flatMap(({ foreignPerSecond }) => foreignPerSecond?.value ?? [])
  const sure = errors.filter((_, place) => findings[place]?.confidence === 'high')
  return [
    share(errors.filter(({ isWithin }) => isWithin).length, all).padStart(8),
    share(errors.filter(({ kindIsRight }) => kindIsRight).length, all).padStart(6),
    share(errors.filter(({ isCovered }) => isCovered).length, all).padStart(6),
    `${sure.filter(({ isWithin }) => isWithin).length}/${sure.length}`.padStart(8),
    spread(errors.map(({ perSecond }) => perSecond)).padStart(11),
    spread(errors.map(({ windowMs }) => windowMs)).padStart(11),
    spread(errors.map(({ burst }) => burst)).padStart(11),
    (others.length > 0 ? `${middle(others).toFixed(2)} (${others.length})` : '–').padStart(12),
  ]
}

const HEAD = `${'in goal'.padStart(8)}  kind  true    sure   rate err  window err  burst err     others/s`

export function printSearches(scenarios: readonly Scenario[], seeds: readonly number[]): void {
  console.log(
    `\nThe search (${seeds.length} seeds). In goal: rate within 5 %, window and burst within 20 %, in % of the seeds.`,
  )
  console.log(
    'Kind: named rightly. True: the true rate and window lie in the intervals given. Sure: in goal of those with',
  )
  console.log('high confidence. Errors in %: middle/worst. Others/s: middle of those estimated (how many).\n')
  console.log(`${'limiter'.padEnd(36)}${HEAD}   calls/budget  most  known  429s  seconds  judging ms`)
  for (const scenario of scenarios) {
    const searched = seeds.map((seed) => searchOnce(scenario, seed))
    const calls = searched.map((one) => one.calls)
    console.log(
      [
        scenario.name.padEnd(36),
        ...figures(
          searched.map(({ finding }) => finding),
          scenario,
        ),
        `${middle(calls)}/${scenario.budget}`.padStart(15),
        String(Math.max(...calls)).padStart(6),
        share(searched.filter(({ why }) => why === 'known').length, seeds.length).padStart(7),
        middle(searched.map(({ refused }) => refused))
          .toFixed(0)
          .padStart(6),
        middle(searched.map(({ seconds }) => seconds))
          .toFixed(0)
          .padStart(9),
        Math.max(...searched.map(({ judgeMs }) => judgeMs))
          .toFixed(0)
          .padStart(12),
      ].join(''),
    )
  }
}

export function printRecords(
  scenarios: readonly Scenario[],
  seeds: readonly number[],
  manner: Manner,
  calls: number,
): void {
  const what = manner === 'run' ? 'paced runs, few refusals' : 'a load of 16 at once that does not hold back'
  console.log(`\nPassively, from ${calls} calls of ${what} (${seeds.length} seeds)\n`)
  console.log(`${'limiter'.padEnd(36)}${HEAD}   429s`)
  for (const scenario of scenarios) {
    const findings = seeds.map((seed) => inferFromRecord(scenario, manner, calls, seed))
    const refusals = middle(findings.map(({ evidence }) => evidence.refusals))
    console.log(
      [scenario.name.padEnd(36), ...figures(findings, scenario), String(refusals).padStart(7)].join(''),
    )
  }
}
