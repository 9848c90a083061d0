// Finds expectations of equal questions that no answer can meet together, for `validate`.
import { foldText, visibleText } from '../domain/fold-text.ts'
import type { Contradiction, Expectations, Question } from '../domain/question.ts'
import { standsIn, tokenF1, tokensOf } from './grading/similarity.ts'

/** Unequal expectations of one question that are compared, each with each. */
const MAX_COMPARED = 50

/** `questions`: equal ones. Of those with the same expectations, only the first is compared. */
export function findContradictions(questions: readonly Question[]): Contradiction[] {
  const firsts = new Map<string, Question>()
  for (const question of questions) {
    const key = JSON.stringify(question.expect ?? null)
    if (!firsts.has(key)) firsts.set(key, question)
  }
  const unequal = [...firsts.values()].slice(0, MAX_COMPARED)
  return unequal.flatMap((one, index) =>
    unequal.slice(index + 1).flatMap((other) => {
      const found = contradict(one.expect ?? {}, other.expect ?? {})
      return found === undefined ? [] : [{ ...found, questions: [placeOf(one), placeOf(other)] as const }]
    }),
  )
}

const placeOf = ({ id, file, line, message }: Question) => ({ id, file, line, message })

type Pair = Contradiction['expected']
const swap = (pair: Pair | undefined): Pair | undefined => pair && [pair[1], pair[0]]

type Found = Pick<Contradiction, 'column' | 'expected'>

function contradict(one: Expectations, other: Expectations): Found | undefined {
  const phrases = forbidden(one, other) ?? swap(forbidden(other, one))
  if (differInSource(one, other))
    return { column: 'expect_source', expected: [sourceText(one), sourceText(other)] }
  if (phrases !== undefined) return { column: 'expect_contains', expected: phrases }
  if (differInAnswer(one, other))
    return { column: 'expect_answer', expected: [one.answer?.text ?? '', other.answer?.text ?? ''] }
  return undefined
}

const sourceText = ({ source }: Expectations): string => `${source?.not ? '!' : ''}${source?.value ?? ''}`

/** Two sources that an answer must have, or one that it must and must not have. */
function differInSource({ source: one }: Expectations, { source: other }: Expectations): boolean {
  if (one === undefined || other === undefined || (one.not && other.not)) return false
  const isSame = foldText(one.value) === foldText(other.value)
  return one.not === other.not ? !isSame : isSame
}

/** A text that one question requires, and the part of it that the other forbids. */
function forbidden({ contains = [] }: Expectations, { notContains = [] }: Expectations): Pair | undefined {
  for (const required of contains)
    for (const banned of notContains) {
      const phrase = foldText(banned)
      if (phrase !== '' && foldText(required).includes(phrase)) return [required, `not: ${banned}`]
    }
  return undefined
}

/** Neither reference answer would pass as an answer to the other question. */
function differInAnswer({ answer: one }: Expectations, { answer: other }: Expectations): boolean {
  if (one === undefined || other === undefined) return false
  const [text, otherText] = [plainOf(one.text), plainOf(other.text)]
  if (standsIn(text, otherText) || standsIn(otherText, text)) return false
  const similarity = tokenF1(tokensOf(text), tokensOf(otherText))
  return similarity < Math.min(one.minSimilarity, other.minSimilarity)
}

const plainOf = (text: string): string => foldText(visibleText(text))
