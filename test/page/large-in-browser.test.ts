// The report page of a large run, in a real browser.
import { describe, expect, test } from 'vitest'
import { findChromium } from '../support/browser.ts'
import { manyPageTurns } from '../support/page-turns.ts'
import { writePage } from '../support/report-page.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { useBrowser } from '../support/watched-browser.ts'

const chromium = findChromium()
const folder = temporaryFolder()

describe.skipIf(chromium === undefined)('the report page', () => {
  const watched = useBrowser(chromium)

  test('twenty thousand turns open, and the search answers at once', async () => {
    const turns = Array.from(manyPageTurns(20_000), (turn) => ({ ...turn, thread: turn.id, turn: 1 }))
    const large = writePage(folder, 'large', { turns })
    const page = await watched.open(large)
    expect(await page.locator('.conversation').count()).toBeLessThanOrEqual(150)
    await page.getByLabel('Search', { exact: true }).fill('number 19999?')
    await page.getByText('1 question of 20,000, in 1 conversation.').waitFor({ timeout: 10_000 })
    await page.goto(`${large}#q=question-19998`)
    await page.locator('.turn:focus').waitFor()
    await page.goto(`${large}#filter=tag:vpn&sort=slowest`)
    await page.locator('.status', { hasText: ' conversations' }).waitFor()
    // The answers on paper are unpacked beforehand, which takes a moment.
    const print = async (): Promise<number> => {
      await page.evaluate("dispatchEvent(new Event('afterprint')); dispatchEvent(new Event('beforeprint'))")
      return page.locator('li.turn.muted').count()
    }
    await expect.poll(print, { timeout: 15_000, interval: 500 }).toBe(0)
    expect(await page.locator('.turn .answer .passage').count()).toBe(300)
    await page.emulateMedia({ media: 'print' })
    const told = page.locator('.paper', { hasText: 'The first 300 conversations are printed' })
    expect(await told.isVisible()).toBe(true)
    expect(watched.said()).toEqual([])
  })
})
