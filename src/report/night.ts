// The first lines of a night's Markdown: what is new, closed, back again and changed; else what to do first.
import { type Change, changedFactsText, type ChangeKind, listsOf, PROBLEMS } from '../domain/changes.ts'
import type { CandidateComparison } from '../domain/comparison.ts'
import { digits, plural } from '../domain/format.ts'
import type { Summary, SummaryDetails } from '../domain/summary.ts'
import { questionOf } from './blocks.ts'
import type { Text } from './document.ts'
import type { Failures } from './failures.ts'

const MAX_NAMED = 2
/** From one evening to the morning after the next. */
const A_NIGHT_MS = 36 * 3_600_000

/** Writes `New: 2 gaps, 1 failure · How long is it valid? · Who pays for that? · 1 more`. */
function lineOf(label: string, count: string, named: readonly Text[], total = named.length): Text[] {
  if (total === 0) return []
  const shown = named.slice(0, MAX_NAMED)
  const others = total > shown.length ? [` · ${digits(total - shown.length)} more`] : []
  return [[`${label}: ${count}`, ...shown.flatMap((text) => [' · ', ...[text].flat()]), ...others]]
}

interface Compared {
  readonly name: string
  readonly startedAt: string | null
}

/**
 * `at` is when the run started; `backAgain` are those of the changes that earlier runs had, too: they are not
 * called new.
 */
export function nightLines(
  compared: CandidateComparison,
  baseline: Compared,
  at: string | null,
  backAgain: readonly Change[],
): Text[] {
  const { changes, counts } = compared
  const linesOf = (label: string, side: 'begins' | 'ends', without: readonly Change[]): Text[] => {
    const isHere = ({ kinds }: Change): boolean =>
      PROBLEMS.some((problem) => problem[side].some((kind) => kinds.includes(kind)))
    const countOf = (kind: ChangeKind): number =>
      counts[kind] - without.filter(({ kinds }) => kinds.includes(kind)).length
    const texts = PROBLEMS.map((problem) => ({
      count: problem[side].reduce((sum, kind) => sum + countOf(kind), 0),
      name: problem.name,
    }))
    return lineOf(
      label,
      texts
        .filter(({ count }) => count > 0)
        .map(({ count, name }) => plural(count, name))
        .join(', '),
      changes.filter((change) => isHere(change) && !without.includes(change)).map(questionOf),
    )
  }
  const facts = changes
    .filter(({ kinds }) => kinds.includes('factsChanged'))
    .map((change): Text => [questionOf(change), ': ', { untrusted: changedFactsText(change) }])
  const lines = [
    ...linesOf('New', 'begins', backAgain),
    ...linesOf('Closed', 'ends', []),
    ...lineOf('Back again', digits(backAgain.length), backAgain.map(questionOf)),
    ...lineOf('Changed facts', digits(counts.factsChanged), facts, counts.factsChanged),
  ]
  return lines.length > 0 ? lines : [quietLine(compared, baseline, at)]
}

/** What no gate judges, and what was not compared, is not passed over in silence. */
function quietLine(
  { changes, overlap, added, removed }: CandidateComparison,
  { name: since, startedAt }: Compared,
  at: string | null,
): Text {
  const passed = Date.parse(at ?? '') - Date.parse(startedAt ?? '')
  const isLastNight = passed >= 0 && passed < A_NIGHT_MS
  const date = startedAt === null ? '' : ` of ${startedAt.slice(0, 10)}`
  const labels = changes.flatMap(({ kinds }) => listsOf(kinds).map(({ name, label }) => ({ name, label })))
  const others = ['otherAnswer', 'sourceChanged'].flatMap((wanted) => {
    const found = labels.filter(({ name }) => name === wanted)
    return found.length === 0 ? [] : [`${digits(found.length)} with ${found[0]?.label}`]
  })
  const questions = (['edited', 'added', 'removed'] as const).flatMap((name) => {
    const count = { edited: overlap.edited, added: added.length, removed: removed.length }[name]
    return count === 0 ? [] : [`${plural(count, 'question')} ${name}`]
  })
  const besides = [...others, ...questions]
  return [
    isLastNight ? 'As last night' : `As in the baseline${date}`,
    ': nothing new, nothing closed, no fact changed since ',
    { untrusted: since },
    ...(besides.length === 0 ? [] : [`; ${besides.join(', ')}`]),
  ]
}

/** Without a baseline: what an editor does first. */
export function firstLines(
  { articles }: Summary,
  { gaps, doubtful }: SummaryDetails,
  { items, failed, errored }: Failures,
): Text[] {
  const misfits = articles?.misfits ?? { items: [], count: 0 }
  const lists = [
    ['Gaps', gaps.count, gaps.items.flatMap(({ questions }) => questions)],
    ['Unsupported facts', doubtful.count, doubtful.items],
    ['Answers from another article', misfits.count, misfits.items],
    ['Failed questions', failed + errored, items.map(({ question }) => question)],
  ] as const
  return lists.flatMap(([label, count, questions]) =>
    lineOf(label, digits(count), questions.map(questionOf), count),
  )
}
