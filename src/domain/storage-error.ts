// The machine failed, not the harness: the disk rejects the journal, or another process has the folder.

export class StorageError extends Error {
  /** The disk rejects the reports of this run: `report` writes them later from the whole journal. */
  readonly folder: string | undefined

  /** Node's error is the `cause`: its message names its code, such as `ENOSPC`. */
  constructor(cause: unknown, folder?: string) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'StorageError'
    this.folder = folder
  }
}

/** Another process has taken the folder over, since this one was silent: it must not write there any more. */
export class TakenOver extends Error {
  override readonly name = 'TakenOver'
}

/** File systems that cannot sync a file or folder give these: many network and FUSE mounts. */
const UNSUPPORTED = ['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EBADF', 'ENOSYS', 'EPERM', 'EACCES', 'EISDIR']

export const isUnsupportedSync = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && UNSUPPORTED.includes(String(error.code))

/** Throws StorageError for an error of the file system. */
export function guard<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw new StorageError(error)
  }
}
