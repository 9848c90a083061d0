// The disk rejects the journal, or another process has the folder: failures of the machine, not of the
// harness.

export class StorageError extends Error {
  /** The run's folder, if the disk rejects its reports: `report` writes them later from the whole journal. */
  readonly folder: string | undefined

  /** `cause`: Node's error, whose message names its code, such as `ENOSPC`. */
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

/** Codes of file systems that cannot sync such a file: many network and FUSE mounts cannot sync a folder. */
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
