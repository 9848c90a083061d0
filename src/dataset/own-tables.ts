// Tables of ours that are no question sets, told by their headers: what they are, and what to give instead.
import { COMPARISON_COLUMNS } from '../domain/comparison/comparison-columns.ts'
import { HISTORY_COLUMNS } from '../domain/history/history-columns.ts'
import { columnKey } from './columns.ts'
import { undoDefusing } from './defusing.ts'

interface OwnTable {
  readonly columns: readonly string[]
  readonly message: string
}

const TABLES: readonly OwnTable[] = [
  {
    columns: COMPARISON_COLUMNS,
    message:
      'this is the table of a comparison, which does not hold what is expected of answers; give the question set itself, or the results.csv of one of the runs; --format native asks its messages as they are',
  },
  {
    columns: HISTORY_COLUMNS,
    message:
      'this is the table of a history, a row a run, and holds no questions; give a question set, or the results.csv of a run',
  },
]

/** Undefined where the header is none of theirs. An editor may have deleted columns: more than half are enough. */
export function describeOwnTable(header: readonly string[]): string | undefined {
  const keys = new Set(header.map((cell) => columnKey(undoDefusing(cell))))
  const isMost = ({ columns }: OwnTable): boolean =>
    columns.filter((name) => keys.has(columnKey(name))).length > columns.length / 2
  return TABLES.find(isMost)?.message
}
