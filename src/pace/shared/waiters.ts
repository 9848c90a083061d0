// Calls of one process that wait for leave, first come, first served.

export interface Waiters<T> {
  readonly size: number
  /** Resolves with what `serve` gives; undefined once `signal` is aborted or all are dismissed. */
  wait(signal: AbortSignal, onChange: () => void): Promise<T | undefined>
  /** False where nobody waits: `make` is not called then. */
  serve(make: () => T): boolean
  dismiss(): void
}

export function createWaiters<T>(): Waiters<T> {
  const queue: ((value: T | undefined) => void)[] = []
  let dismissed = false
  return {
    get size() {
      return queue.length
    },
    wait: async (signal, onChange) =>
      new Promise((resolve) => {
        if (signal.aborted || dismissed) {
          resolve(undefined)
          return
        }
        const cancel = (): void => {
          queue.splice(queue.indexOf(answer), 1)
          resolve(undefined)
          onChange()
        }
        const answer = (value: T | undefined): void => {
          signal.removeEventListener('abort', cancel)
          resolve(value)
        }
        signal.addEventListener('abort', cancel, { once: true })
        queue.push(answer)
        onChange()
      }),
    serve: (make) => {
      const answer = queue.shift()
      answer?.(make())
      return answer !== undefined
    },
    dismiss: () => {
      dismissed = true
      for (const answer of queue.splice(0)) answer(undefined)
    },
  }
}
