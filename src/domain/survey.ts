// What question sets hold, counted.

export interface Survey {
  readonly files: readonly {
    readonly path: string
    /** `sha256:` and the hex digest of the raw bytes. */
    readonly digest: string
    readonly encoding: string
    readonly delimiter: string
    readonly rows: number
  }[]
  readonly threads: number
  readonly turns: number
  /** Turns of the longest thread. */
  readonly longestThread: number
  /** Turns by tag. */
  readonly tags: Readonly<Record<string, number>>
  /** Turns that expect something, by column. */
  readonly expectations: Readonly<Record<string, number>>
  readonly mustPass: number
  readonly warnings: readonly string[]
}
