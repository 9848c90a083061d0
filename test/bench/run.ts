// `npm run bench:run`: time and memory of whole runs, by their number of turns and the length of the answers.
// The heap is capped at 256 MB: a run that held 400 MB of answers would die of it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEndpoint } from '../support/endpoint.ts'
import { projectRoot } from '../support/program.ts'

interface Measured {
  readonly turns: number
  readonly answerBytes: number
  readonly seconds: number
  readonly peakMb: number
  readonly resultsMb: number
}

const folder = mkdtempSync(join(tmpdir(), 'assist-harness-bench-'))

async function measure(turns: number, answerBytes: number): Promise<Measured> {
  const answer = 'x'.repeat(answerBytes)
  const endpoint = await startEndpoint(({ response, number }) => {
    const reply = {
      conversationId: `c${number}`,
      message: answer,
      status: 'success',
      contextSource: 'KNOWLEDGE_BASE',
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
    endpoint.calls.length = 0
    return true
  })
  const set = join(folder, `${turns}.csv`)
  const rows = Array.from(
    { length: turns },
    (_, place) => `Question number ${place} of the set?,tag${place % 10}`,
  )
  writeFileSync(set, `message,tags\n${rows.join('\n')}\n`)
  const out = join(folder, `run-${turns}-${answerBytes}`)
  const env = {
    ...process.env,
    ASSIST_API_KEY: 'bench-key-0123456789',
    NODE_OPTIONS: '--max-old-space-size=256',
  }
  const started = performance.now()
  const child = spawn(
    process.execPath,
    [
      join(projectRoot, 'dist/cli/main.js'),
      'run',
      set,
      '--base-url',
      endpoint.url,
      '--rate',
      'unlimited',
      '--out',
      out,
    ],
    { cwd: folder, env, stdio: 'ignore' },
  )
  let peakMb = 0
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid ?? 0))
  }, 20)
  const [code] = (await once(child, 'close')) as [number]
  clearInterval(watch)
  await endpoint.close()
  if (code !== 0) throw new Error(`the run ended with ${code}`)
  const seconds = (performance.now() - started) / 1000
  const resultsMb = statSync(join(out, 'results.csv')).size / 2 ** 20
  rmSync(out, { recursive: true })
  return { turns, answerBytes, seconds, peakMb, resultsMb }
}

/** The most memory the process has held so far, from the kernel; 0 once it is gone. */
function peakOf(pid: number): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes ?? 0) / 1024
  } catch {
    return 0
  }
}

const shapes: [number, number][] = [
  [1000, 200],
  [10_000, 200],
  [100_000, 200],
  [100_000, 4000],
]
try {
  const measured: Measured[] = []
  console.log('turns    answer   seconds  turns/s  peak MB  results.csv MB')
  for (const [turns, answerBytes] of shapes) {
    const one = await measure(turns, answerBytes)
    measured.push(one)
    const { seconds, peakMb, resultsMb } = one
    const cells = [
      turns,
      `${answerBytes} B`,
      seconds.toFixed(1),
      (turns / seconds).toFixed(0),
      peakMb.toFixed(0),
    ]
    console.log([...cells, resultsMb.toFixed(1)].map((cell) => String(cell).padEnd(8)).join(' '))
  }
  const [, , short, long] = measured
  if (short !== undefined && long !== undefined)
    console.log(`20 times longer answers take ${(long.peakMb / short.peakMb).toFixed(2)} times the memory`)
  console.log(`(Node ${process.version}; the endpoint runs in the process of this benchmark)`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
