// Runs the command of a recorded case on a copy of its folder. Returns the figures and tables that it writes.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { runResident } from '../support/resident.ts'
import { recordedFolder, type RecordedCase } from './cases.ts'
import { comparisonFigures, junitWithoutWords, limitFigures, loadFigures, runFigures } from './figures.ts'

/** By file name: an object for `expected.json`, text for tables. */
export type CaseFiles = Readonly<Record<string, unknown>>

const FIGURES = {
  'summary.json': runFigures,
  'load.json': loadFigures,
  'limit.json': limitFigures,
  'comparison.json': comparisonFigures,
} as const
type FiguresFile = keyof typeof FIGURES

/** `whole` gets a report as it is written, with figures that the cases do not compare. */
export async function runCase(
  recorded: RecordedCase,
  scratch: string,
  whole: (report: unknown, file: string) => void = () => undefined,
): Promise<CaseFiles> {
  const cwd = join(scratch, recorded.name)
  rmSync(cwd, { recursive: true, force: true })
  unpackRecorded(join(recordedFolder, recorded.of), cwd)
  const ended = await runResident(recorded.words, { cwd })
  const folder = join(cwd, recorded.out)
  const files = Object.keys(FIGURES) as FiguresFile[]
  const file = files.find((name) => existsSync(join(folder, name)))
  if (file === undefined) throw new Error(`${recorded.name}: ${ended.stderr}`)
  const written = parseRounded(readFileSync(join(folder, file), 'utf8')) as Record<string, unknown>
  whole(written, file)
  return {
    'expected.json': { exit: ended.code, ...FIGURES[file](written) },
    ...tables(recorded, file, folder),
  }
}

/** Rounded to nine decimals, because sums may be added in another order. */
const parseRounded = (json: string): unknown =>
  JSON.parse(json, (_, value: unknown) => (typeof value === 'number' ? Number(value.toFixed(9)) : value))

function tables({ isLarge }: RecordedCase, file: FiguresFile, folder: string): CaseFiles {
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
  if (file === 'comparison.json') return { 'comparison.csv': read('comparison.csv') }
  if (file !== 'summary.json') return {}
  if (isLarge) return { 'results.csv.gz': read('results.csv') }
  return { 'results.csv': read('results.csv'), 'junit.xml': junitWithoutWords(read('junit.xml')) }
}

/** Large journals are stored compressed. */
export function unpackRecorded(from: string, to: string): void {
  cpSync(from, to, { recursive: true })
  for (const name of readdirSync(to, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ndjson.gz')) continue
    writeFileSync(join(to, name.slice(0, -'.gz'.length)), gunzipSync(readFileSync(join(to, name))))
    rmSync(join(to, name))
  }
}

const EXPECTED = /^(expected\.json|results\.csv(\.gz)?|junit\.xml|comparison\.csv)$/

export function readExpected({ name }: RecordedCase): CaseFiles {
  const folder = join(recordedFolder, name)
  const read = (file: string): unknown => {
    const bytes = readFileSync(join(folder, file))
    if (file.endsWith('.gz')) return gunzipSync(bytes).toString()
    return file.endsWith('.json') ? parseRounded(bytes.toString()) : bytes.toString()
  }
  const files = readdirSync(folder).filter((file) => EXPECTED.test(file))
  return Object.fromEntries(files.map((file) => [file, read(file)]))
}
