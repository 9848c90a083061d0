// Reads question sets into threads, or returns all of their faults.
import type { Survey } from '../domain/question.ts'
import { type Thread, groupThreads, nameThreads } from './threads.ts'
import { columnKey, createSetRenamer } from './columns.ts'
import { collectMessages, excerpt, type Fault, type FileMessages } from './messages.ts'
import { readRows, type FileRows } from './rows.ts'

export interface QuestionSet {
  readonly files: Survey['files'][number][]
  /** The order is by file, then by the thread's first row. */
  readonly threads: Thread[]
  /** They are copied to `results.csv` in order of their first appearance. */
  readonly columns: string[]
  readonly warnings: string[]
}

export type ReadResult =
  | { readonly kind: 'valid'; readonly set: QuestionSet }
  | {
      readonly kind: 'faulty'
      readonly faults: Fault[]
      readonly warnings: string[]
    }

interface ReadFile {
  readonly path: string
  readonly messages: FileMessages
  readonly read: FileRows | undefined
}

export interface SetOptions {
  readonly format?: string | undefined
  readonly column?: readonly string[] | undefined
}

/** Reads all files, even if one is faulty. A file that cannot be read is a fault. */
export async function readQuestionSets(
  paths: readonly string[],
  { format, column = [] }: SetOptions = {},
): Promise<ReadResult> {
  const columns = new Map<string, string>()
  const nameColumn = (header: string): string => {
    const key = columnKey(header)
    if (!columns.has(key)) columns.set(key, header)
    return columns.get(key) ?? header
  }
  const renamer = createSetRenamer(column)
  const all: ReadFile[] = []
  for (const path of paths) {
    const messages = collectMessages(path)
    all.push({ path, messages, read: await readRows(path, { format, renamer, nameColumn }, messages) })
  }
  for (const value of renamer.missing())
    all[0]?.messages.fail({ message: `no column is called so: --column ${value}; name one of the header` })
  checkIds(all)
  const grouped = all.map(({ read, messages }) =>
    read === undefined ? [] : groupThreads(read, messages.fail),
  )
  const faults = all.flatMap(({ messages }) => messages.faults())
  const warnings = all.flatMap(({ messages }) => messages.warnings())
  if (faults.length > 0) return { kind: 'faulty', faults, warnings }
  const files = all.flatMap(({ path, read }) => {
    if (read === undefined) return []
    const { file, seen } = read.table
    return [{ path, ...file, rows: seen.rows, columns: read.columns }]
  })
  const set = { files, threads: nameThreads(grouped), columns: [...columns.values()], warnings }
  return { kind: 'valid', set }
}

function checkIds(files: readonly ReadFile[]): void {
  const firsts = new Map<string, { readonly messages: FileMessages; readonly line: number }>()
  for (const { read, messages } of files)
    for (const { id, line } of read?.rows ?? []) {
      const first = id === '' ? undefined : firsts.get(id)
      if (first === undefined) {
        firsts.set(id, { messages, line })
        continue
      }
      const where = first.messages === messages ? `line ${first.line}` : first.messages.place(first.line)
      const taken = `the id ${excerpt(id)} is already in ${where}`
      messages.fail({ line, message: `${taken}; give each question its own id, or clear the cell` })
    }
}
