// What `draft` says of the set that it makes, for `--json` and for the screen.

/** A mask stands instead of personal data, as `[e-mail]`. */
export const MASK_KINDS = ['e-mail', 'phone', 'card', 'account', 'link', 'name'] as const
export type MaskKind = (typeof MASK_KINDS)[number]

export interface DraftQuestion {
  readonly message: string
  /** All that the person wrote, with its subject, masked. */
  readonly original: string
  readonly isShortened: boolean
}

export interface DraftRow extends DraftQuestion {
  readonly id: string
  readonly weight: number
  readonly tags: readonly string[]
}

export interface Draft {
  readonly out: string
  readonly questions: number
  /** These are tickets or chats read, and those that the set stands for. */
  readonly read: number
  readonly represented: number
  readonly leftOut: {
    /** Tickets without a text, and tickets that only greet, thank or quote. */
    readonly empty: number
    readonly courtesy: number
    readonly agentRows: number
  }
  readonly masked: Readonly<Record<MaskKind, number>>
  readonly check: {
    readonly withMask: number
    readonly shortened: number
    readonly severalQuestions: number
    readonly noQuestion: number
  }
  readonly headers: readonly string[]
  readonly warnings: readonly string[]
}
