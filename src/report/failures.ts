// What failed in a run, gravest first: the list of its reports, and its annotations.
import type { GateDecision } from '../domain/summary.ts'
import { type Standing, withAnswer } from '../domain/turn.ts'

/** Its failures contain untrusted text of the endpoint. */
type FailedStanding = Extract<Standing, { readonly kind: 'failed' | 'errored' }>

export type Failure = FailedStanding & {
  readonly rank: Rank
  readonly excuse?: Excuse | undefined
}

/** The failure does not fail the run: it also fails in the baseline (`known`), or no gate covers it. */
interface Excuse {
  readonly rank: 'known' | 'tolerated'
  readonly why: string
}

/** Failures that fail the run come first. */
export const RANKS = ['newly', 'mustPass', 'other', 'tolerated', 'known'] as const
type Rank = (typeof RANKS)[number]

export interface Failures {
  /** Each rank has its first `MAX_LISTED`, in the order of the set. */
  readonly items: readonly Failure[]
  readonly failed: number
  readonly errored: number
  readonly known: number
}

const MAX_LISTED = 200

export function failuresOf(standings: readonly Standing[], decision: GateDecision): Failures {
  const counts = { failed: 0, errored: 0, known: 0 }
  const items: Record<Rank, Failure[]> = { newly: [], mustPass: [], other: [], tolerated: [], known: [] }
  for (const standing of standings) {
    if (standing.kind === 'passed' || standing.kind === 'skipped') continue
    const { question } = standing
    const excuse = excuseOf(standing, decision)
    const isNew = decision.before?.byId.get(question.id) === 'passed'
    const rank = excuse?.rank ?? (isNew ? 'newly' : question.mustPass ? 'mustPass' : 'other')
    counts[standing.kind] += 1
    if (rank === 'known') counts.known += 1
    if (items[rank].length < MAX_LISTED) items[rank].push({ ...standing, rank, excuse })
  }
  return { items: RANKS.flatMap((rank) => items[rank]), ...counts }
}

export function excuseOf(
  { kind, question, unmet: [first] }: FailedStanding,
  { before, isGreen }: GateDecision,
): Excuse | undefined {
  const hasFailedBefore = before?.byId.get(question.id) === 'failed'
  const isKnown = hasFailedBefore && kind === 'failed' && !question.mustPass
  if (!isKnown && !isGreen) return undefined
  const why = isKnown ? `known failure (also in ${before?.baseline})` : 'it fails no gate'
  return { rank: isKnown ? 'known' : 'tolerated', why: `${why}: ${first ? withAnswer(first) : ''}` }
}
