// `npm run bench -- pages [turns]`: in Chromium, the report page of many turns, and the workbench over 200 runs and
// a large one. Figures are medians; an empty page, opened in the same rounds, says how busy the machine is.
import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { findChromium, openBrowser } from '../support/browser.ts'
import { projectRoot, startProgram } from '../support/program.ts'
import { goalOf } from './goals.ts'
import { BENCH_ENV, inFolder, measure, median, peakOf, row, writeQuestions } from './measured.ts'

const RUNS = 200
const ROUNDS = 5
const turns = Number(process.argv[2] ?? 20_000)

const chromium = findChromium()
if (chromium === undefined) throw new Error('no Chromium was found; CHROMIUM_PATH names one')
const browser = await openBrowser(chromium)
try {
  await inFolder(async (folder) => {
    await makeRuns(folder)
    row('milliseconds', 'list', 'opened', 'search')
    row('goals of 20,000 turns', ...(['list', 'open', 'search'] as const).map(goalOf))
    await measureReport(folder)
    await measureWorkbench(folder)
  })
} finally {
  await browser.close()
}

/** A large run, and copies of one of the shipped questions, each with its id and time. */
async function makeRuns(folder: string): Promise<void> {
  const [first, set] = [join(folder, 'first'), join(projectRoot, 'datasets/quickstart.csv')]
  const sandbox = ['--sandbox', '--rate', 'unlimited', '--out']
  await measure(folder, ['run', writeQuestions(folder, turns), ...sandbox, 'runs/large'])
  await measure(folder, ['run', set, ...sandbox, first])
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

async function measureReport(folder: string): Promise<void> {
  const path = join(folder, 'runs/large/report.html')
  const [empty, opened, searched] = [[], [], []] as [number[], number[], number[]]
  for (let round = 0; round < ROUNDS; round += 1) {
    const page = await browser.newPage()
    empty.push(await open(page, 'data:text/html,<main>empty</main>', 'main'))
    opened.push(await open(page, `file://${path}#conversations`, '.turn'))
    searched.push(await search(page))
    await page.close()
  }
  row('an empty page', '', median(empty))
  row(`report.html, ${(statSync(path).size / 1e6).toFixed(1)} MB`, '', median(opened), median(searched))
}

async function measureWorkbench(folder: string): Promise<void> {
  const view = startProgram(['view', 'runs', '--no-open', '--port', '0'], { cwd: folder, env: BENCH_ENV })
  await view.waitForStderr(/The workbench serves/)
  const { url } = JSON.parse(readFileSync(join(folder, 'runs/.workbench.json'), 'utf8')) as { url: string }
  const { origin } = new URL(url)
  const page = await browser.newPage()
  const [list, opened, searched] = [[], [], []] as [number[], number[], number[]]
  for (let round = 0; round < ROUNDS; round += 1) {
    list.push(await open(page, round === 0 ? url : origin, `tbody tr:nth-child(${RUNS})`))
    opened.push(await open(page, `${origin}/run?path=large#conversations`, '.turn'))
    searched.push(await search(page))
  }
  row(`workbench, ${RUNS} runs`, median(list), median(opened), median(searched))
  for (let number = 0; number < 10; number += 1)
    await open(
      page,
      `${origin}/run?path=${number % 2 === 0 ? 'large' : `night-${number}`}#conversations`,
      '.turn',
    )
  row('its server, at most MB', peakOf(view.pid).toFixed(0))
  view.signal('SIGTERM')
  await view.ended
}

async function open(page: Page, url: string, ready: string): Promise<number> {
  return timed(async () => {
    await page.goto(url)
    await page.locator(ready).first().waitFor()
  })
}

async function search(page: Page): Promise<number> {
  return timed(async () => {
    await page.getByLabel('Search conversations').fill(`Question ${turns - 1}?`)
    await page.getByText('1 of 1 · 1 question').waitFor()
  })
}

async function timed(act: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await act()
  return Math.round(performance.now() - began)
}
