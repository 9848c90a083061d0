// What a Redis must be able to do, tried before anything is sent.

/** A Redis that has just started reads its data first: so long it is waited for. */
const LOADING_MS = 4000
const LOOK_AGAIN_MS = 200

/**
 * Rejects with what Redis says of the first thing that it does not do; `command.name` of the error is that. `play`: the
 * script REHEARSE.
 */
export async function rehearse(play: () => Promise<unknown>): Promise<void> {
  for (const until = performance.now() + LOADING_MS; ; await sleep(LOOK_AGAIN_MS)) {
    try {
      const [name, said] = (await play()) as [string?, string?]
      if (name === undefined) return
      throw Object.assign(new Error(said), { command: { name } })
    } catch (error) {
      const isLoading = error instanceof Error && error.message.startsWith('LOADING')
      if (!isLoading || performance.now() > until) throw error
    }
  }
}

async function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
