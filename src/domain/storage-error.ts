// The disk cannot take the journal: a failure of the machine, not of the harness.

export class StorageError extends Error {
  /** Node's code, if there is one: `ENOSPC`, `EDQUOT`, `EIO`, `EROFS`, … */
  readonly code: string | undefined

  /** Of the run whose reports the disk rejects. Its journal is complete: `report` writes them later. */
  readonly folder: string | undefined

  constructor(cause: unknown, folder?: string) {
    const message = cause instanceof Error ? cause.message : String(cause)
    super(message, { cause })
    this.name = 'StorageError'
    this.folder = folder
    this.code =
      cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined
  }
}

/** Throws StorageError for an error of the file system. */
export function guard<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw new StorageError(error)
  }
}
