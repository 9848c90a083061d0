// What happened to each question of a run: it passed, was not sent, or failed, and how.
import { describeBody, describeError, errorCodeOf, statusOf } from '../../domain/attempt.ts'
import { isErrorOutcome } from '../../domain/outcome.ts'
import type { Outcomes, Standing } from '../../domain/standing.ts'
import type { AnsweredTurn } from '../../domain/turn.ts'
import type { Repeats } from '../figures/repeats.ts'

/** GitLab rejects a `junit.xml` of 30 MB, and 100,000 cases need 8 MB without any text. */
const MAX_WITH_ANSWERS = 500

/** Call it in the order of the set. */
export function createStandings() {
  const all: Standing[] = []
  let failing = 0
  return {
    add: (repeats: Repeats): void => {
      const outcomes = worstOf(repeats.map(outcomesOf), repeats[0].tries?.map(outcomesOf))
      const hasFailed = outcomes.kind === 'failed' || outcomes.kind === 'errored'
      if (hasFailed) failing += 1
      const standing = {
        question: repeats[0].question,
        serviceMs: repeats.reduce((sum, { serviceMs = 0 }) => sum + serviceMs, 0),
        turns: hasFailed && failing <= MAX_WITH_ANSWERS ? repeats : undefined,
      }
      // Spreads would give each object a hidden class of its own: three times the memory of 100,000.
      all.push(Object.assign(standing, outcomes))
    },
    all: all as readonly Standing[],
  }
}

const WORST_FIRST: readonly Outcomes['kind'][] = ['failed', 'errored', 'passed', 'skipped']

function worstOf(outcomes: readonly Outcomes[], tries = outcomes): Outcomes {
  const [worst] = outcomes.toSorted((a, b) => WORST_FIRST.indexOf(a.kind) - WORST_FIRST.indexOf(b.kind))
  if (worst === undefined) return { kind: 'skipped', why: 'not sent' }
  if (worst.kind !== 'failed' || tries.length === 1) return worst
  const failed = tries.filter(({ kind }) => kind === 'failed').length
  return { ...worst, unmet: [{ sentence: `failed ${failed} of ${tries.length} times` }, ...worst.unmet] }
}

/** An answer without its context neither passes nor fails, unless the question must pass. */
function outcomesOf(turn: AnsweredTurn): Outcomes {
  const { outcome, contextLost, failures, isTolerated = false } = turn
  if (outcome === undefined) return { kind: 'skipped', why: 'not sent: the run stopped first' }
  if (outcome === 'skipped')
    return { kind: 'skipped', why: 'not sent: an earlier question of its conversation ended in an error' }
  if (isErrorOutcome(outcome))
    return { kind: 'errored', type: outcome, unmet: [{ sentence: describeFailure(turn, outcome) }] }
  if (contextLost && turn.question.mustPass) {
    const sentence = 'must pass, but was answered without the context of its conversation'
    return { kind: 'failed', type: 'must_pass', unmet: [{ sentence }] }
  }
  if (contextLost)
    return { kind: 'skipped', why: 'answered, but the endpoint had lost the context of the conversation' }
  const [first] = failures
  if (first === undefined || isTolerated) return { kind: 'passed' }
  return { kind: 'failed', type: first.expectation, unmet: failures }
}

function describeFailure({ result }: AnsweredTurn, outcome: string): string {
  const httpStatus = statusOf(result)
  const code = errorCodeOf(result)
  const facts = [httpStatus && `HTTP ${httpStatus}`, code && `code ${code}`].filter(Boolean).join(', ')
  const what = facts === '' ? outcome : `${outcome} (${facts})`
  const message = describeError(result)
  return message === undefined || message === '' ? what : `${what}: ${message}${describeBody(result)}`
}
