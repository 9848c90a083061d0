// Runs commands of the built program in processes that are reused: same arguments, environment, folder,
// streams and exit code as the program, without its start-up time. Tests of signals, and of keys that an
// earlier command knew, need `runProgram`.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ProgramResult, ProgramOptions } from './program.ts'

const idle: ChildProcess[] = []

/** Uses an idle process or starts a new one. */
export async function runResident(
  words: readonly string[],
  { cwd, env = {} }: ProgramOptions,
): Promise<ProgramResult> {
  const child = idle.pop() ?? (await startResident())
  child.send({ words, cwd, env: { PATH: process.env['PATH'] ?? '', HOME: cwd, ...env } })
  const [{ code, screen }] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([ended]) => {
      throw new Error(`the process ended with ${String(ended)} during ${words.join(' ')}`)
    }),
  ])) as [{ code: number; screen: [stream: 'stdout' | 'stderr', text: string][] }]
  idle.push(child)
  const said = (stream: string): string =>
    screen
      .filter(([of]) => of === stream)
      .map(([, text]) => text)
      .join('')
  const [stdout, stderr] = [said('stdout'), said('stderr')]
  return { code, stdout, stderr, screen: stderr + stdout }
}

/** Ends with this process. */
async function startResident(): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL('resident.mjs', import.meta.url)), {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  child.setMaxListeners(0)
  await once(child, 'message')
  return child
}
