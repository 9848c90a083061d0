// Runs commands of the built program in processes that are reused: same arguments, environment, folder,
// streams and exit code as the program, without its start-up time. Tests of signals, of process titles and of
// what only `main.js` does need `startProgram`.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ProgramResult, ProgramOptions } from './program.ts'

/** Idle processes, by the certificates that they trust: Node reads them when it starts. */
const idle = new Map<string, ChildProcess[]>()

/** Uses an idle process or starts a new one. */
export async function runResident(
  words: readonly string[],
  { cwd, env = {} }: ProgramOptions,
): Promise<ProgramResult> {
  const trusted = env['NODE_EXTRA_CA_CERTS'] ?? ''
  const free = idle.get(trusted) ?? []
  idle.set(trusted, free)
  const child = free.pop() ?? (await startResident(trusted))
  child.send({ words, cwd, env: { PATH: process.env['PATH'] ?? '', HOME: cwd, ...env } })
  const { code, screen } = (await messageOf(child, words.join(' '))) as {
    readonly code: number
    readonly screen: readonly [stream: 'stdout' | 'stderr', text: string][]
  }
  free.push(child)
  const said = (stream: string): string =>
    screen
      .filter(([of]) => of === stream)
      .map(([, text]) => text)
      .join('')
  const [stdout, stderr] = [said('stdout'), said('stderr')]
  return { code, stdout, stderr, screen: stderr + stdout }
}

/** Ends with this process. */
async function startResident(trusted: string): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL('resident.mjs', import.meta.url)), {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: trusted === '' ? process.env : { ...process.env, NODE_EXTRA_CA_CERTS: trusted },
  })
  child.setMaxListeners(0)
  await messageOf(child, 'its start')
  return child
}

/** The next message. Rejects if the process ends instead. */
async function messageOf(child: ChildProcess, during: string): Promise<unknown> {
  const exit = once(child, 'exit').then(([code]) => {
    throw new Error(`the process ended with ${String(code)} during ${during}`)
  })
  const [message] = (await Promise.race([once(child, 'message'), exit])) as [unknown]
  return message
}

/** Ends the idle processes that trust certificates in a folder, which is removed. */
export function endResidents(folder: string): void {
  for (const [trusted, children] of idle) {
    if (!trusted.startsWith(folder)) continue
    idle.delete(trusted)
    for (const child of children) child.disconnect()
  }
}
