// Processes of the benches: a server, and generators that measure themselves.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { pinnedTo } from './cores.ts'

export interface BenchServer {
  readonly url: string
  /** Returns how many requests it has answered. */
  readonly stop: () => Promise<number>
}

/** One that says how many requests it has answered while it runs. */
export interface CountingServer {
  readonly url: string
  readonly name: string
  readonly answered: () => Promise<number>
  readonly stop: () => Promise<void>
}

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Plain JavaScript, as the package ships it: what runs TypeScript directly names every closure anew, at each call. */
export function compile(name: string): string {
  const outfile = pathOf(`../../../node_modules/.cache/assist-harness-bench/${name.replace(/ts$/, 'mjs')}`)
  buildSync({
    entryPoints: [pathOf(name)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  })
  return outfile
}

interface Started {
  readonly child: ChildProcess
  readonly text: () => string
}

function start(name: string, words: readonly string[], core?: number): Started {
  const whole = [process.execPath, compile(name), ...words] as const
  const [command, ...rest] = core === undefined ? whole : pinnedTo(core, [...whole])
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more
  })
  return { child, text: () => text }
}

/** `core`: what it runs on, where that matters. */
export async function startBenchServer(core?: number): Promise<BenchServer> {
  const { child, text } = start('server.ts', [], core)
  while (!text().includes('\n')) await once(child.stdout ?? child, 'data')
  const url = text().trim()
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM')
      await once(child, 'close')
      return Number(text().trim().split('\n').at(-1))
    },
  }
}
