// Where the answers came from before and come from now, source by source.
import type { CandidateComparison } from '../../../domain/comparison/comparison.ts'
import { sourceName } from '../../comparison-tables.ts'
import { shorten, visible } from '../../visible.ts'
import { matrix, type MatrixCell } from '../charts/matrix.ts'
import type { SafeHtml } from '../html.ts'
import { WORDS } from './words.ts'

/** Further ones are one row and one column. */
const MOST_SOURCES = 7

export function transitions(
  { grounding }: CandidateComparison,
  groundedSources: readonly string[],
): SafeHtml | undefined {
  const moves = grounding.matrix
  if (moves.length === 0) return undefined
  const { sources, rest } = namesOf(moves, groundedSources)
  const known = (source: string): string | undefined => (sources.includes(source) ? source : undefined)
  // A row or column of nothing but zeros says nothing.
  const used = (end: 'from' | 'to'): (string | undefined)[] => {
    const found = new Set(moves.map((move) => known(move[end])))
    return [...sources, ...(rest ? [undefined] : [])].filter((source) => found.has(source))
  }
  const counts = new Map<string, number>()
  const key = (from: string | undefined, to: string | undefined): string =>
    JSON.stringify([from ?? null, to ?? null])
  for (const { from, to, count } of moves) {
    const place = key(known(from), known(to))
    counts.set(place, (counts.get(place) ?? 0) + count)
  }
  const label = (source: string | undefined): string =>
    source === undefined ? WORDS.matrix.rest : shorten(visible(sourceName(source)), 40)
  return matrix({
    caption: WORDS.matrix.caption,
    corner: WORDS.matrix.corner,
    columns: used('to').map(label),
    rows: used('from').map((from) => ({
      label: label(from),
      cells: used('to').map((to) => ({
        count: counts.get(key(from, to)) ?? 0,
        kind: kindOf(from, to, groundedSources),
      })),
    })),
    kinds: WORDS.matrix.kinds,
  })
}

/** Those that count as the knowledge base first, then those with most turns. */
function namesOf(
  moves: CandidateComparison['grounding']['matrix'],
  grounded: readonly string[],
): { readonly sources: readonly string[]; readonly rest: boolean } {
  const turns = new Map<string, number>()
  for (const { from, to, count } of moves)
    for (const source of [from, to]) turns.set(source, (turns.get(source) ?? 0) + count)
  const all = [...turns]
    .sort(
      ([some, a], [other, b]) =>
        Number(grounded.includes(other)) - Number(grounded.includes(some)) ||
        b - a ||
        (some < other ? -1 : 1),
    )
    .map(([source]) => source)
  return { sources: all.slice(0, MOST_SOURCES), rest: all.length > MOST_SOURCES }
}

function kindOf(
  from: string | undefined,
  to: string | undefined,
  grounded: readonly string[],
): MatrixCell['kind'] {
  if (from === to) return 'kept'
  // No answer is neither from the knowledge base nor from elsewhere.
  if (
    from === undefined ||
    to === undefined ||
    [from, to].some((source) => !grounded.includes(source) && isNoSource(source))
  )
    return 'moved'
  const [before, now] = [grounded.includes(from), grounded.includes(to)]
  if (before === now) return 'moved'
  return before ? 'worse' : 'better'
}

const isNoSource = (source: string): boolean => /^\(.*\)$/.test(source)
