// What `draft` says of the set that it makes, for `--json` and for the screen.

/** A mask stands instead of personal data, as `[e-mail]`. */
export const MASK_KINDS = ['e-mail', 'phone', 'card', 'account', 'link', 'name'] as const
export type MaskKind = (typeof MASK_KINDS)[number]

export interface DraftRow {
  readonly id: string
  /** It is empty for a question by itself. */
  readonly thread: string
  /** Turns count from 1; 0 is a question by itself. */
  readonly turn: number
  readonly message: string
  readonly weight: number
  readonly tags: readonly string[]
}

export interface Draft {
  readonly out: string
  readonly questions: number
  readonly conversations: number
  /** These are tickets or chats read, those that hold a question, and those that the set stands for. */
  readonly read: number
  readonly asking: number
  readonly represented: number
  /** All texts that were read count; null with `--no-mask`. */
  readonly masked: Readonly<Record<MaskKind, number>> | null
  readonly withMask: number
  /** The ticket asks nothing, so a statement is taken. */
  readonly statements: number
  readonly files: readonly {
    readonly path: string
    readonly rows: number
    readonly columns: readonly { readonly header: string; readonly column: string }[]
  }[]
  readonly warnings: readonly string[]
}
