// Journeys through the pages of a recorded run and a recorded comparison in a real browser, which remembers all that it asked for and said.
import { cpSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compare } from '../../src/library/compare.ts'
import { report } from '../../src/library/report.ts'
import { recordedFolder } from '../recorded/reckon.ts'
import { findChromium } from '../support/browser.ts'
import { pageAssets } from '../support/report-page.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { faultsOf, useBrowser } from '../support/watched-browser.ts'

const scratch = temporaryFolder()

const pages = {
  hostile: async () => runPage('hostile'),
  repeats: async () => runPage('repeats'),
  compared: async () => {
    const [baseline, candidate] = ['baseline', 'candidate'].map((part) =>
      join(recordedFolder, 'compared-kinds', part),
    ) as [string, string]
    const out = join(scratch, 'compared')
    await compare({ baseline, candidates: [candidate], out })
    return `file://${out}/report.html`
  },
}

async function runPage(name: string): Promise<string> {
  const folder = join(scratch, name)
  cpSync(join(recordedFolder, name), folder, { recursive: true })
  await report({ run: join(folder, 'run') })
  return `file://${folder}/run/report.html`
}

test('the page without its data weighs at most 80 KB', () => {
  const { script, style } = pageAssets()
  expect(Buffer.byteLength(script + style)).toBeLessThanOrEqual(80_000)
})

const chromium = findChromium()

describe.skipIf(chromium === undefined)('in a browser', () => {
  const browser = useBrowser(chromium, '.badge')

  test.each(Object.entries(pages))(
    'the page of %s has no fault that axe knows, light and dark, wide and narrow',
    async (_, made) => {
      const address = await made()
      for (const colorScheme of ['light', 'dark'] as const) {
        for (const width of [1280, 360]) {
          const page = await browser.open(address, {
            bypassCSP: true,
            colorScheme,
            viewport: { width, height: 740 },
          })
          for (const tab of await page.locator('header nav a').all()) {
            await tab.click()
            expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
            expect(await faultsOf(page)).toEqual([])
          }
          await page.context().close()
        }
      }
      expect(browser.said()).toEqual([])
    },
  )

  test('a figure leads to its conversations, and the address keeps what was asked', async () => {
    const page = await browser.open(await pages.repeats())
    await page.getByRole('link', { name: /^Passed/ }).click()
    await page.getByRole('searchbox').waitFor()
    expect(await page.getByRole('searchbox').inputValue()).toContain('is:failed')
    const found = await page.getByRole('status').innerText()
    await page.reload()
    await page.getByRole('searchbox').waitFor()
    expect(await page.getByRole('status').innerText()).toBe(found)
    await page.getByRole('searchbox').fill('no question has these words')
    await page.getByText('No conversation matches.').waitFor()
    expect(browser.said()).toEqual([])
    await page.context().close()
  })

  test('a review is kept over a reload and downloaded as reviews.csv', async () => {
    const page = await browser.open(`${await pages.repeats()}#conversations`)
    const rate = page.getByRole('group', { name: 'Rate this answer' }).first().getByRole('button').first()
    await rate.click()
    await page.reload()
    await page.getByRole('button', { name: 'Download 1 review' }).waitFor()
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download 1 review' }).click(),
    ])
    expect(readFileSync(await saved.path(), 'utf8')).toMatch(
      /^\uFEFF"id","answer","review","note"\r?\n"steady","answer to: Steady\?","good",""/,
    )
    await page.context().close()
  })

  test('without a script it still shows the overview, and where the conversations are', async () => {
    const address = await pages.hostile()
    const page = await browser.open(address, { javaScriptEnabled: false })
    expect(await page.locator('.badge').innerText()).toMatch(/Failed/)
    expect(await page.locator('main').innerText()).toContain('results.csv')
    await page.context().close()
  })

  test('prints on paper', async () => {
    const address = await pages.repeats()
    const page = await browser.open(address)
    const pdf = join(scratch, 'page.pdf')
    await page.pdf({ path: pdf })
    expect(statSync(pdf).size).toBeGreaterThan(5000)
    await page.context().close()
  })
})
