// `npm run bench -- workbench [turns]`: the list of 200 runs and a large run in the workbench, in a browser; and
// the memory of its server after ten runs were opened.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findChromium, openBrowser } from '../support/browser.ts'
import { projectRoot, startProgram } from '../support/program.ts'
import { BENCH_ENV, inFolder, measure, peakOf, row, writeQuestions } from './measured.ts'

const RUNS = 200
const [turns = '20000'] = process.argv.slice(2)

const chromium = findChromium()
if (chromium === undefined) throw new Error('no Chromium was found; CHROMIUM_PATH names one')
const browser = await openBrowser(chromium)
try {
  await inFolder(async (folder) => {
    await makeRuns(folder)
    const set = writeQuestions(folder, Number(turns))
    await measure(folder, ['run', set, '--sandbox', '--rate', 'unlimited', '--out', 'runs/large'])
    await measureWorkbench(folder)
  })
} finally {
  await browser.close()
}

/** Of the shipped questions, each with an id and a time of its own. */
async function makeRuns(folder: string): Promise<void> {
  const first = join(folder, 'first')
  const set = join(projectRoot, 'datasets/quickstart.csv')
  await measure(folder, ['run', set, '--sandbox', '--rate', 'unlimited', '--out', first])
  for (let number = 0; number < RUNS; number += 1) {
    const to = join(folder, 'runs', `night-${number}`)
    cpSync(first, to, { recursive: true })
    const at = new Date(Date.UTC(2026, 0, 1 + number)).toISOString()
    for (const name of ['run.json', 'summary.json']) {
      const text = readFileSync(join(to, name), 'utf8')
      const id = /"(?:runId|id)": "([0-9a-f]{12})"/.exec(text)?.[1] ?? ''
      const dated = text.replace(/"startedAt": "[^"]*"/, `"startedAt": "${at}"`)
      writeFileSync(join(to, name), dated.replaceAll(id, `${id}-${number}`))
    }
  }
}

async function measureWorkbench(folder: string): Promise<void> {
  const view = startProgram(['view', 'runs', '--no-open', '--port', '0'], { cwd: folder, env: BENCH_ENV })
  await view.waitForStderr(/The workbench serves/)
  const { url } = JSON.parse(readFileSync(join(folder, 'runs/.workbench.json'), 'utf8')) as { url: string }
  const { origin } = new URL(url)
  const page = await browser.newPage()
  row('milliseconds', 'list', 'opened', 'search')
  for (let times = 0; times < 3; times += 1) {
    const list = await timed(async () => {
      await page.goto(times === 0 ? url : origin)
      await page
        .locator('tbody tr')
        .nth(RUNS - 1)
        .waitFor()
    })
    const opened = await timed(async () => {
      await page.goto(`${origin}/run?path=large#conversations`)
      await page.locator('.turn').first().waitFor()
    })
    const found = await timed(async () => {
      await page.getByLabel('Search conversations').fill(`Question ${Number(turns) - 1}?`)
      await page.getByText('1 question in ').waitFor()
    })
    row(`${RUNS} runs, ${turns} turns`, ...[list, opened, found].map(Math.round))
  }
  for (let times = 0; times < 10; times += 1) {
    await page.goto(`${origin}/run?path=${times % 2 === 0 ? 'large' : `night-${times}`}#conversations`)
    await page.locator('.turn').first().waitFor()
  }
  row('server, at most MB', peakOf(view.pid).toFixed(0))
  console.log('goals: list in 1000, opened in 1500, search in 200, server 250 MB')
  view.signal('SIGTERM')
  await view.ended
}

async function timed(act: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await act()
  return performance.now() - began
}
