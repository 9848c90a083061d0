// What the program makes of a recorded case: the command on a copy of the folder, and the figures and tables it wrote.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { runResident } from '../support/resident.ts'
import type { RecordedCase } from './cases.ts'
import { comparisonFigures, junitWithoutWords, limitFigures, loadFigures, runFigures } from './figures.ts'

export const recordedFolder = fileURLToPath(new URL('.', import.meta.url))

/** By file name; `expected.json` holds an object, the tables their text. */
export type Reckoned = Readonly<Record<string, unknown>>

const FIGURES = {
  run: ['summary.json', runFigures],
  load: ['load.json', loadFigures],
  limit: ['limit.json', limitFigures],
  comparison: ['comparison.json', comparisonFigures],
} as const

export async function reckon(recorded: RecordedCase, scratch: string): Promise<Reckoned> {
  const cwd = join(scratch, recorded.name)
  rmSync(cwd, { recursive: true, force: true })
  unpackRecorded(join(recordedFolder, recorded.of ?? recorded.name), cwd)
  const ended = await runResident(recorded.words, { cwd })
  const [file, figuresOf] = FIGURES[recorded.kind]
  const written = join(cwd, recorded.out, file)
  if (!existsSync(written)) throw new Error(`${recorded.name}: ${ended.stderr}`)
  const figures = figuresOf(parseRounded(readFileSync(written, 'utf8')) as Record<string, unknown>)
  return { 'expected.json': { exit: ended.code, ...figures }, ...tables(recorded, join(cwd, recorded.out)) }
}

/** Sums may be added up in another order: the ninth decimal says nothing. */
const parseRounded = (json: string): unknown =>
  JSON.parse(json, (_, value: unknown) => (typeof value === 'number' ? Number(value.toFixed(9)) : value))

function tables({ kind, isLarge = false }: RecordedCase, folder: string): Reckoned {
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
  if (kind === 'comparison') {
    // One for each candidate.
    const names = readdirSync(folder).filter((name) => /^comparison.*\.csv$/.test(name))
    return Object.fromEntries(names.map((name) => [name, read(name)]))
  }
  if (kind !== 'run') return {}
  if (isLarge) return { 'results.csv.gz': read('results.csv') }
  return { 'results.csv': read('results.csv'), 'junit.xml': junitWithoutWords(read('junit.xml')) }
}

/** Journals that would be large are kept compressed. */
function unpackRecorded(from: string, to: string): void {
  cpSync(from, to, { recursive: true })
  for (const name of readdirSync(to, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ndjson.gz')) continue
    writeFileSync(join(to, name.slice(0, -'.gz'.length)), gunzipSync(readFileSync(join(to, name))))
    rmSync(join(to, name))
  }
}

const EXPECTED = /^(expected\.json|results\.csv(\.gz)?|junit\.xml|comparison.*\.csv)$/

export function readExpected({ name }: RecordedCase): Reckoned {
  const folder = join(recordedFolder, name)
  const read = (file: string): unknown => {
    const bytes = readFileSync(join(folder, file))
    if (file.endsWith('.gz')) return gunzipSync(bytes).toString()
    return file.endsWith('.json') ? parseRounded(bytes.toString()) : bytes.toString()
  }
  const files = readdirSync(folder).filter((file) => EXPECTED.test(file))
  return Object.fromEntries(files.map((file) => [file, read(file)]))
}
