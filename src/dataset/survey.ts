// What question sets hold, counted as their rows stream by: what `validate` shows.
import type { Survey } from '../domain/survey.ts'
import { EXPECTATION_COLUMNS } from './expectations.ts'
import type { FormatChoice } from './formats.ts'
import { scanQuestionSets, type Faulty } from './scan.ts'

export type Surveying = { readonly kind: 'sound'; readonly survey: Survey } | Faulty

/** A column of free text taken for tags must not fill the memory. */
const MOST_TAGS = 10_000

/** Memory grows by some forty bytes a row, and by no text of the rows but their tags. */
export async function surveyQuestionSets(
  paths: readonly string[],
  choice: FormatChoice = {},
): Promise<Surveying> {
  const tags = new Map<string, number>()
  const expectations = new Map<string, number>()
  let [threads, turns, longestThread, mustPass] = [0, 0, 0, 0]
  let untold = 0
  const scan = await scanQuestionSets(paths, choice, {
    row: (row, layout) => {
      turns += 1
      if (row.mustPass) mustPass += 1
      for (const tag of row.tags)
        if (tags.has(tag) || tags.size < MOST_TAGS) increment(tags, tag)
        else untold += 1
      for (const column of EXPECTATION_COLUMNS) {
        const index = layout.own[column]
        if (index !== undefined && (row.cells[index] ?? '').trim() !== '') increment(expectations, column)
      }
    },
    thread: (rows) => {
      threads += 1
      longestThread = Math.max(longestThread, rows.length)
    },
  })
  if (scan.kind === 'faulty') return scan
  const warnings = [...scan.warnings]
  if (untold > 0)
    warnings.push(`over ${MOST_TAGS} different tags; ${untold} uses of those that came later are not counted`)
  return {
    kind: 'sound',
    survey: {
      files: scan.files,
      threads,
      turns,
      longestThread,
      tags: Object.fromEntries(tags),
      expectations: Object.fromEntries(expectations),
      mustPass,
      warnings,
    },
  }
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
