// Whether the source of a grounded answer fits its question: another article may fit it far better.
import type { ArticleIndex } from '../../articles/index.ts'
import { LookUp } from '../../articles/look-up.ts'
import { logOddsOf } from '../../stats/logistic.ts'
import { rowOf, usualLineOf } from './causes.ts'

/**
 * The usual line is so much surer of another article than of the source, in log odds. From 2.5 on an answer
 * is marked: of right ones less than 1 in 100 is, of answers from any wrong article 8 in 10, of answers from
 * the second nearest 3 in 10. From 0.3 on its question is too doubtful to draw the line of a run from, and
 * from 0.15 on the other article may answer it as well: where one in ten answers comes from the second
 * nearest article, the line then decides 2 points less, without these bounds 4.
 */
const MARKED = 2.5
const DOUBTFUL = 0.3
const RIVALLED = 0.15
/** A question with fewer terms fits an article by chance, unless the difference is twice as large. */
const MIN_TERMS = 3

/**
 * `other` is the article that fits the question so much better than the source of its answer that the answer
 * is marked. `earlier` are the questions before it in its conversation: by the first alone, 4 of 100 right
 * follow-ups are marked.
 */
export function fitOf(
  index: ArticleIndex,
  { message, earlier }: { readonly message: string; readonly earlier?: string | undefined },
  source: string,
) {
  const compare = (leans: boolean) => {
    const look = new LookUp(index, message, { opening: earlier, leans })
    const [found, other] = [look.find(source), look.rivalOf(source)]
    if (found === undefined || other === undefined) return undefined
    const { model } = usualLineOf(index)
    const difference = logOddsOf(model, rowOf(other.features)) - logOddsOf(model, rowOf(found.features))
    return { other, difference }
  }
  const found = compare(false)
  if (found === undefined) return { isDoubtful: false, isRivalled: false, other: undefined }
  const { other, difference } = found
  const isMarked = difference >= (other.features.terms < MIN_TERMS ? 2 * MARKED : MARKED)
  // What was said before must not speak for the source.
  const isOther = isMarked && (earlier === undefined || (compare(true)?.difference ?? 0) > 0)
  return {
    isDoubtful: difference >= DOUBTFUL,
    isRivalled: difference >= RIVALLED,
    other: isOther ? other.article : undefined,
  }
}
