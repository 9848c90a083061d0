// What a journal throws when the disk no longer takes it: the machine's failure, not the harness's.

export class StorageError extends Error {
  /** Node's code where there is one: `ENOSPC`, `EDQUOT`, `EIO`, `EROFS`, … */
  readonly code: string | undefined

  constructor(cause: unknown) {
    const message = cause instanceof Error ? cause.message : String(cause)
    super(message, { cause })
    this.name = 'StorageError'
    this.code =
      cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined
  }
}
