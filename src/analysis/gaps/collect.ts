// Collects the gaps of a run: questions that were answered, but not grounded, with their weight and context.
import { replyOf } from '../../domain/attempt.ts'
import type { NamedQuestion } from '../../domain/conversations.ts'
import type { GapQuestion } from '../../domain/summary.ts'
import { cut } from '../../domain/text.ts'
import { isGrounded } from '../../domain/turn.ts'
import { foldText } from '../../text/fold.ts'
import { topicTerms } from '../../text/words.ts'
import { threadKey } from '../figures/fold.ts'
import type { Repeats } from '../figures/graded.ts'

export interface GapItem extends GapQuestion {
  readonly weight: number
  readonly context?: string
}

/** A question with fewer terms of its own needs its context. */
export const MIN_OWN_TERMS = 3

/** Gives the first message of a follow-up's thread. Call it in the order of the set. */
export function createOpenings(): (question: NamedQuestion) => string | undefined {
  let opening = { thread: '', message: '' }
  return (question) => {
    const { turn, message } = question
    const thread = threadKey(question)
    if (turn === 1) opening = { thread, message }
    return turn > 1 && opening.thread === thread ? opening.message : undefined
  }
}

/** Joins the questions before one in its conversation. Call it in the order of the set. */
export function createEarlier(): (question: NamedQuestion) => string | undefined {
  let [conversation, earlier] = ['', '']
  return (question) => {
    if (threadKey(question) !== conversation) earlier = ''
    conversation = threadKey(question)
    const before = earlier
    earlier = before === '' ? question.message : `${before}\n${question.message}`
    return before === '' ? undefined : before
  }
}

export const withContext = (message: string, context: string | undefined): string =>
  context !== undefined && topicTerms(message).size < MIN_OWN_TERMS ? `${context}\n${message}` : message

/** A report prints them: nobody reads more on paper. */
const ANSWERS = { max: 200, length: 400 }

/** Call it in the order of the set, with the questions of a thread one after the other. */
export function createGapCollector(groundedSources: readonly string[], max: number) {
  const openingOf = createOpenings()
  // As an expectation is graded: whatever the case.
  const expected = new Set(groundedSources.map(foldText))
  const items: GapItem[] = []
  const answerOf = (repeat: Repeats[number] | undefined): string | undefined => {
    if (repeat === undefined || items.length >= ANSWERS.max) return undefined
    return cut(replyOf(repeat.result)?.message ?? '', ANSWERS.length)
  }
  return {
    add: (repeats: Repeats): void => {
      const { question } = repeats[0]
      const { id, message, expect, weight: demand = 1 } = question
      const context = openingOf(question)
      // The set expects an answer that is not grounded: no article is missing.
      const { source } = expect ?? {}
      if (source !== undefined && expected.has(foldText(source.value)) === source.not) return
      const grounded = repeats.map((repeat) => isGrounded(repeat, groundedSources))
      const gaps = grounded.filter((value) => value === false).length
      if (gaps === 0) return
      const weight = (demand * gaps) / grounded.filter((value) => value !== undefined).length
      const answer = answerOf(repeats[grounded.indexOf(false)])
      items.push({ id, message, answer, weight, ...(context !== undefined && { context }) })
    },
    finish: () => ({
      heaviest: items.length > max ? items.toSorted((a, b) => b.weight - a.weight).slice(0, max) : items,
      count: items.length,
    }),
  }
}
