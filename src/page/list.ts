// Rows of the list of conversations: the group that each stands in, its icon, and what is wrong in words.
import { articleSays, sectionsOf } from '../domain/articles.ts'
import type { Check, PageTurn } from '../domain/conversations.ts'
import { isErrorOutcome } from '../domain/outcome.ts'
import type { Tone } from '../report/document.ts'
import type { Acts, Decided } from './acts.ts'
import type { IconName } from './icons.tsx'
import type { PageContents } from './store.ts'

/** What is wrong with an answer, the gravest first: the order of the groups of a list. */
export const TROUBLES = ['facts', 'other', 'failed', 'error', 'gap'] as const
export type Trouble = (typeof TROUBLES)[number]

export const GROUPS: Readonly<Record<Trouble, string>> = {
  facts: 'Facts to check',
  other: 'From another article',
  failed: 'Without what you expect',
  error: 'Without an answer',
  gap: 'Gaps to decide',
}

export const TROUBLE_ICONS: Readonly<Record<Trouble, readonly [IconName, Tone]>> = {
  facts: ['doubt', 'warn'],
  other: ['other', 'warn'],
  failed: ['cross', 'bad'],
  error: ['cross', 'bad'],
  gap: ['gap', 'warn'],
}

/** Not where its set expects an answer from elsewhere: no article is missing. */
export const isGap = ({ grounded, checks }: PageTurn): boolean =>
  grounded === false && !checks.some(({ column, met }) => column === 'expect_source' && met)

/** Undefined for an answer that needs nothing: a gap that somebody decided, doubts of one rated good. */
export function troubleOf(turn: PageTurn, acts: Acts): Trouble | undefined {
  const { articles, passed, outcome, checks } = turn
  const isUndecided = acts.decisionOn(turn) === undefined
  const isOpenGap = isUndecided && isGap(turn)
  if (articles?.kind === 'answer' && acts.marks.of(turn).word !== 'good') {
    if (articles.doubtful.length > 0) return 'facts'
    if (articles.misfit !== null && isUndecided) return 'other'
  }
  // A gap whose source alone is not the expected one is said once.
  const isOnlyGap = isOpenGap && checks.every(({ met, column }) => met || column === 'expect_source')
  if (passed === false && !isOnlyGap) return 'failed'
  if (outcome !== null && isErrorOutcome(outcome)) return 'error'
  return isOpenGap ? 'gap' : undefined
}

/** The icon of what is wrong with an answer, else of how it was answered. */
export function stateIcon(turn: PageTurn, acts: Acts): readonly [IconName, Tone] {
  const trouble = troubleOf(turn, acts)
  if (trouble !== undefined) return TROUBLE_ICONS[trouble]
  const { outcome, grounded } = turn
  if (outcome === null || outcome === 'skipped') return ['chevron', 'muted']
  return grounded === false ? ['gap', 'muted'] : ['check', 'good']
}

/** `31 May · Annual leave says 30 April` */
export function troubleText(turn: PageTurn, acts: Acts): string {
  const { articles, checks, outcome } = turn
  const decided = acts.decisionOn(turn)
  switch (troubleOf(turn, acts)) {
    case 'facts': {
      const [fact] = articles?.kind === 'answer' ? articles.doubtful : []
      return fact === undefined
        ? ''
        : [fact.text, articleSays(fact)].filter((part) => part !== '').join(' · ')
    }
    case 'other':
      return articles?.kind === 'answer'
        ? `from ${articles.source?.title ?? 'no article'} · nearer: ${articles.misfit?.title ?? ''}`
        : ''
    case 'failed': {
      const unmet = checks.filter(({ met }) => !met)
      // Where something else is wrong, too, the source says the least.
      const check = unmet.find(({ column }) => column !== 'expect_source') ?? unmet[0]
      return check === undefined ? 'failed' : unmetText(check)
    }
    case 'error':
      return (outcome ?? 'not sent').replaceAll('_', ' ')
    case 'gap':
      return gapText(turn)
    case undefined:
      if (turn.grounded === false && decided !== undefined) return decisionText(turn, decided)
      return articles?.kind === 'answer' ? (articles.source?.title ?? '') : ''
  }
}

/** The details have the raw source. */
export const unmetText = ({ column, expected, found }: Check): string =>
  column === 'expect_source' ? 'not from the source that you expect' : (found ?? `${column}: ${expected}`)

/** `Notebook computers was not used`, `no article found`, `not clear · near Printing` */
export function gapText({ articles }: PageTurn): string {
  if (articles?.kind !== 'gap') return 'not from the knowledge base'
  const [nearest] = articles.nearest
  if (articles.cause === 'not-used') return `${nearest?.title ?? 'an article'} was not used`
  if (articles.cause === 'no-article') return 'no article found'
  return nearest === undefined ? 'not clear' : `not clear · near ${nearest.title}`
}

/** `decided: Annual leave answers it, Mira Holt, 3 Nov 2026` */
export function decisionText({ articles }: PageTurn, { article, by, at }: Decided): string {
  const title = sectionsOf(articles).find((section) => section.article === article)?.title ?? article
  const says = article === null ? 'no article answers it' : `${title} answers it`
  return [`decided: ${says}`, by ?? '', at === null ? '' : dayOf(at)].filter((part) => part !== '').join(', ')
}

/** By the reader's clock; a time that a person typed stays as it is. */
function dayOf(at: string): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? at : date.toLocaleDateString([], { dateStyle: 'medium' })
}

/** The names of what changed, such as `facts changed · lost grounding`. */
export const changeText = ({ change }: PageTurn, changes: PageContents['changes']): string =>
  changes
    .filter(({ name }) => change?.kinds.includes(name) === true)
    .map(({ label }) => label)
    .join(' · ')

/** `27 days → 28 days`, else the names of what changed. */
export function editText(turn: PageTurn, changes: PageContents['changes']): string {
  const { factsLost = [], factsGained = [] } = turn.change ?? {}
  const names = changeText(turn, changes)
  if (factsLost.length + factsGained.length === 0) return names
  return `${factsLost.join(', ') || 'nothing'} → ${factsGained.join(', ') || 'nothing'}`
}

/** The gravest change of an answer. */
export function changeIcon({ change }: PageTurn): readonly [IconName, Tone] {
  const has = (kind: string): boolean => change?.kinds.includes(kind) === true
  if (has('newlyFailing') || has('noAnswer')) return ['cross', 'bad']
  if (has('lost')) return ['gap', 'bad']
  if (has('factsChanged')) return ['differ', 'warn']
  return has('fixed') || has('gained') ? ['check', 'good'] : ['note', 'muted']
}
