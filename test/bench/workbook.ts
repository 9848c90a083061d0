// `npm run bench -- workbook [turns]`: time and peak memory of `results.xlsx`, beside the reports without it,
// and of reading it again.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { inFolder, measure, row, sizes, writeQuestions } from './measured.ts'
import { startBenchServer } from './server.ts'

await inFolder(async (folder) => {
  const server = await startBenchServer({ answerBytes: 1000 })
  row('command', 'seconds', 'peak MB')
  for (const turns of sizes([100_000])) {
    const out = join(folder, `out-${turns}`)
    const set = writeQuestions(folder, turns)
    await measure(folder, ['run', set, '--base-url', server.url, '--rate', 'unlimited', '--out', out])
    const workbook = join(out, 'results.xlsx')
    const step = async (name: string, words: readonly string[]) => {
      const measured = await measure(folder, words)
      row(`${turns} turns: ${name}`, measured.seconds.toFixed(1), measured.peakMb)
      return measured
    }
    const plain = await step('report', ['report', out])
    const excel = await step('report --excel', ['report', out, '--excel'])
    const ratio = (excel.seconds / plain.seconds).toFixed(2)
    console.log(`results.xlsx: ${(statSync(workbook).size / 1e6).toFixed(1)} MB; ${ratio} times as long`)
    await step('validate results.xlsx', ['validate', workbook])
    await step('report --excel, the old one read', ['report', out, '--excel'])
  }
})
console.log('goal of 100,000: 300 MB')
