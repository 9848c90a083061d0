// Question sets to threads, ready to be asked: the whole set, or everything that is wrong with it.
import type { Thread } from '../domain/question.ts'
import { assembleThreads, type Draft } from './assembly.ts'
import { columnKey } from './columns.ts'
import type { FormatChoice } from './formats.ts'
import { IdDeriver } from './identity.ts'
import { scanQuestionSets, type DatasetFile, type Faulty } from './scan.ts'

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

export type Reading = { readonly kind: 'sound'; readonly set: QuestionSet } | Faulty

/** Nothing is thrown but for our own bugs: files that cannot be read are faults. */
export async function readQuestionSets(
  paths: readonly string[],
  choice: FormatChoice = {},
): Promise<Reading> {
  /** By key: files that spell a column differently share it, under the name that came first. */
  const columns = new Map<string, string>()
  const drafts: Draft[][] = paths.map(() => [])
  const groups: (readonly number[])[][] = paths.map(() => [])
  const results = new Set<string>()
  const scan = await scanQuestionSets(paths, choice, {
    row: (row, layout, file) => {
      if (layout.repeat !== undefined) results.add(paths[file] ?? '')
      const cells = layout.carried.flatMap(({ name, index }): [string, string][] => {
        const cell = row.cells[index] ?? ''
        if (cell === '' && layout.isImported === true) return []
        const key = columnKey(name)
        const known = columns.get(key)
        if (known === undefined) columns.set(key, name)
        return [[known ?? name, cell]]
      })
      // The record's other cells are not needed any more.
      drafts[file]?.push({ ...row, cells: Object.fromEntries(cells) })
    },
    thread: (rows, file) => groups[file]?.push(rows),
  })
  if (scan.kind === 'faulty') return scan
  const written = drafts.flatMap((rows) => rows.flatMap(({ id }) => (id === '' ? [] : [id])))
  const ids = new IdDeriver(written)
  const threads = drafts.flatMap((rows, file) => assembleThreads(rows, groups[file] ?? [], file, ids))
  return {
    kind: 'sound',
    set: {
      files: scan.files,
      threads,
      columns: [...columns.values()],
      warnings: scan.warnings,
      results: [...results],
    },
  }
}
