// Numbers for conversations up to a turn: equal where all their texts are, whatever they are called.

/** Takes a thread's turns in their order; returns a number for each. Numbers of one maker compare across runs. */
export function createConversationPaths(): (thread: readonly { readonly message: string }[]) => number[] {
  // A trie of texts, its nodes numbered; 0 is the conversation that has not begun.
  const nodes = new Map<string, number>()
  return (thread) => {
    let path = 0
    return thread.map(({ message }) => {
      const step = `${path} ${message}`
      const known = nodes.get(step)
      path = known ?? nodes.size + 1
      if (known === undefined) nodes.set(step, path)
      return path
    })
  }
}
