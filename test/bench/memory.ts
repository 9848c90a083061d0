// `npm run bench -- memory [turns..]`: the most memory that runs of 10,000 and 100,000 turns hold, and what reads them after.
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { inFolder, measure, row } from './measured.ts'
import { startBenchServer } from './server.ts'

const asked = process.argv.slice(2).map(Number)
const SIZES = asked.length > 0 ? asked : [10_000, 100_000]

row('command', 'seconds', 'peak MB')
await inFolder(async (folder) => {
  const server = await startBenchServer({ answerBytes: 1000 })
  for (const turns of SIZES) {
    const set = join(folder, `${turns}.csv`)
    const [out, cut] = [join(folder, String(turns)), join(folder, `${turns}-cut`)]
    writeSet(set, turns)
    const asking = ['run', set, '--base-url', server.url, '--rate', 'unlimited', '--out']
    const most = ['--max-calls', String(Math.floor(0.9 * turns))]
    const steps: [string, string[], number[]?][] = [
      ['validate', ['validate', set]],
      ['run', [...asking, out]],
      ['report', ['report', out]],
      ['run, nine tenths', [...asking, cut, ...most], [4]],
      ['run --resume, the rest', ['run', '--resume', cut, '--max-calls', String(turns)]],
    ]
    for (const [name, words, codes] of steps) {
      const { seconds, peakMb } = await measure(folder, words, codes)
      row(`${turns} turns: ${name}`, seconds.toFixed(1), peakMb)
    }
    for (const each of [out, cut]) rmSync(each, { recursive: true })
  }
  await server.stop()
})
console.log(
  `(Node ${process.version}; goal of 100,000: 300 MB; distinct questions, half of them in threads of 4)`,
)

/** Messages of 60 to 100 characters, none twice; every second half of eight rows is a conversation; ten tags. */
function writeSet(path: string, turns: number): void {
  const file = openSync(path, 'w')
  writeSync(file, 'thread,message,tags\n')
  for (let place = 0; place < turns; place += 1) {
    const thread = place % 8 < 4 ? '' : `conversation ${Math.floor(place / 8)}`
    const more = ' since it does not work at the office any more'.slice(0, place % 40)
    const message = `How do I set up device number ${place} for a colleague of mine${more}?`
    writeSync(file, `${thread},${message},tag ${place % 10}\n`)
  }
  closeSync(file)
}
