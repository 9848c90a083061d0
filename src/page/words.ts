// What an editor reads in place of raw values.
import type { PageTurn } from '../domain/conversations.ts'

/** `From the knowledge base`; for the side of a baseline, which has no such mark, its raw source. */
export function sourceText({
  source,
  outcome,
  grounded,
}: Pick<PageTurn, 'source' | 'outcome'> & { readonly grounded?: boolean | null }): string {
  if (outcome !== 'answered') return (outcome ?? 'not sent').replaceAll('_', ' ')
  if (grounded === true) return 'From the knowledge base'
  if (grounded === false) return 'Not from the knowledge base'
  return source ?? ''
}
