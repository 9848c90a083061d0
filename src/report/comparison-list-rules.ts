// The lists that changed questions stand in: what each means to an editor, and which kinds of change it takes.
import type { ChangeKind } from '../domain/comparison/change.ts'
import type { CandidateComparison } from '../domain/comparison/comparison.ts'

export interface ListRule {
  readonly title: string
  /** After the count, in a sentence. */
  readonly tally: string
  readonly tone: 'worse' | 'drift' | 'better' | 'noise' | 'same'
  readonly kinds: readonly ChangeKind[]
  /** Where one of its questions was answered all the same, by another repeat. */
  readonly notAlways?: Pick<ListRule, 'title' | 'tally'>
  /** Every question of the list, where the comparison counts them; elsewhere those of its changes. */
  readonly ids?: (candidate: CandidateComparison) => readonly string[]
}

/** In the order of the reports: what became worse first. */
export const CHANGE_LISTS = {
  lost: {
    title: 'Lost from the knowledge base',
    tally: 'lost from the knowledge base',
    tone: 'worse',
    kinds: ['groundingLost'],
    ids: ({ grounding }) => grounding.lost,
  },
  newlyFailing: {
    title: 'Newly failing',
    tally: 'newly failing',
    tone: 'worse',
    kinds: ['passToFail'],
    ids: ({ verdicts }) => verdicts.passToFail,
  },
  factsChanged: {
    title: 'An answer says something else: facts changed',
    tally: 'with other facts',
    tone: 'drift',
    kinds: ['factsChanged'],
  },
  noAnswer: {
    title: 'No answer any more (availability, not quality)',
    tally: 'without an answer now',
    notAlways: {
      title: 'No answer at least once (availability, not quality)',
      tally: 'without an answer at least once now',
    },
    tone: 'worse',
    kinds: ['answerToError', 'answerToSkipped'],
    ids: ({ availability }) => [...availability.answerToError, ...availability.answerToSkipped],
  },
  contextLost: {
    title: 'Answered, but the context of the conversation was lost',
    tally: 'without their context now',
    tone: 'worse',
    kinds: ['contextLost'],
    ids: ({ availability }) => availability.contextLost,
  },
  otherAnswer: {
    title: 'Quite another answer',
    tally: 'answered quite differently',
    tone: 'drift',
    kinds: ['otherAnswer'],
  },
  sourceChanged: {
    title: 'From another source, but no less and no more from the knowledge base',
    tally: 'from another source',
    tone: 'drift',
    kinds: ['sourceChanged'],
  },
  gained: {
    title: 'Gained by the knowledge base',
    tally: 'gained by the knowledge base',
    tone: 'better',
    kinds: ['groundingGained'],
    ids: ({ grounding }) => grounding.gained,
  },
  mended: {
    title: 'Mended',
    tally: 'mended',
    tone: 'better',
    kinds: ['failToPass'],
    ids: ({ verdicts }) => verdicts.failToPass,
  },
  answeredAgain: {
    title: 'Answered now, and had no answer before',
    tally: 'answered now',
    notAlways: {
      title: 'Answered each time now, and not always before',
      tally: 'answered each time now',
    },
    tone: 'better',
    kinds: ['errorToAnswer', 'skippedToAnswer'],
    ids: ({ availability }) => [...availability.errorToAnswer, ...availability.skippedToAnswer],
  },
  contextRegained: {
    title: 'Answered in the context of the conversation again',
    tally: 'in their context again',
    tone: 'better',
    kinds: ['contextRegained'],
    ids: ({ availability }) => availability.contextRegained,
  },
  flaky: {
    title: 'Moved, but known to be flaky',
    tally: 'known to be flaky',
    tone: 'noise',
    kinds: ['flaky'],
    ids: ({ grounding, verdicts }) => [...grounding.flaky, ...verdicts.flaky],
  },
  failInBoth: {
    title: 'Failing in both',
    tally: 'failing in both',
    tone: 'same',
    kinds: ['failInBoth'],
    ids: ({ verdicts }) => verdicts.failInBoth,
  },
} as const satisfies Record<string, ListRule>

export type ListKey = keyof typeof CHANGE_LISTS
