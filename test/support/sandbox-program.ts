// The built sandbox as a process on a free port.
import { startProgram } from './program.ts'

/** Resolves when it answers. */
export async function startSandboxProgram(words: readonly string[], cwd: string) {
  const running = startProgram(['sandbox', '--port', '0', ...words], { cwd })
  await running.waitForStderr(/answers at http/)
  const url = /answers at (http:\S+?)\. /.exec(running.stderr())?.[1] ?? ''
  return {
    url,
    stop: async () => {
      running.signal('SIGTERM')
      await running.ended
    },
  }
}
