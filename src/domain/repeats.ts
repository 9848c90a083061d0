// What the repeats of one question came to.
import * as z from 'zod'

const share = z.number().nullable()

export const repeatedQuestionSchema = z.object({
  id: z.string(),
  /** Repeats with an outcome other than `skipped`. */
  asked: z.int(),
  /** Repeats answered with their context. */
  answered: z.int(),
  /** Passed ÷ (passed + failed); null where nothing was graded. */
  passRate: share,
  /** Grounded ÷ answered; null without answers. */
  groundingRate: share,
  /** Some repeats passed, others failed. */
  passFlaky: z.boolean(),
  /** Some answers were grounded, others not. */
  groundFlaky: z.boolean(),
  /** Not all answers are the same once folded. */
  answersDiffer: z.boolean(),
  /** Mean token F1 of pairs of answers, 0 to 1; null for fewer than two answers. */
  agreement: share,
})
export type RepeatedQuestion = Readonly<z.infer<typeof repeatedQuestionSchema>>
