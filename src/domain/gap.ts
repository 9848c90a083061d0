// Gaps by what they are about, and the reverse: articles that answered wrongly.

export interface GapQuestion {
  readonly id: string
  readonly message: string
  /** How much it counts; 1 for a question that is asked once and always a gap. */
  readonly weight: number
  readonly tags: readonly string[]
}

/** Questions that one article may answer. */
export interface GapCluster {
  /** Its terms as the questions write them, the most telling first; a lone question without any is quoted. */
  readonly name: string
  /** Sum of the questions' weights. */
  readonly weight: number
  /** Never empty; heaviest first, then by id. */
  readonly questions: readonly GapQuestion[]
}

/** A grounded answer whose expectations failed: the article is wrong, or it is the wrong article. */
export interface WrongAnswer {
  readonly id: string
  readonly message: string
  readonly repeat: number
  readonly answer: string
  readonly failures: readonly string[]
}
