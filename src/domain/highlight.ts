// A turn that a summary shows in full.

export interface Highlight {
  readonly id: string
  readonly message: string
  /** The source of an answer, or how the turn failed. */
  readonly what: string
}
