// The built sandbox as a process of its own, on a port that is free.
import { startProgram } from './program.ts'

export interface SandboxProgram {
  readonly url: string
  stop(): Promise<void>
}

/** Resolves once it answers. */
export async function startSandboxProgram(words: readonly string[], cwd: string): Promise<SandboxProgram> {
  const running = startProgram(['sandbox', '--port', '0', ...words], { cwd })
  await running.says(/answers at http/)
  const url = /answers at (http:\S+?)\. /.exec(running.said())?.[1] ?? ''
  return {
    url,
    stop: async () => {
      running.signal('SIGTERM')
      await running.ended
    },
  }
}
