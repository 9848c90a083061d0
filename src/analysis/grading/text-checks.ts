// Expectations of an answer's text. Each failure says what was expected and shows what was found.
import type { Failure } from '../../domain/turn.ts'
import type { Expectations } from '../../domain/question.ts'
import { quoteAround, quoteStart, unfoldedPlace } from './excerpt.ts'
import { fold } from './fold.ts'
import type { RegexOutcome } from './regex.ts'

/** A phrase of nothing but invisible signs expects nothing. */
const foldPhrases = (phrases: readonly string[]): { phrase: string; folded: string }[] =>
  phrases.map((phrase) => ({ phrase, folded: fold(phrase) })).filter(({ folded }) => folded !== '')

export function containsFailures({ contains }: Expectations, answer: string): Failure[] {
  if (contains === undefined) return []
  const folded = fold(answer)
  return foldPhrases(contains)
    .filter((one) => !folded.includes(one.folded))
    .map(({ phrase }) => ({
      expectation: 'expect_contains',
      sentence: `does not contain ${quoteStart(phrase)}; the answer was ${quoteStart(answer)}`,
    }))
}

export function notContainsFailures({ notContains }: Expectations, answer: string): Failure[] {
  if (notContains === undefined) return []
  const folded = fold(answer)
  return foldPhrases(notContains).flatMap((one) => {
    const place = folded.indexOf(one.folded)
    if (place === -1) return []
    const found = quoteAround(answer, unfoldedPlace(answer, place))
    return [
      {
        expectation: 'expect_not_contains',
        sentence: `contains ${quoteStart(one.phrase)}, which it must not; found in ${found}`,
      },
    ]
  })
}

/** The answer is matched as it came: a regular expression says itself what it ignores. */
export function regexFailures(source: string, answer: string, outcome: RegexOutcome): Failure[] {
  const failure = (sentence: string): Failure[] => [{ expectation: 'expect_regex', sentence }]
  const shown = `the regular expression ${quoteStart(source)}`
  switch (outcome) {
    case 'match':
      return []
    case 'no match':
      return failure(`does not match ${shown}; the answer was ${quoteStart(answer)}`)
    case 'timed out':
      return failure(
        `${shown} took too long and was stopped; write it without a repetition inside a repetition, such as (a+)+; the answer was ${quoteStart(answer)}`,
      )
    case 'cannot run':
      return failure(
        `${shown} cannot be run on this answer; write it simpler; the answer was ${quoteStart(answer)}`,
      )
  }
}

export function similarityFailures(
  { text, minSimilarity }: NonNullable<Expectations['answer']>,
  answer: string,
  similarity: number,
): Failure[] {
  if (similarity >= minSimilarity) return []
  // Rounded down, so that what falls short is never written as if it did not.
  const found = Math.floor(similarity * 1000) / 10
  const needed = Number((minSimilarity * 100).toFixed(1))
  return [
    {
      expectation: 'expect_answer',
      sentence: `shares ${found} % of its words with the expected answer ${quoteStart(text)}, needs ${needed} %; the answer was ${quoteStart(answer)}`,
    },
  ]
}
