// `npm run bench -- cluster [--virtual] [WORD..]`: four processes on one Redis against one limit; only what has the words.
import { cpus } from 'node:os'
import type { Figures } from './measure.ts'
import { runScenario } from './processes.ts'
import { nameOf, scenarios } from './scenarios.ts'
import { playScenario } from './virtual.ts'

const SEEDS = [1, 2, 3, 4, 5]
const isVirtual = process.argv.includes('--virtual')
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const chosen = scenarios.filter((scenario) => words.every((word) => nameOf(scenario).includes(word)))

function print(name: string, { accepted, seconds, share, shareOfAll, refused, fairness }: Figures): void {
  const figures = [
    String(accepted).padStart(8),
    seconds.toFixed(1).padStart(9),
    `${share.toFixed(1)} %`.padStart(9),
    `${shareOfAll.toFixed(1)} %`.padStart(12),
    `${refused.toFixed(2)} %`.padStart(9),
    fairness.toFixed(3).padStart(8),
  ]
  console.log(`${name.padEnd(62)}${figures.join('')}`)
}

console.log(
  isVirtual
    ? `virtual time, mean of ${SEEDS.length} seeds; four processes, 1,000 calls`
    : `${cpus().length} cores, Node ${process.version}; four processes, threads of five; auto 1,000 calls, else 600`,
)
console.log(
  'share: accepted calls against what the limit keeps up from the first call to the last; with burst: and its whole burst\n',
)
console.log(
  `${'limit, begin, happening, limiter'.padEnd(62)}accepted  seconds    share  with burst    429s    Jain`,
)
if (isVirtual)
  for (const scenario of chosen.filter(({ limiter }) => limiter === 'redis')) {
    const all: Figures[] = []
    for (const seed of SEEDS) all.push(await playScenario(scenario, seed))
    const mean = (of: (figures: Figures) => number): number =>
      all.reduce((sum, figures) => sum + of(figures), 0) / all.length
    print(nameOf(scenario), {
      accepted: Math.round(mean(({ accepted }) => accepted)),
      seconds: mean(({ seconds }) => seconds),
      share: mean(({ share }) => share),
      shareOfAll: mean(({ shareOfAll }) => shareOfAll),
      refused: mean(({ refused }) => refused),
      fairness: mean(({ fairness }) => fairness),
    })
  }
else
  for (const scenario of chosen) {
    const { failed, ...figures } = await runScenario(scenario)
    print(nameOf(scenario), figures)
    if (failed > 0) console.log(`${failed} of its processes FAILED`)
  }
