// Counting questions, not turns: a question that was asked several times is one.
import type { PageRow } from '../domain/page-data.ts'

export const countQuestions = (rows: readonly PageRow[]): number => new Set(rows.map(({ id }) => id)).size

/** Of each value how many questions have it. */
export function countByValue(
  rows: readonly PageRow[],
  valuesOf: (row: PageRow, place: number) => readonly string[],
): ReadonlyMap<string, number> {
  const questions = new Map<string, Set<string>>()
  for (const [place, row] of rows.entries())
    for (const value of valuesOf(row, place)) {
      const known = questions.get(value)
      if (known === undefined) questions.set(value, new Set([row.id]))
      else known.add(row.id)
    }
  return new Map([...questions].map(([value, ids]) => [value, ids.size]))
}
