// `npm run bench -- memory [turns..]`: peak memory of runs of 10,000 and 100,000 turns, and of the commands
// that read them.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inFolder, measureRow, row, sizes } from './measured.ts'
import { startBenchServer } from './server.ts'

row('command', 'seconds', 'peak MB')
await inFolder(async (folder) => {
  const server = await startBenchServer({ answerBytes: 1000 })
  for (const turns of sizes([10_000, 100_000])) {
    const [set, out, cut] = ['set.csv', 'out', 'cut'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    writeSet(set, turns)
    const asking = ['run', set, '--base-url', server.url, '--rate', 'unlimited', '--out']
    const most = ['--max-calls', String(Math.floor(0.9 * turns))]
    const steps: [string, string[], number?][] = [
      ['validate', ['validate', set]],
      ['run', [...asking, out]],
      ['report', ['report', out]],
      ['run, nine tenths', [...asking, cut, ...most], 4],
      ['run --resume, the rest', ['run', '--resume', cut, '--max-calls', String(turns)]],
    ]
    for (const [name, words, code = 0] of steps)
      await measureRow(`${turns} turns: ${name}`, folder, words, [code])
    for (const each of [out, cut]) rmSync(each, { recursive: true })
  }
})
console.log(
  `(Node ${process.version}; goal of 100,000: 300 MB; distinct questions, half of them in threads of 4)`,
)

/**
 * Distinct messages of 60 to 100 characters; of every eight rows the last four are a conversation; ten tags.
 */
function writeSet(path: string, turns: number): void {
  const rows = Array.from({ length: turns }, (_, place) => {
    const thread = place % 8 < 4 ? '' : `conversation ${Math.floor(place / 8)}`
    const more = ' since it does not work at the office any more'.slice(0, place % 40)
    return `${thread},How do I set up device number ${place} for a colleague of mine${more}?,tag ${place % 10}\n`
  })
  writeFileSync(path, `thread,message,tags\n${rows.join('')}`)
}
