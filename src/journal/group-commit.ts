// Group commit: many who wait for the disk share one sync.

export interface GroupCommit {
  /** Resolves when a sync that began after this call has ended; rejects when it failed. */
  commit(): Promise<void>
}

/** `sync` brings everything written so far to the disk. At most one runs, and at most one waits behind it. */
export function createGroupCommit(sync: () => Promise<void>): GroupCommit {
  let running: Promise<void> | undefined
  let following: Promise<void> | undefined

  const start = async (): Promise<void> => {
    running = sync()
    try {
      await running
    } finally {
      running = undefined
    }
  }
  const follow = async (current: Promise<void>): Promise<void> => {
    // Whoever waited for the running one has its own word of how it ended.
    await current.catch(() => undefined)
    following = undefined
    await start()
  }
  return {
    commit: async () => {
      if (running === undefined) return start()
      following ??= follow(running)
      return following
    },
  }
}
