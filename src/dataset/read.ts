// Question sets to threads, ready to be asked: the whole set, or everything that is wrong with it.
import type { Thread } from '../domain/question.ts'
import { readCsv } from './csv.ts'
import { excerpt } from './excerpt.ts'
import type { FormatChoice } from './formats.ts'
import { Remarks, type Fault } from './remarks.ts'
import { createRowsReader, type FileRows } from './rows.ts'
import { groupThreads, nameThreads } from './threads.ts'

export interface DatasetFile {
  /** As the user named it. */
  readonly path: string
  /** `sha256:<hex>` of the raw bytes. */
  readonly digest: string
  readonly encoding: string
  /** Empty for a file of one column. */
  readonly delimiter: string
  /** Rows with content, but for the header. */
  readonly rows: number
}

export interface QuestionSet {
  readonly files: DatasetFile[]
  /** In the order of the set: by file, then by the thread's first row. */
  readonly threads: Thread[]
  /** The sets' own columns in the order of their first appearance: what `results.csv` goes on with. */
  readonly columns: string[]
  readonly warnings: string[]
  /** Those of the paths that are results of a run: reviews of its answers may stand in them. */
  readonly results: string[]
}

export type Reading =
  | { readonly kind: 'sound'; readonly set: QuestionSet }
  | {
      readonly kind: 'faulty'
      /** In the order of the files and their lines. */
      readonly faults: Fault[]
      readonly warnings: string[]
      /** How many more faults there are than `faults` holds. */
      readonly truncated: number
    }

/** Reads all files, whatever is wrong with one of them. Nothing is thrown but for our own bugs: a file that cannot be read is a fault. */
export async function readQuestionSets(
  paths: readonly string[],
  choice: FormatChoice = {},
): Promise<Reading> {
  const remarks = new Remarks()
  const files: DatasetFile[] = []
  const parts: (FileRows | undefined)[] = []
  for (const [number, path] of paths.entries()) {
    const rows = createRowsReader(choice, remarks.of(number, path))
    const csv = await readCsv(path, remarks.of(number, path), rows.take)
    parts.push(csv && rows.end(csv.isWhole))
    if (csv === undefined) continue
    const { digest, encoding, delimiter, records } = csv
    files.push({ path, digest, encoding, delimiter, rows: Math.max(0, records - 1) })
  }
  checkIds(parts, paths, remarks)
  const grouped = parts.map(
    (part, number) =>
      part && {
        layout: part.layout,
        threads: groupThreads(part, remarks.of(number, paths[number] ?? '').fail),
      },
  )
  const [faults, warnings] = [remarks.faults(), remarks.warnings()]
  if (faults.length > 0) return { kind: 'faulty', faults, warnings, truncated: remarks.truncated }
  const results = paths.filter((_, number) => parts[number]?.layout.results !== undefined)
  return { kind: 'sound', set: { files, ...nameThreads(grouped), warnings, results } }
}

/** An id that stands in a file may stand once in the whole run. */
function checkIds(
  parts: readonly (FileRows | undefined)[],
  paths: readonly string[],
  remarks: Remarks,
): void {
  const firsts = new Map<string, { readonly file: number; readonly line: number }>()
  for (const [file, part] of parts.entries())
    for (const { id, line } of part?.rows ?? []) {
      const first = id === '' ? undefined : firsts.get(id)
      if (first === undefined) firsts.set(id, { file, line })
      else {
        const place = first.file === file ? `line ${first.line}` : `${paths[first.file]}:${first.line}`
        remarks.of(file, paths[file] ?? '').fail({
          line,
          column: 'id',
          message: `the id ${excerpt(id)} stands in ${place} already; give each question its own, or empty the cell`,
        })
      }
    }
}
