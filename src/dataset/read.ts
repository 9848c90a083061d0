// Question sets to threads, ready to be asked: the whole set, or everything that is wrong with it.
import { Spill, SpillError } from '../columns/spill.ts'
import type { Thread } from '../domain/question.ts'
import { Assembly } from './assembly.ts'
import { createDraft, type Draft } from './draft.ts'
import type { FormatChoice } from './formats.ts'
import { scanQuestionSets, type DatasetFile, type Faulty } from './scan.ts'
import { holdThreads, type Threads } from './threads.ts'

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

/** A set that may be larger than memory: its threads are made when they are asked for. */
export interface OpenSet extends Omit<QuestionSet, 'threads'> {
  readonly threads: Threads
  /** Whether a question of the set must pass. */
  readonly hasMustPass: boolean
  /** No thread can be made any more. */
  close(): void
}

export type Reading = { readonly kind: 'sound'; readonly set: QuestionSet } | Faulty
export type Opening = { readonly kind: 'sound'; readonly set: OpenSet } | Faulty

/** Nothing is thrown but for our own bugs: files that cannot be read are faults. */
export async function readQuestionSets(
  paths: readonly string[],
  choice: FormatChoice = {},
): Promise<Reading> {
  // All of it is held in the end: written to a file and read back, it would only come later.
  const opening = await openQuestionSets(paths, choice, { mostHeld: Infinity })
  if (opening.kind === 'faulty') return opening
  const { files, threads, columns, warnings, results } = opening.set
  const set = { files, threads: [...threads], columns, warnings, results }
  opening.set.close()
  return { kind: 'sound', set }
}

export interface OpenOptions {
  /** Takes the place of what must be written nowhere, before anything of the row is kept. */
  readonly hide?: (draft: Draft) => Draft
  /** Rows that are held in memory; the others go to a file. */
  readonly mostHeld?: number
}

/** As `readQuestionSets`; the texts of a large set are kept in a file that has no name. */
export async function openQuestionSets(
  paths: readonly string[],
  choice: FormatChoice = {},
  { hide = (draft) => draft, mostHeld }: OpenOptions = {},
): Promise<Opening> {
  /** By key: files that spell a column differently share it, under the name that came first. */
  const columns = new Map<string, string>()
  const drafts = new Spill<Draft>(mostHeld)
  const assembly = new Assembly(drafts)
  const results = new Set<string>()
  let [files, hasMustPass] = [0, false]
  const beginFiles = (file: number): void => {
    for (; files <= file; files += 1) assembly.beginFile()
  }
  try {
    const scan = await scanQuestionSets(paths, choice, {
      row: (row, layout, file) => {
        beginFiles(file)
        if (layout.repeat !== undefined) results.add(paths[file] ?? '')
        hasMustPass ||= row.mustPass
        assembly.see(row)
        drafts.push(hide(createDraft(row, layout, columns)))
      },
      thread: (rows) => assembly.addThread(rows),
    })
    if (scan.kind === 'faulty') {
      drafts.close()
      return scan
    }
    return {
      kind: 'sound',
      set: {
        files: scan.files,
        // Of a small set everything is in memory already.
        threads: drafts.isHeld ? holdThreads([...assembly.finish()]) : assembly.finish(),
        columns: [...columns.values()],
        warnings: scan.warnings,
        results: [...results],
        hasMustPass,
        close: () => drafts.close(),
      },
    }
  } catch (error) {
    drafts.close()
    if (!(error instanceof SpillError)) throw error
    return {
      kind: 'faulty',
      faults: [{ file: paths[files - 1] ?? '', message: error.message }],
      warnings: [],
    }
  }
}
