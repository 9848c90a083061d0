// What each constant buys: the classes are measured again with other values, most of which switch a rule off.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { mean, type Figures } from './measure.ts'

type ByClass = Readonly<Record<string, readonly Figures[]>>

const ALTERNATIVES: readonly (readonly [constant: string, value: string])[] = [
  ['START_PER_SECOND', '2'],
  ['MARGIN', '1'],
  ['DOUBLING_MS', '350'],
  ['DIP', '0.015'],
  ['DIP', '0.06'],
  ['PLATEAU_MEMORIES', '0.8'],
  ['MAX_PLATEAU_CALLS', '60'],
  ['MAX_PLATEAU_CALLS', '240'],
  ['MIN_CALLS', '7'],
  ['MIN_CALLS', '30'],
  ['PLATEAU_WAITS', '0'],
  ['PLATEAU_WAITS', '4'],
  ['BURST_CALLS', '0'],
  ['BURST_CALLS', '6'],
  ['RETURN', '0'],
  ['RETURN', '0.7'],
  ['RETURN', '0.9'],
  ['MIN_CUT', '0.2'],
  ['MIN_CUT', '0.8'],
  ['HEAVY_MS', '1e9'],
  ['STREAK_CALLS', '0'],
  ['STREAK_CALLS', '20'],
  ['MAX_LUMPS', '120'],
  ['MAX_LUMPS', '30'],
  ['ROUND_WINDOWS', '[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600].map((s) => s * 1000)'],
  ['BACKOFF', '1.5'],
  ['BACKOFF', '2.5'],
  ['SILENCE_ROUND_TRIPS', '2'],
  ['MIN_SILENCE_MS', '75'],
  ['EVIDENCE', '2'],
]

/** Measures the classes with the constants changed, in a process of its own. */
async function measureWith(changes: string, words: readonly string[]): Promise<ByClass> {
  const [index, override] = ['index.ts', 'override.mjs'].map((file) =>
    fileURLToPath(new URL(file, import.meta.url)),
  )
  const typed = ['--import', 'tsx', '--import', override ?? '', index ?? '', '--json', ...words]
  const child = spawn(process.execPath, typed, {
    env: { ...process.env, PACING_CONSTANTS: changes },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  for await (const part of child.stdout) text += String(part)
  return JSON.parse(text) as ByClass
}

/** Prints how the mean of the classes changes, with its 95 % interval over the seeds, and who changes most. */
export async function ablate(words: readonly string[], only?: string): Promise<void> {
  const base = await measureWith('', words)
  const names = Object.keys(base)
  console.log(`${'constant'.padEnd(28)}        share           429s   classes that change most`)
  for (const [constant, value] of ALTERNATIVES.filter(([name]) => only === undefined || name === only)) {
    const other = await measureWith(`${constant}=${value}`, words)
    const changes = (name: string, figure: 'share' | 'refused'): number[] =>
      (other[name] ?? []).map((figures, seed) => figures[figure] - (base[name]?.[seed]?.[figure] ?? 0))
    const ofAll = (['share', 'refused'] as const).map((figure) => {
      const byClass = names.map((name) => changes(name, figure))
      return interval((byClass[0] ?? []).map((_, seed) => mean(byClass.map((each) => each[seed] ?? 0))))
    })
    const said = names
      .map((name) => [name, mean(changes(name, 'share')), mean(changes(name, 'refused'))] as const)
      .toSorted(
        (a, b) => Math.max(Math.abs(b[1]), 3 * Math.abs(b[2])) - Math.max(Math.abs(a[1]), 3 * Math.abs(a[2])),
      )
      .slice(0, 4)
      .map(([name, points, more]) => `${name} ${signed(points, 1)}/${signed(more, 2)}`)
    const cells = ofAll.map((text) => text.padStart(15))
    console.log(`${`${constant} = ${value}`.padEnd(28)}${cells.join('')}   ${said.join('; ')}`)
  }
}

function interval(values: readonly number[]): string {
  const middle = mean(values)
  const variance = values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1)
  return `${signed(middle, 2)} ± ${(1.96 * Math.sqrt(variance / values.length)).toFixed(2)}`
}

const signed = (value: number, digits: number): string => (value >= 0 ? '+' : '') + value.toFixed(digits)
