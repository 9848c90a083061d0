// A command of the built program, watched from outside: the most memory it held, and until when in which phase.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { main } from '../../support/program.ts'

export type Phase = 'read' | 'ask' | 'report'

export interface Watched {
  readonly seconds: number
  /** Megabytes: the most of the whole command, as the kernel counted it. */
  readonly peak: number
  /** Megabytes: the most that was seen in each phase, looked at every 20 ms. */
  readonly phases: Readonly<Record<Phase, number>>
}

export interface Command {
  readonly words: readonly string[]
  readonly cwd: string
  /** The run folder, by which the phases are told; absent for a command that has one. */
  readonly run?: string
  /** Kills the command where the journal has grown to so many bytes. */
  readonly killAt?: number
}

const LOOK_MS = 20

export async function watch({ words, cwd, run, killAt }: Command): Promise<Watched> {
  const began = performance.now()
  const env = { ...process.env, ASSIST_API_KEY: 'bench-key-0123456789', NODE_OPTIONS: '' }
  const child = spawn(process.execPath, [main, ...words], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2000)
  })
  const phases = { read: 0, ask: 0, report: 0 }
  let peak = 0
  const timer = setInterval(() => {
    const { held, most } = memoryOf(child.pid ?? 0)
    const phase = run === undefined ? 'report' : phaseOf(run)
    phases[phase] = Math.max(phases[phase], held)
    peak = Math.max(peak, most)
    if (killAt !== undefined && run !== undefined && journalBytes(run) >= killAt) child.kill('SIGKILL')
  }, LOOK_MS)
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  clearInterval(timer)
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`${words.join(' ')} ended with ${code}: ${said}`)
  return { seconds: (performance.now() - began) / 1000, peak, phases }
}

function phaseOf(run: string): Phase {
  if (!existsSync(join(run, 'journal.ndjson'))) return 'read'
  try {
    return readFileSync(join(run, 'run.json'), 'utf8').includes('"state": "running"') ? 'ask' : 'report'
  } catch {
    return 'ask'
  }
}

function journalBytes(run: string): number {
  try {
    return statSync(join(run, 'journal.ndjson')).size
  } catch {
    return 0
  }
}

/** Megabytes held now, and the most so far; zeros once the process is gone. */
function memoryOf(pid: number): { readonly held: number; readonly most: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const read = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) / 1024
    return { held: read('VmRSS'), most: read('VmHWM') }
  } catch {
    return { held: 0, most: 0 }
  }
}
