// `npm run bench -- start`: the time of a command to its end, and of a run to its first call, beside a bare
// `node -e 0`. Medians of alternating starts, so that the load of the machine affects all equally.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { main, projectRoot } from '../support/program.ts'
import { type GoalName, goalOf } from './goals.ts'
import { BENCH_ENV, inFolder, median, row } from './measured.ts'

const STARTS = 15
const quickstart = join(projectRoot, 'datasets/quickstart.csv')

await inFolder(async (folder) => {
  const small = join(folder, 'small.csv')
  writeFileSync(small, 'message\nHow do I reset my password?\nWho fixes the printer?\n')
  // In this process, so that the time of a call is known. It never answers.
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let runs = 0
  /** Milliseconds until the program ends, or until `until` resolves. */
  const start = async (words: readonly string[], until?: () => Promise<unknown>): Promise<number> => {
    const startedAt = performance.now()
    const child = spawn(process.execPath, words, { cwd: folder, env: BENCH_ENV, stdio: 'ignore' })
    const ended = once(child, 'close')
    const early = ended.then(() => {
      throw new Error(`${words.join(' ')} ended without a call`)
    })
    early.catch(() => undefined)
    await (until === undefined ? ended : Promise.race([until(), early]))
    const ms = performance.now() - startedAt
    child.kill('SIGKILL')
    await ended
    return ms
  }
  const toFirstCall = async (set: string): Promise<number> => {
    runs += 1
    return start([main, 'run', set, '--base-url', url, '--out', `run-${runs}`], async () =>
      once(server, 'request'),
    )
  }
  const cases: [name: string, goal: GoalName | undefined, measure: () => Promise<number>][] = [
    ['node -e 0', undefined, async () => start(['-e', '0'])],
    ['assist-harness --help', 'help', async () => start([main, '--help'])],
    ['assist-harness run --help', undefined, async () => start([main, 'run', '--help'])],
    ['first call, 2 questions', 'firstCall', async () => toFirstCall(small)],
    ['first call, quickstart.csv', 'firstCall', async () => toFirstCall(quickstart)],
  ]
  const times = cases.map((): number[] => [])
  for (let round = 0; round < STARTS; round += 1)
    for (const [place, [, , one]] of cases.entries()) times[place]?.push(await one())
  server.close()
  server.closeAllConnections()
  row(`medians of ${STARTS}, Node ${process.version}`, 'ms', 'least', 'of bare', 'goal')
  for (const [place, [name, goal]] of cases.entries()) {
    const [own = [], bare = []] = [times[place], times[0]]
    row(
      name,
      median(own).toFixed(0),
      Math.min(...own).toFixed(0),
      (median(own) / median(bare)).toFixed(2),
      goal === undefined ? '' : goalOf(goal),
    )
  }
})
