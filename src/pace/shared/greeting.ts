// Who begins to listen for changes of pace is told, once, how things stand.
import type { Limiter } from '../limiter.ts'

/** `describe`: in words; undefined where there is nothing to tell yet. Told after what the caller is in the middle of. */
export function withGreeting(limiter: Limiter, describe: () => string | undefined): Limiter {
  return {
    ...limiter,
    onChange: (listener) => {
      const end = limiter.onChange(listener)
      let isOver = false
      queueMicrotask(() => {
        const cause = describe()
        const { pace, closure, processes } = limiter.state()
        if (!isOver && cause !== undefined) listener({ pace, closure, processes, cause })
      })
      return () => {
        isOver = true
        end()
      }
    },
  }
}
