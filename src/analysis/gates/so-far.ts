// What is known of a run that is not over: of its conversations that are over, each turn with its grade.
import type { JournalEvent } from '../../domain/journal.ts'
import { areWeighted, type Question } from '../../domain/question.ts'
import { mayBeConfirmed } from '../confirm.ts'
import type { Model } from '../fold.ts'
import { grade } from '../grading/grade.ts'
import { createRegexMatcher } from '../grading/regex-with-deadline.ts'
import type { SentThread } from '../progress.ts'
import { threadKey } from '../questions.ts'
import type { Repeats } from '../repeats.ts'
import { decisionOf, endsOfGates, type Judging, lateGates } from './decided.ts'
import type { QuestionSoFar, SettledTurn } from './ranges.ts'

// ---- Of a recorded run

const conversationKey = (question: Question, repeat: number): string => `${threadKey(question)} ${repeat}`

export function soFarIn(
  { questions, slots }: Pick<Model, 'questions' | 'slots'>,
  judging: Omit<Judging, 'isWeighted'>,
) {
  const open = new Set<string>()
  for (const { index, repeat, outcome } of slots) {
    const question = questions[index]
    if (question !== undefined && outcome === undefined) open.add(conversationKey(question, repeat))
  }
  return (repeats: Repeats): QuestionSoFar => {
    const { question } = repeats[0].turn
    const over = repeats.filter(
      (one) => !open.has(conversationKey(question, one.turn.repeat)) && !mayBeConfirmed(one, judging),
    )
    return { question, settled: over.map(withoutTexts), open: repeats.length - over.length }
  }
}

/** A run may have 100,000 answers. */
function withoutTexts({ turn, grade: { kind } }: SettledTurn): SettledTurn {
  const { index, question, outcome, contextLost, result } = turn
  const plain =
    result?.kind === 'reply'
      ? { ...result, reply: { ...result.reply, conversationId: '', message: '' } }
      : result
  return { turn: { index, question, outcome, contextLost, result: plain }, grade: { kind } }
}

// ---- Of a run that sends

interface SentTurn {
  readonly index: number
  readonly question: Question
}

interface Conversation {
  readonly turns: readonly SentTurn[]
  readonly repeat: number
  readonly ended: Map<number, SettledTurn>
  /** A turn ended without its answer at hand, so nothing is said of the conversation. */
  isUnknown: boolean
}

/** How often a run looks at all gates: of 20,000 questions each look takes 50 ms. */
const MAX_LOOKS = 400
const MAX_LOOKS_AT_MANY = 100
const MANY = 5000

export type Decider = ReturnType<typeof createDecider>

/**
 * Follows a run while it sends. `recorded`: the turns of earlier sessions. `isDecided`: no answer to come can
 * change its exit code.
 */
export function createDecider(
  threads: readonly SentThread<SentTurn>[],
  recorded: Iterable<Repeats>,
  judging: Omit<Judging, 'isWeighted'>,
) {
  const matches = createRegexMatcher()
  const questions = new Map<number, { question: Question; settled: SettledTurn[]; open: number }>()
  const conversations = new Map<string, Conversation>()
  for (const { turns, repeat } of threads) {
    const conversation = { turns, repeat, ended: new Map<number, SettledTurn>(), isUnknown: false }
    for (const { index, question } of turns) {
      const so = questions.get(index) ?? { question, settled: [], open: 0 }
      so.open += 1
      questions.set(index, so)
      conversations.set(keyOf(index, repeat), conversation)
    }
  }
  const all = [...questions.values()]
  const rules = { ...judging, isWeighted: areWeighted(all.map(({ question }) => question)) }
  const looks = conversations.size > MANY ? MAX_LOOKS_AT_MANY : MAX_LOOKS
  const step = Math.ceil(conversations.size / looks)
  let [isDecided, waiting] = [false, step]

  const end = (conversation: Conversation, turn: SettledTurn): void => {
    conversation.ended.set(turn.turn.index, turn)
    if (conversation.isUnknown || conversation.ended.size < conversation.turns.length) return
    waiting += 1
    for (const [index, one] of conversation.ended) {
      const so = questions.get(index)
      if (so === undefined || mayBeConfirmed(one, judging)) continue
      so.settled.push(one)
      so.open -= 1
    }
  }
  const over = new Set(
    threads
      .filter(({ turns, next }) => next === turns.length)
      .map(({ turns, repeat }) => keyOf(turns[0]?.index, repeat)),
  )
  for (const repeats of recorded)
    for (const { turn, grade: graded } of repeats) {
      const conversation = conversations.get(keyOf(turn.index, turn.repeat))
      if (conversation === undefined || turn.outcome === undefined) continue
      if (over.has(keyOf(conversation.turns[0]?.index, conversation.repeat)))
        end(conversation, withoutTexts({ turn, grade: graded }))
    }

  return {
    late: lateGates(endsOfGates(all, rules)),
    add: (event: JournalEvent): void => {
      if (event.kind !== 'turnEnded' && event.kind !== 'restart') return
      const conversation = conversations.get(keyOf(event.question, event.repeat))
      if (conversation === undefined) return
      if (event.kind === 'restart') {
        conversation.ended.clear()
        conversation.isUnknown = false
        return
      }
      const turn = conversation.turns.find(({ index }) => index === event.question)
      if (turn === undefined) return
      const { outcome, contextLost, result: record } = event
      if (outcome !== 'skipped' && record === undefined) {
        conversation.isUnknown = true
        return
      }
      const { result, serviceMs } = record ?? {}
      const ended = { ...turn, outcome, contextLost, result, serviceMs }
      end(conversation, withoutTexts({ turn: ended, grade: grade(ended, { matches }) }))
    },
    isDecided: (): boolean => {
      if (isDecided || waiting < step) return isDecided
      waiting = 0
      isDecided = decisionOf(endsOfGates(all, rules)) !== undefined
      return isDecided
    },
  }
}

const keyOf = (question: number | undefined, repeat: number): string => `${question} ${repeat}`
