// All files of a run to checked rows: the one path that reading and surveying share. It keeps no text of a row.
import { excerpt } from './excerpt.ts'
import type { Fault } from './fault.ts'
import { FaultLog } from './fault-log.ts'
import { readFile } from './file-reader.ts'
import type { FormatChoice } from './formats.ts'
import type { Layout } from './layout.ts'
import type { Row } from './row.ts'
import { Table } from './table.ts'
import type { TableListener } from './table-listener.ts'
import { WarningLog } from './warning-log.ts'
import { WrittenIds } from './written-ids.ts'

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

export interface ScanListener {
  /** A question, in the order of its file. */
  readonly row: (row: Row, layout: Layout, file: number) => void
  /** After a file's last row, its threads: the numbers of their rows (from 0) in the order of the turns. */
  readonly thread: (rows: readonly number[], file: number) => void
}

export type Scan =
  { readonly kind: 'sound'; readonly files: DatasetFile[]; readonly warnings: string[] } | Faulty

export interface Faulty {
  readonly kind: 'faulty'
  /** In the order of the files and their lines. */
  readonly faults: Fault[]
  readonly warnings: string[]
  /** How many more faults there are than `faults` holds. */
  readonly truncated?: number
}

/** Reads all files, whatever is wrong with one of them: every fault is found in one go. */
export async function scanQuestionSets(
  paths: readonly string[],
  choice: FormatChoice,
  listener: ScanListener,
): Promise<Scan> {
  const faults = new FaultLog()
  const warnings = new WarningLog()
  const ids = new WrittenIds()
  const files: DatasetFile[] = []
  for (const [file, path] of paths.entries()) {
    const remarks: TableListener = {
      fail: (remark) => faults.add(file, { file: path, ...remark }),
      warn: (remark, kind) => warnings.add({ file: path, ...remark }, kind),
      takeId: (id, line) => {
        const first = ids.add(id, { file, line })
        if (first === undefined) return undefined
        const place = first.file === file ? `line ${first.line}` : `${paths[first.file]}:${first.line}`
        return `the id ${excerpt(id)} stands in ${place} already; give each question its own, or empty the cell`
      },
      // A set with a fault is refused whole: its rows need not be gathered.
      row: (row, layout) => {
        if (faults.isEmpty) listener.row(row, layout, file)
      },
    }
    const table = new Table(choice, remarks)
    const text = await readFile(path, {
      ...remarks,
      record: (record) => table.take(record),
      mayBeLong: () => table.mayBeLong,
    })
    if (text === undefined) continue
    const { isWhole, ...facts } = text
    for (const rows of table.threads(isWhole)) if (faults.isEmpty) listener.thread(rows, file)
    files.push({ path, ...facts, rows: table.rows })
  }
  if (faults.isEmpty) return { kind: 'sound', files, warnings: warnings.list() }
  return {
    kind: 'faulty',
    faults: faults.sorted(),
    warnings: warnings.list(),
    ...(faults.truncated > 0 && { truncated: faults.truncated }),
  }
}
