// The bound of a Markdown report: it must fit into a comment.

/** A comment on GitHub takes 65,536 characters. */
const MOST = 60_000
/** Of them for each list, so that none crowds out the others. */
export const MOST_A_LIST = 9_000

/**
 * Whole sections as long as they fit, in their order: each stands alone, and half a table would mislead. `where`: the
 * files that hold what is left out.
 */
export function withinBound(
  sections: readonly (readonly string[])[],
  end: readonly string[],
  where: string,
): string {
  const left = `More than fits here stands in ${where}.`
  let room = MOST - left.length - end.join('\n').length - 3
  const kept = sections
    .map((section) => section.map((line) => `${line}\n`).join(''))
    .filter((section) => {
      const fits = section.length <= room
      if (fits) room -= section.length
      return fits
    })
  return `${kept.join('')}${kept.length < sections.length ? `${left}\n\n` : ''}${end.join('\n')}`
}
