// `npm run bench -- report [turns..]`: size of the report page, and time to write, open, search and filter
// it.
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import type { PageTurn } from '../../src/domain/conversations.ts'
import type { Document } from '../../src/report/document.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { findChromium, openBrowser } from '../support/browser.ts'
import { pageAssets, pageTurn, writePage } from '../support/report-page.ts'
import { inFolder, row, sizes } from './measured.ts'

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

const { script, style } = pageAssets()
console.log(
  `page without data: ${script.length + style.length} bytes, ${gzipSync(script + style).length} packed`,
)
const chromium = findChromium()
if (chromium === undefined) throw new Error('no Chromium was found; CHROMIUM_PATH names one')
const browser = await openBrowser(chromium)
row('turns; milliseconds', 'MB', 'written', 'opened', 'found', 'filtered')
try {
  await inFolder(async (folder) => {
    for (const size of sizes([1000, 20_000, 100_000])) await measurePage(folder, size)
  })
} finally {
  await browser.close()
}
console.log('goal of 20,000: opened in 1000, searched in 500')

async function measurePage(folder: string, size: number): Promise<void> {
  const turns = manyTurns(size)
  const [address, writing] = await timed(async () => writePage(folder, `run-${size}`, EMPTY, turns))
  const megabytes = statSync(fileURLToPath(address)).size / 1e6
  // waitForFunction evaluates text, which the page's content security policy forbids.
  const page = await browser.newPage({ bypassCSP: true })
  const [, opening] = await timed(async () => {
    await page.goto(`${address}#conversations`)
    await page.locator('.turn').first().waitFor()
  })
  const [, searching] = await timed(async () => search(page, `number ${size - 1}?`, '1 question in '))
  const [, filtering] = await timed(async () => search(page, 'is:failed tag:vpn', ' conversations'))
  row(String(size), megabytes.toFixed(2), writing, opening, searching, filtering)
  await page.close()
}

async function search(page: Page, typed: string, told: string): Promise<void> {
  await page.getByLabel('Search conversations').fill(typed)
  await page.waitForFunction(
    `location.hash.includes(${JSON.stringify(encodeURIComponent(typed))}) && document.querySelector("[role=status]").textContent.includes(${JSON.stringify(told)})`,
  )
}

async function timed<T>(act: () => Promise<T>): Promise<readonly [T, number]> {
  const from = performance.now()
  const value = await act()
  return [value, Math.round(performance.now() - from)]
}

/** Threads of four turns, every tenth turn failed, with distinct answers of about 90 words. */
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
