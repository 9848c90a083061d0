// Work that must not run beside itself: what is asked for meanwhile is done once more, after it.

/** `work` must not reject. */
export function oneAtATime(work: () => Promise<void>): () => void {
  let isRunning = false
  let isAsked = false
  return () => {
    isAsked = true
    if (!isRunning) void run()
  }

  async function run(): Promise<void> {
    isRunning = true
    while (isAsked) {
      isAsked = false
      await work()
    }
    isRunning = false
  }
}
