// Several processes race for the lock that a dead one left: one gets it, in every round.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockFolder } from '../../src/cli/folder-lock.ts'
import { oneModule } from '../support/one-module.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
/** More than any process has. */
const DEAD = 2 ** 22 + 1
const stale = (number: number): string => JSON.stringify({ pid: DEAD, host: hostname(), born: `${number}` })

/** What keeps others from replacing a lock of this text. */
const guardOf = (path: string, text: string): string =>
  join(path, `lock.${createHash('sha256').update(text).digest('hex').slice(0, 16)}`)

interface Racer {
  readonly child: ChildProcessWithoutNullStreams
  /** Resolves when it has said so, or has ended. */
  readonly says: (pattern: RegExp) => Promise<void>
  /** The rounds that it won. */
  readonly end: () => Promise<number[]>
}

function startRacer(script: string): Racer {
  const child = spawn(process.execPath, [script, '10'], { cwd: folder })
  const closed = once(child, 'close')
  let [said, complaint] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
  return {
    child,
    says: async (pattern) => {
      while (!pattern.test(said) && child.exitCode === null)
        await Promise.race([once(child.stdout, 'data'), closed])
    },
    end: async () => {
      child.stdin.end()
      await closed
      expect(complaint).toBe('')
      return JSON.parse(said.replace('ready ', '')) as number[]
    },
  }
}

test(
  'of processes that race for a stale lock one holds it, round after round',
  { timeout: 60_000 },
  async () => {
    const [racers, rounds] = [5, 150]
    for (let round = 0; round < rounds; round += 1) {
      mkdirSync(join(folder, `${round}`))
      writeFileSync(join(folder, `${round}`, 'lock'), stale(round))
      // Every third time, a process died while it took the lock over, too.
      if (round % 3 === 0) writeFileSync(guardOf(join(folder, `${round}`), stale(round)), stale(-round))
    }
    const script = join(folder, 'racer.mjs')
    const lockModule = await oneModule('cli/folder-lock.ts', folder)
    writeFileSync(
      script,
      `import { lockFolder } from ${JSON.stringify(lockModule)}
process.stdout.write('ready ')
const start = await new Promise(resolve => process.stdin.once('data', text => resolve(Number(text))))
const gap = Number(process.argv[2])
const won = []
for (let round = 0; round < ${rounds}; round += 1) {
  while (Date.now() < start + round * gap);
  try { lockFolder(String(round)); won.push(round) } catch (error) { if (error.name !== 'UsageError' && !/being written/.test(error.message)) throw error }
}
console.log(JSON.stringify(won))
await new Promise(resolve => process.stdin.once('end', resolve).resume())
process.exit(0)
`,
    )
    const children = Array.from({ length: racers }, () => startRacer(script))
    // They start when all are ready, and live until all are done: a winner that ended would lose its lock.
    await Promise.all(children.map(async ({ says }) => says(/ready/)))
    for (const { child } of children) child.stdin.write(String(Date.now() + 50))
    await Promise.all(children.map(async ({ says }) => says(/\]/)))
    const wins = await Promise.all(children.map(async ({ end }) => end()))
    const holders = Array.from(
      { length: rounds },
      (_, round) => wins.filter((won) => won.includes(round)).length,
    )
    expect(holders).toEqual(Array.from({ length: rounds }, () => 1))
    // Nothing but the lock is left behind.
    for (let round = 0; round < rounds; round += 1)
      expect(readdirSync(join(folder, `${round}`))).toEqual(['lock'])
  },
)

test('a lock that another has taken meanwhile is not given back', () => {
  const path = join(folder, 'taken')
  mkdirSync(path)
  const unlock = lockFolder(path)
  writeFileSync(join(path, 'lock'), stale(1))
  unlock()
  expect(readFileSync(join(path, 'lock'), 'utf8')).toBe(stale(1))
})
