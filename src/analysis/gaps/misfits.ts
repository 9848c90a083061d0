// Whether the source of a grounded answer fits its question: another article may fit it far better.
import type { Article } from '../../articles/article.ts'
import type { ArticleIndex, NearestOptions } from '../../articles/index.ts'
import type { Question } from '../../domain/question.ts'
import { logOddsOf } from '../../stats/logistic.ts'
import { threadKey } from '../questions.ts'
import { rowOf, usualLineOf } from './causes.ts'

/**
 * How much surer the usual line is of another article than of the source, in log odds. From 2.5 on an answer is
 * marked: of right ones less than 1 in 100 is, of answers from any wrong article 8 in 10, of answers from the
 * second nearest 3 in 10. From 1.5 on its question is too doubtful to draw the line of a run from.
 */
const MARKED = 2.5
const DOUBTFUL = 1.5
/** A question with fewer terms fits an article by chance, unless the difference is twice as large. */
const MIN_TERMS = 3

/** How a question fits the source of its answer. */
export interface Fit {
  readonly isDoubtful: boolean
  /** The article that fits the question so much better that the answer is marked. */
  readonly other: Article | undefined
}

/** `earlier`: the questions before it in its conversation. */
export function fitOf(
  index: ArticleIndex,
  { message, earlier }: { readonly message: string; readonly earlier?: string | undefined },
  source: string,
): Fit {
  const differenceOf = (options: NearestOptions) => {
    const rivals = index.rivalsOf(message, source, options)
    if (rivals === undefined) return undefined
    const [own, other] = [rivals.own, rivals.other].map((one) =>
      logOddsOf(usualLineOf(index).model, rowOf(one)),
    )
    return { ...rivals, difference: (other ?? 0) - (own ?? 0) }
  }
  const found = differenceOf({ opening: earlier })
  if (found === undefined) return { isDoubtful: false, other: undefined }
  const { difference, own, article } = found
  const isMarked = difference >= (own.terms < MIN_TERMS ? 2 * MARKED : MARKED)
  // What was said before must not speak for the source.
  const isOther = isMarked && (differenceOf({ opening: earlier, leans: true })?.difference ?? 0) > 0
  return { isDoubtful: difference >= DOUBTFUL, other: isOther ? article : undefined }
}

/** The questions before one in its conversation, joined. Call it in the order of the set. */
export function createEarlier(): (question: Question) => string | undefined {
  let [conversation, earlier] = ['', '']
  return (question) => {
    if (threadKey(question) !== conversation) earlier = ''
    conversation = threadKey(question)
    const before = earlier
    earlier = before === '' ? question.message : `${before}\n${question.message}`
    return before === '' ? undefined : before
  }
}
