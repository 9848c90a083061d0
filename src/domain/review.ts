// What a person thinks of an answer, and what is known of it when the question is sent again. No schema stands here: the page takes it into the browser.

export const REVIEW_WORDS = ['good', 'acceptable', 'poor'] as const
export type ReviewWord = (typeof REVIEW_WORDS)[number]

/**
 * Bound to a question and to the answer that the person saw. A note may stand without a word: somebody looked and has
 * not decided, so it is kept beside its answer, and the answer waits for its word.
 */
export interface Review {
  readonly questionId: string
  /** As the review's file has it; a spreadsheet may have cut or re-coded it. */
  readonly answer: string
  readonly review: ReviewWord | undefined
  /** Empty: none. */
  readonly note: string
}

/** A review that has its word. */
export type WordedReview = Review & { readonly review: ReviewWord }

/** What is known of an answer. `note`: what stands beside it, empty for nothing. */
export type Reviewing =
  /** `text`: this very answer was reviewed; `facts`: one that says the same in other words. */
  | {
      readonly kind: 'reviewed'
      readonly review: ReviewWord
      readonly note: string
    }
  /** Another answer to the question was reviewed; this one says something else. */
  | { readonly kind: 'changed'; readonly before: WordedReview; readonly note: string }
  /** No answer to the question ever was. */
  | { readonly kind: 'new'; readonly note: string }

/** Answers of a run, each distinct answer to a question once, however often it was given. */
export type ReviewCounts = Record<ReviewWord | 'reviewed' | 'changed' | 'new', number>

/** An answer that waits for a person. */
export interface AwaitedReview {
  readonly id: string
  readonly message: string
  /** What was thought of an earlier answer; undefined where none was reviewed. */
  readonly before: ReviewWord | undefined
  readonly note: string
}

/**
 * 53 bits in base 36, the same for the same text; by Math.imul over UTF-16 code units (cyrb53, in the public domain).
 * Different answers to one question share a name about once in 10^16 pairs. No secret is safe behind it.
 */
export function answerKey(answer: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let place = 0; place < answer.length; place += 1) {
    const code = answer.charCodeAt(place)
    high = Math.imul(high ^ code, 2_654_435_761)
    low = Math.imul(low ^ code, 1_597_334_677)
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  return (4_294_967_296 * (2_097_151 & low) + (high >>> 0)).toString(36)
}
