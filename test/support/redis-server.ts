// A Redis server for one test, on a free port of this machine, without persistence, in a temporary folder.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'

/** Without redis-server the tests that need it are skipped with a warning. On CI they fail. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0
if (!hasRedis && process.env['CI'] !== 'true')
  console.warn('redis-server is not installed: the tests that need it are skipped')
export const skipsRedis = !hasRedis && process.env['CI'] !== 'true'

export type RedisServer = Awaited<ReturnType<typeof startRedis>>

/** `more`: further options of the server's command line. */
export async function startRedis(password?: string, more: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'assist-harness-redis-'))
  const port = await freePort()
  let running: ReturnType<typeof spawn> | undefined
  const words = `--port ${port} --bind 127.0.0.1 --appendonly no --save`.split(' ')
  words.push('', '--dir', folder)
  if (password !== undefined) words.push('--requirepass', password)
  const start = async (): Promise<void> => {
    running = spawn('redis-server', [...words, ...more], { stdio: 'ignore' })
    while (!(await answers(port))) await sleep(20)
  }
  const stop = async (): Promise<void> => {
    if (running === undefined) return
    const ended = once(running, 'exit')
    running.kill('SIGKILL')
    await ended
    running = undefined
  }
  await start()
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    start,
    /** Kills the server. Its data is lost. */
    stop,
    /** Stops answering and keeps its connections. After `resume` it carries out what arrived meanwhile. */
    hang: () => running?.kill('SIGSTOP'),
    resume: () => running?.kill('SIGCONT'),
    close: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
