// `npm run bench:find-limit [word..]`: the search against each limiter in virtual time, then what records of runs and loads
// say by themselves; a word takes the limiters whose name has it. `--real`: some over HTTP against the sandbox. `--random`:
// limiters drawn at random. `LIMIT_SEEDS=1-20` takes other seeds than those of the table, which nothing was tuned on.
import { drawScenarios } from './draw.ts'
import { printReal } from './real.ts'
import { scenarios } from './scenarios.ts'
import { printRecords, printSearches } from './table.ts'

const [first = 3001, last = 3006] = (process.env['LIMIT_SEEDS'] ?? '3001-3006').split('-').map(Number)
const seeds = Array.from({ length: last - first + 1 }, (_, place) => first + place)
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const flags = new Set(process.argv.slice(2).filter((word) => word.startsWith('--')))
const wanted = scenarios.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
const RECORD_CALLS = 1000

if (flags.has('--real')) await printReal()
else if (flags.has('--random')) printSearches(drawScenarios(seeds), [first])
else {
  if (!flags.has('--passive')) printSearches(wanted, seeds)
  printRecords(wanted, seeds, 'run', RECORD_CALLS)
  printRecords(wanted, seeds, 'load', RECORD_CALLS)
}
