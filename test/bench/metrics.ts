// `npm run bench -- metrics`: what a scrape costs a run, as the ratio of its time to that of the same run alone.
import { setTimeout as sleep } from 'node:timers/promises'
import { startProgram } from '../support/program.ts'
import { BENCH_ENV, inFolder, measure, median, row, writeQuestions } from './measured.ts'
import { startBenchServer } from './server.ts'

const [QUESTIONS, ROUNDS, SCRAPE_MS] = [2000, 5, 500]

await inFolder(async (folder) => {
  const server = await startBenchServer({ afterMs: 5 })
  const set = writeQuestions(folder, QUESTIONS)
  const words = ['run', set, '--base-url', server.url, '--rate', 'unlimited', '--concurrency', '16']
  const [alone, scraped]: [number[], number[]] = [[], []]
  let scrapes = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push((await measure(folder, [...words, '--out', `alone-${round}`])).seconds)
    const began = performance.now()
    const running = startProgram([...words, '--out', `scraped-${round}`, '--metrics', '0'], {
      cwd: folder,
      env: BENCH_ENV,
    })
    const ended = { is: false }
    void running.ended.then(() => (ended.is = true))
    while (!ended.is) {
      const [url] = /http:\S+\/metrics/.exec(running.stderr()) ?? []
      if (url !== undefined)
        scrapes += await fetch(url).then(
          () => 1,
          () => 0,
        )
      await sleep(SCRAPE_MS)
    }
    scraped.push((performance.now() - began) / 1000)
  }
  row(`${QUESTIONS} questions, seconds alone`, median(alone).toFixed(2))
  row(`scraped every ${SCRAPE_MS} ms (${scrapes} times)`, median(scraped).toFixed(2))
  row('ratio', (median(scraped) / median(alone)).toFixed(2))
})
