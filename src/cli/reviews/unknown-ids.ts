// Reviews whose question the run does not have: a spreadsheet makes 7 of 007, and a date of 1-2.
import type { ReviewFile } from '../../analysis/reviews/merge.ts'
import type { Review } from '../../domain/review.ts'
import { visible } from '../../report/visible.ts'

/** A file of many sets' reviews is told of only where none of them is of this run; of the run's own results each. */
export function unknownIds(
  files: readonly ReviewFile[],
  results: readonly Review[],
  isKnown: (id: string) => boolean,
): string[] {
  const lost = [...new Set(results.map(({ questionId }) => questionId))].filter((id) => !isKnown(id))
  return [
    ...(lost.length === 0
      ? []
      : [
          `results.csv has reviews under ids that no question of the run has (${visible(listFirst(lost))}); ` +
            `did a spreadsheet change them? They are kept in reviews.csv`,
        ]),
    ...files
      .filter(({ reviews }) => reviews.length > 0 && !reviews.some(({ questionId }) => isKnown(questionId)))
      .map(
        ({ name }) =>
          `no review of ${visible(name)} is of a question of this run; did a spreadsheet change the ids?`,
      ),
  ]
}

const MOST_NAMES = 5

/** The first few names, and how many more there are. */
function listFirst(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? `, and ${names.length - MOST_NAMES} more` : ''
  return `${names.slice(0, MOST_NAMES).join(', ')}${more}`
}
