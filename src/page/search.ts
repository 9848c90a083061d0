// What a person types into the search, and whether a question holds it.
import type { PageRow, PageTexts } from '../domain/page-data.ts'
import { foldText } from './fold.ts'

/** Words, and phrases in quotes; all of them must occur. None finds everything. */
export function searchTerms(typed: string): readonly string[] {
  const folded = foldText(typed)
  const terms = Array.from(folded.matchAll(/"([^"]*)"?|[^\s"]+/g), ([whole, phrase]) => phrase ?? whole)
  return terms.map((term) => term.trim()).filter((term) => term !== '')
}

export const holdsAll = (folded: string, terms: readonly string[]): boolean =>
  terms.every((term) => folded.includes(term))

/** What is known of a question before its texts are unpacked. */
export const foldedRow = ({ id, opening, tags }: PageRow): string =>
  foldText(`${opening}\n${id}\n${tags.join('\n')}`)

/** Everything that may be searched for. A line end parts them, and no term holds one. */
export function foldedTurn({ id, tags }: PageRow, texts: PageTexts): string {
  const { message, answer, error, failures, conversationId, review, change } = texts
  return [
    message,
    id,
    ...tags,
    answer,
    error,
    ...failures,
    conversationId,
    review?.note,
    change?.answer,
    ...(change?.failures ?? []),
  ]
    .filter((text) => text !== null && text !== undefined)
    .map(foldText)
    .join('\n')
}
