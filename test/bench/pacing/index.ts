// `npm run bench -- pacing [WORD..]`: our pace in virtual time on the classes of limits whose names have these
// words. A share is of a paced ideal, a client that knows the sustained rate and sends evenly. `--quick`: four
// seeds of those tuned on (1 to 599); without it 32 that nobody tuned on. `--shapes` shows the shapes of each
// class, `--known` has `--rate`, `--ablate` what each constant buys.
import { parseArgs } from 'node:util'
import { ablate } from './ablate.ts'
import { classes } from './classes.ts'
import { type Figures, figuresOf, isReached, measureShape } from './measure.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    ablate: { type: 'boolean', default: false },
    known: { type: 'boolean', default: false },
    shapes: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    seeds: { type: 'string' },
    calls: { type: 'string', default: '1000' },
  },
})

const [first = 0, last = first] = (values.seeds ?? (values.quick ? '501-504' : '7001-7032'))
  .split('-')
  .map(Number)
const seeds = Array.from({ length: last - first + 1 }, (_, index) => first + index)
const calls = Number(values.calls)
const chosen = classes.filter(({ name }) => positionals.every((word) => name.includes(word)))

const COLUMNS = ['mean', 'median', 'p10-p90', '429s', 'lost', 'p95 x', 'goal']
const line = (name: string, cells: readonly string[]): void =>
  console.log(`${name.padEnd(36)}${cells.map((cell) => cell.padStart(10)).join('')}`)
const cellsOf = ({ share, median, spread, refused, lost, p95 }: Figures): string[] => [
  share.toFixed(1),
  median.toFixed(1),
  spread.map((value) => value.toFixed(0)).join('-'),
  refused.toFixed(2),
  lost.toFixed(1),
  p95.toFixed(1),
]

const start = performance.now()
if (values.ablate) {
  const words = [`--calls=${calls}`, `--seeds=${seeds[0]}-${seeds.at(-1)}`]
  await ablate(words, positionals[0])
} else if (values.json) {
  const byClass = classes.map(({ name, shapes }) => {
    const ofSeed = (seed: number) => figuresOf(shapes.map((shape) => measureShape(shape, seed, { calls })))
    return [name, seeds.map(ofSeed)] as const
  })
  console.log(JSON.stringify(Object.fromEntries(byClass)))
} else {
  console.log(`share of a paced ideal and 429s, in %; ${calls} calls, seeds ${seeds[0]} to ${seeds.at(-1)}\n`)
  line(values.known ? 'rate stated' : 'rate unknown', COLUMNS)
  for (const limitClass of chosen) {
    const shapes = limitClass.shapes.filter(({ known }) => !values.known || known !== undefined)
    if (shapes.length === 0) continue
    const runs = shapes.map((shape) =>
      seeds.map((seed) => measureShape(shape, seed, { calls, isKnown: values.known })),
    )
    const figures = figuresOf(runs.flat())
    const { share, refused } = limitClass.goal
    const verdict = isReached(limitClass, figures) ? 'reached' : 'missed'
    line(limitClass.name, [...cellsOf(figures), ...(values.known ? [] : [`${share} / ${refused}`, verdict])])
    if (values.shapes)
      for (const [index, { name }] of shapes.entries())
        line(`  ${name}`, cellsOf(figuresOf(runs[index] ?? [])))
  }
  console.log(`\n${((performance.now() - start) / 1000).toFixed(0)} s`)
}
