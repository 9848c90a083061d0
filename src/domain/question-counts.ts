// A run's questions by what became of them, each counted once however often it was asked: what the report page's lists hold.

export interface QuestionCounts {
  readonly questions: number
  /** How often each was asked, at most. */
  readonly repeats: number
  /** With a verdict on one of their answers at least. */
  readonly judged: number
  /** One of their answers failed its expectations at least. */
  readonly failed: number
  /** Of those, the ones that fail nothing: they passed when asked again, or often enough. */
  readonly forgiven: number
  /** Of those that are not forgiven, the ones that failed with an answer from the knowledge base. */
  readonly wrong: number
  /** Ended in an error once at least; were not asked, once at least, after an error in their conversation. */
  readonly errors: number
  readonly skipped: number
  /** Have no outcome, once at least. */
  readonly notAsked: number
  /** Answered, once at least, but not from the knowledge base, and no article is said not to be expected. */
  readonly gaps: number
  /** Of the gaps, the ones that were grouped into topics: the heaviest, as many as can be in a reasonable time. */
  readonly clustered: number
  /** Answered as the gaps were, as their set expects: no article is missing. */
  readonly uncovered: number
  /** Differ from one time to the next. */
  readonly flaky: number
}
