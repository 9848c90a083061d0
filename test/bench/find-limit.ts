// Searches for limits of 14 shapes in virtual time, each with parameters of its own. By default it takes seeds
// that nothing was tuned on. With DETAILS=1 it prints each search.
import type { LimitReport } from '../../src/domain/load.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { playSearch } from '../support/play-search.ts'
import { printGoal } from './goals.ts'
import { drawLimit, SHAPES, type Truth } from './limit-shapes.ts'
import { row } from './measured.ts'

const [firstSeed = '5000', searches = '4', only = ''] = process.argv.slice(2)

/** `right` and `wrong` are searches that end as known; `close` claims less, and is right within 10 %. */
function judge({ verdict, finding, secondRule }: LimitReport, { rules, inFlight }: Truth) {
  // A rule whose window is longer than what the search ruled out is none of its claims.
  const claimed = rules.filter(({ windowMs }) => windowMs <= (secondRule.ruledOutToMs ?? 0))
  const checked = verdict === 'known' && claimed.length > 0 ? claimed : rules
  const truth = inFlight ?? Math.min(...checked.map(({ perSecond }) => perSecond))
  let found = Number.NaN
  if ('inFlight' in finding && inFlight !== undefined) found = finding.inFlight
  if ('ratePerSecond' in finding && inFlight === undefined) found = finding.ratePerSecond
  const isRight = Math.abs(found / truth - 1) <= 0.1
  if (verdict === 'known') return isRight ? 'right' : 'wrong'
  return isRight ? 'close' : 'unknown'
}

const total = { right: 0, wrong: 0, close: 0, unknown: 0 }
for (const jitterMs of [4, 120]) {
  console.log(`\nwith up to ${jitterMs} ms of jitter each way`)
  row('', 'known', 'wrong', 'close', 'unknown', 'calls', 'seconds')
  for (const shape of SHAPES.filter((name) => name.includes(only))) {
    const ends = { right: 0, wrong: 0, close: 0, unknown: 0 }
    let [calls, ms] = [0, 0]
    for (let seed = Number(firstSeed); seed < Number(firstSeed) + Number(searches); seed += 1) {
      const { server, truth, what } = drawLimit(shape, seededRandom(seed))
      const { report } = await playSearch(server, { seed, jitterMs })
      const end = judge(report, truth)
      ends[end] += 1
      total[end] += 1
      calls += report.calls.sent
      ms += report.tookMs ?? 0
      if (process.env['DETAILS'] === '1')
        console.log(`  ${seed} ${what}: ${end}; ${report.reason}; ${JSON.stringify(report.finding)}`)
    }
    const mean = (sum: number): number => Math.round(sum / Number(searches))
    row(shape, ends.right, ends.wrong, ends.close, ends.unknown, mean(calls), mean(ms / 1000))
  }
}
const { right, wrong, close, unknown } = total
const all = right + wrong + close + unknown
console.log(`\n${all} searches: ${close} right and not known, ${unknown} not known`)
printGoal('limitWrong', wrong)
printGoal('limitKnown', (100 * right) / all)
