// A word on the tags that fall short of the coverage that a threshold asks for.
import type { Summary } from '../domain/summary.ts'
import type { Threshold } from './gates/expression.ts'
import { judgeTags } from './tag-verdict.ts'

const MOST_NAMED = 10

/** Of many tags some fall short by chance: only those are named that do so beyond it (Holm over all tags). */
export function noteTags(thresholds: readonly Threshold[], tags: Summary['tags']): string[] {
  const asked = thresholds.find(
    ({ metric, tag, relation, limit }) =>
      metric.path.join('.') === 'coverage.rate' && tag === undefined && relation.startsWith('>') && limit > 0,
  )
  if (asked === undefined || asked.limit > 1) return []
  const verdicts = judgeTags(
    Object.entries(tags).map(([tag, { coverage }]) => ({ tag, coverage })),
    asked.limit,
  )
  const below = verdicts.filter(({ verdict }) => verdict === 'below').map(({ tag }) => tag)
  if (below.length === 0) return []
  const named = below.slice(0, MOST_NAMED).join(', ')
  const more = below.length > MOST_NAMED ? ` and ${below.length - MOST_NAMED} more` : ''
  return [
    `below a coverage of ${Number((asked.limit * 100).toFixed(2))} % beyond chance (Holm over ${verdicts.length} tags): ${named}${more}`,
  ]
}
