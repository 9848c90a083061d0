// `npm run bench -- report [turns..]`: how large the report page is, and how long it takes to write, open, search and filter.
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import type { PageTurn } from '../../src/domain/conversations.ts'
import type { Document } from '../../src/report/document.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { findChromium, openBrowser } from '../support/browser.ts'
import { pageAssets, pageTurn, writePage } from '../support/report-page.ts'
import { inFolder } from './measured.ts'

const EMPTY: Document = {
  title: ['bench'],
  facts: '',
  at: null,
  verdict: { tone: 'good', word: 'Passed', reason: '' },
  sections: [{ id: 'conversations', title: 'Conversations', blocks: [] }],
}
const WORDS =
  'open the portal choose your name confirm with a code and wait for the message that says your request was taken within two working days'.split(
    ' ',
  )

const asked = process.argv.slice(2).map(Number)
const SIZES = asked.length > 0 ? asked : [1000, 20_000, 100_000]

const { script, style } = pageAssets()
const bare = script + style
console.log(`page without data: ${bare.length} bytes, ${gzipSync(bare).length} packed`)
const chromium = findChromium()
if (chromium === undefined) throw new Error('no Chromium was found; CHROMIUM_PATH names one')
const browser = await openBrowser(chromium)
try {
  await inFolder(async (folder) => {
    for (const size of SIZES) await measure(folder, size)
  })
} finally {
  await browser.close()
}

async function measure(folder: string, size: number): Promise<void> {
  const turns = manyTurns(size)
  const [address, writing] = await timed(async () => writePage(folder, `run-${size}`, EMPTY, turns))
  const bytes = statSync(fileURLToPath(address)).size
  // Waiting for a condition evaluates text, which the page forbids.
  const page = await browser.newPage({ bypassCSP: true })
  // Tasks of more than 50 ms: what a person feels as a stutter.
  await page.addInitScript(
    'globalThis.tasks = []; new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) tasks.push(Math.round(duration)) }).observe({ type: "longtask" })',
  )
  const [, opening] = await timed(async () => {
    await page.goto(`${address}#conversations`)
    await page.locator('.turn').first().waitFor()
  })
  const whileOpening = await longTasks(page)
  // From the start of the navigation: when the first words stood on the screen.
  const painted = Math.round(
    Number(
      await page.evaluate('performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN'),
    ),
  )
  const [, searching] = await timed(async () => search(page, `number ${size - 1}?`, '1 question in '))
  const [, again] = await timed(async () => search(page, `number ${size - 2}?`, '1 question in '))
  const [, wide] = await timed(async () => search(page, 'portal', ' conversations'))
  const [, filtering] = await timed(async () => search(page, 'is:failed tag:vpn', ' conversations'))
  console.log(
    `${size} turns: ${(bytes / 1e6).toFixed(2)} MB, written in ${writing} ms, first paint after ${painted} ms, ` +
      `opened in ${opening} ms (long tasks ${whileOpening}), one found in ${searching} ms, another in ${again} ms, ` +
      `many in ${wide} ms, filtered in ${filtering} ms (${await longTasks(page)})`,
  )
  await page.close()
}

async function search(page: Page, typed: string, told: string): Promise<void> {
  await page.getByLabel('Search conversations').fill(typed)
  await page.waitForFunction(
    `location.hash.includes(${JSON.stringify(encodeURIComponent(typed))}) && document.querySelector("[role=status]").textContent.includes(${JSON.stringify(told)})`,
  )
}

async function longTasks(page: Page): Promise<string> {
  return String(
    await page.evaluate(
      'tasks.length === 0 ? "none over 50 ms" : "longest " + Math.max(...tasks.splice(0)) + " ms"',
    ),
  )
}

async function timed<T>(act: () => Promise<T>): Promise<readonly [T, number]> {
  const from = performance.now()
  const value = await act()
  return [value, Math.round(performance.now() - from)]
}

/** Threads of four turns, every tenth turn failed; answers of about 90 words, no two alike. */
function manyTurns(count: number): PageTurn[] {
  const random = seededRandom(1)
  const answer = (): string =>
    Array.from({ length: 90 }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ')
  return Array.from({ length: count }, (_, at) =>
    pageTurn({
      id: `q${at}`,
      thread: `t${Math.floor(at / 4)}`,
      turn: (at % 4) + 1,
      message: `Question number ${at}?`,
      answer: answer(),
      passed: at % 10 !== 0,
    }),
  )
}
