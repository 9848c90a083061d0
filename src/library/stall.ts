// Ends what can never end. When nothing is left to wait for, Node ends the process without a word, whatever
// was promised.

/**
 * Settles as `task` does, or rejects once nothing is left that could settle it. `step`: what it does, for the
 * message.
 */
export async function unlessStalled<T>(step: string, task: Promise<T>): Promise<T> {
  let onStall = (): void => undefined
  const stalled = new Promise<never>((_resolve, reject) => {
    onStall = () => reject(new Error(`${step} waited for something that can no longer happen`))
  })
  process.once('beforeExit', onStall)
  return Promise.race([task, stalled]).finally(() => process.off('beforeExit', onStall))
}
