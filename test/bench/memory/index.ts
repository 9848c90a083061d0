// `npm run bench -- memory`: the most memory that runs of 10 k and 100 k turns hold, by phase, and what reads them after.
// Sizes can be named (`-- 10k 100k`); the endpoint is a process of its own.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { watch, type Watched } from './watched.ts'

interface Shape {
  readonly name: string
  readonly turns: number
  readonly answerBytes: number
}

const SHAPES: readonly Shape[] = [
  { name: '10k', turns: 10_000, answerBytes: 1000 },
  { name: '100k', turns: 100_000, answerBytes: 1000 },
]

/** Of 100,000 turns. */
const GOAL_MB = 300

const folder = mkdtempSync(join(tmpdir(), 'assist-harness-memory-'))
const wanted = process.argv.slice(2)
try {
  row('set', 'command', 'seconds', 'peak MB', 'read', 'ask', 'report')
  for (const shape of SHAPES) if (wanted.length === 0 || wanted.includes(shape.name)) await measure(shape)
  console.log(
    `(Node ${process.version}; goal of 100k: ${GOAL_MB} MB; megabytes of resident memory; distinct questions, half of them in threads of 4)`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function measure({ name, turns, answerBytes }: Shape): Promise<void> {
  const set = join(folder, `${name}.csv`)
  writeSet(set, turns)
  const out = join(folder, name)
  const endpoint = fork(fileURLToPath(new URL('endpoint.ts', import.meta.url)), [String(answerBytes)], {
    execArgv: ['--import', 'tsx'],
  })
  const [port] = (await once(endpoint, 'message')) as [number]
  const asking = ['--base-url', `http://127.0.0.1:${port}`, '--rate', 'unlimited']
  try {
    tell(name, 'validate', await watch({ words: ['validate', set], cwd: folder }))
    tell(name, 'run', await watch({ words: ['run', set, ...asking, '--out', out], cwd: folder, run: out }))
    tell(name, 'report', await watch({ words: ['report', out], cwd: folder }))
    rmSync(out, { recursive: true })
    // Killed where most of it is done: of each turn the journal holds some 900 bytes beside the answer.
    const killAt = turns * 0.9 * (900 + answerBytes)
    await watch({ words: ['run', set, ...asking, '--out', out], cwd: folder, run: out, killAt })
    tell(name, '--resume', await watch({ words: ['run', '--resume', out], cwd: folder, run: out }))
  } finally {
    endpoint.disconnect()
    rmSync(out, { recursive: true, force: true })
    rmSync(set)
  }
}

/** Messages of 60 to 100 characters, none twice; every second half of eight rows is a conversation; ten tags. */
function writeSet(path: string, turns: number): void {
  const file = openSync(path, 'w')
  let text = 'thread,message,tags\n'
  for (let place = 0; place < turns; place += 1) {
    const thread = place % 8 < 4 ? '' : `conversation ${Math.floor(place / 8)}`
    const more = ' since it does not work at the office any more'.slice(0, place % 40)
    text += `${thread},How do I set up device number ${place} for a colleague of mine${more}?,tag ${place % 10}\n`
    if (text.length < 2 ** 20) continue
    writeSync(file, text)
    text = ''
  }
  writeSync(file, text)
  closeSync(file)
}

function tell(set: string, command: string, { seconds, peak, phases }: Watched): void {
  const cell = (megabytes: number): string => (megabytes === 0 ? '' : megabytes.toFixed(0))
  const { read, ask, report } = phases
  row(set, command, seconds.toFixed(1), peak.toFixed(0), cell(read), cell(ask), cell(report))
}

function row(...cells: readonly string[]): void {
  console.log(
    cells
      .map((cell) => cell.padEnd(10))
      .join(' ')
      .trimEnd(),
  )
}
