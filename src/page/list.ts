// What is said of an answer: its state in words, what is wrong with it, what changed, each with its icon.
import { articleSays, openFacts, sectionsOf } from '../domain/articles.ts'
import type { Check, PageTurn } from '../domain/conversations.ts'
import { isErrorOutcome, type Outcome } from '../domain/outcome.ts'
import type { Tone } from '../report/document.ts'
import type { Acts, Decided } from './acts.ts'
import type { IconName } from './controls.tsx'
import type { PageContents } from './store.ts'

/** How a question was answered: now, before, or when it was sent again. */
export interface Sent {
  readonly source: string | null
  readonly outcome: Outcome | null
  readonly grounded?: boolean | null
}

/** `From the knowledge base`; for the side of a baseline, which has no such mark, its raw source. */
export function sourceText({ source, outcome, grounded }: Sent): string {
  if (outcome !== 'answered') return (outcome ?? 'not sent').replaceAll('_', ' ')
  if (grounded === true) return 'From the knowledge base'
  if (grounded === false) return 'Not from the knowledge base'
  return source ?? ''
}

/** These are the groups of a list; the gravest comes first. */
export const TROUBLES = {
  facts: { title: 'Facts to check', icon: 'doubt', tone: 'warn' },
  other: { title: 'From another article', icon: 'other', tone: 'warn' },
  failed: { title: 'Without what you expect', icon: 'cross', tone: 'bad' },
  error: { title: 'Without an answer', icon: 'cross', tone: 'bad' },
  gap: { title: 'Gaps to decide', icon: 'gap', tone: 'warn' },
} as const satisfies Readonly<Record<string, { title: string; icon: IconName; tone: Tone }>>
export type Trouble = keyof typeof TROUBLES

/** Not where its set expects an answer from elsewhere: no article is missing. */
export const isGap = ({ grounded, checks }: PageTurn): boolean =>
  grounded === false && !checks.some(({ column, met }) => column === 'expect_source' && met)

/** The gravest; undefined for an answer that needs nothing, or that somebody has decided on. */
export const troubleOf = (turn: PageTurn, acts: Acts): Trouble | undefined => troublesOf(turn, acts)[0]

export function troublesOf(turn: PageTurn, acts: Acts): Trouble[] {
  const found: Trouble[] = []
  const { articles, answer, passed, outcome, checks } = turn
  const isDecided = acts.decisionOn(turn) !== undefined
  const isOpenGap = !isDecided && isGap(turn)
  const isAccepted = answer !== null && acts.expectedOf(turn).includes(answer)
  // A person who rates it good, or expects it, has looked at what is doubtful.
  if (articles?.kind === 'answer' && acts.markOf(turn).word !== 'good' && !isAccepted) {
    if (openFacts(articles, acts.expectedOf(turn)).length > 0) found.push('facts')
    if (articles.misfit !== null && !isDecided) found.push('other')
  }
  // A gap whose source alone is not the expected one is said once.
  const isOnlyGap = isOpenGap && checks.every(({ met, column }) => met || column === 'expect_source')
  if (passed === false && !isOnlyGap && !isAccepted) found.push('failed')
  if (outcome !== null && isErrorOutcome(outcome)) found.push('error')
  if (isOpenGap) found.push('gap')
  return found
}

/** The icon of what is wrong with an answer, else of how it was answered. */
export function stateIcon(turn: PageTurn, acts: Acts): readonly [IconName, Tone] {
  const trouble = troubleOf(turn, acts)
  if (trouble !== undefined) return [TROUBLES[trouble].icon, TROUBLES[trouble].tone]
  const { outcome, grounded } = turn
  if (outcome === null || outcome === 'skipped') return ['chevron', 'muted']
  return grounded === false ? ['gap', 'muted'] : ['check', 'good']
}

/** `31 May · Annual leave says 30 April`; empty where nothing is wrong. */
export function troubleText(turn: PageTurn, acts: Acts): string {
  const { articles, checks, outcome } = turn
  const decided = acts.decisionOn(turn)
  switch (troubleOf(turn, acts)) {
    case 'facts': {
      const [fact] = openFacts(articles, acts.expectedOf(turn))
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
      return turn.grounded === false && decided !== undefined ? decisionText(turn, decided, acts) : ''
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
export function decisionText({ articles }: PageTurn, { article, by, at }: Decided, acts: Acts): string {
  const near = sectionsOf(articles).find((section) => section.article === article)
  const title = near?.title ?? acts.titleOf?.(article ?? '') ?? article
  const says = article === null ? 'no article answers it' : `${title} answers it`
  return [`decided: ${says}`, by ?? '', at === null ? '' : dayOf(at)].filter((part) => part !== '').join(', ')
}

/** A time that a person typed stays as it is. */
function dayOf(at: string): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? at : date.toLocaleDateString([], { dateStyle: 'medium' })
}

/** Writes `facts changed · lost grounding`. */
export const changeText = ({ change }: PageTurn, changes: PageContents['changes']): string =>
  changes
    .filter(({ name }) => change?.kinds.includes(name) === true)
    .map(({ label }) => label)
    .join(' · ')

/** `27 days → 28 days`, `no longer: 27 days`, `new: 28 days`, else the names of what changed. */
export function editText(turn: PageTurn, changes: PageContents['changes']): string {
  const lost = (turn.change?.factsLost ?? []).join(', ')
  const gained = (turn.change?.factsGained ?? []).join(', ')
  if (lost === '') return gained === '' ? changeText(turn, changes) : `new: ${gained}`
  return gained === '' ? `no longer: ${lost}` : `${lost} → ${gained}`
}

/** The gravest change of an answer. */
export function changeIcon({ change }: PageTurn): readonly [IconName, Tone] {
  const has = (kind: string): boolean => change?.kinds.includes(kind) === true
  if (has('newlyFailing') || has('noAnswer')) return ['cross', 'bad']
  if (has('lost')) return ['gap', 'bad']
  if (has('factsChanged')) return ['differ', 'warn']
  return has('fixed') || has('gained') ? ['check', 'good'] : ['note', 'muted']
}
