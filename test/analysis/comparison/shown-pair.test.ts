// Which repeats stand for a question in a comparison, and what its answers say that none did before.
import { expect, test } from 'vitest'
import { tellingPair } from '../../../src/analysis/comparison/shown-pair.ts'
import type { TurnSummary } from '../../../src/analysis/comparison/turn-summary.ts'
import type { ChangeKind } from '../../../src/domain/comparison/change.ts'
import { states, type State } from '../../support/compared-turns.ts'

type Came = string

/** A text is a grounded answer; the name of a state without one is that. */
function tell(before: readonly Came[], after: readonly Came[], kinds: readonly ChangeKind[] = []) {
  const texts = new Map<TurnSummary, string | null>()
  const turns = (all: readonly Came[]): TurnSummary[] =>
    all.map((came, place) => {
      const turn = { ...(states[came as State] ?? states.grounded), repeat: place + 1 }
      texts.set(turn, turn.outcome === 'answered' ? came : null)
      return turn
    })
  const read = (turn: TurnSummary): string | null => texts.get(turn) ?? null
  const question = { baseline: turns(before), candidate: turns(after), kinds }
  const { shown, furthest } = tellingPair(question, { baseline: read, candidate: read })
  return [shown.baseline.repeat, shown.candidate.repeat, shown.difference?.kind, furthest?.kind]
}

const [half, more, reworded] = [
  'The desk answers within 30 minutes.',
  'The desk answers within 35 minutes.',
  'Within 30 minutes the desk answers you.',
]

test.each<[string, Came[], Came[], ChangeKind[], ReturnType<typeof tell>]>([
  ['one asking each', [half], [more], [], [1, 1, 'factsChanged', 'factsChanged']],
  [
    'facts that one repeat alone changed',
    [half, half],
    [half, more],
    [],
    [2, 2, 'factsChanged', 'factsChanged'],
  ],
  ['facts before words', [half], [reworded, more], [], [1, 2, 'factsChanged', 'factsChanged']],
  ['words before nothing', [half, half], [half, reworded], [], [2, 2, 'rephrased', 'rephrased']],
  ['what the baseline said too is no news', [half, more], [more, half], [], [2, 1, 'same', 'same']],
  ['nothing changed: the first', [half, half], [half, half], [], [1, 1, 'same', 'same']],
  ['the repeat without an answer', [half], [half, 'timeout'], ['answerToError'], [1, 2, undefined, 'same']],
  [
    'the repeat without an answer, and facts of another',
    [half],
    [more, 'timeout'],
    ['answerToError'],
    [1, 2, undefined, 'factsChanged'],
  ],
  [
    'a lost one before one without an answer',
    [half],
    ['timeout', 'ungrounded'],
    ['groundingLost', 'answerToError'],
    [1, 2, 'otherAnswer', 'otherAnswer'],
  ],
  [
    'beside an answer, not what was never asked',
    ['notAsked', half],
    ['timeout'],
    ['answerToError'],
    [2, 1, undefined, undefined],
  ],
  ['no answer at all', ['timeout'], ['timeout', 'skipped'], [], [1, 1, undefined, undefined]],
])('%s', (_, before, after, kinds, expected) => {
  expect(tell(before, after, kinds)).toEqual(expected)
})
