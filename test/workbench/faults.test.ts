// Protects what an editor sees of runs without a terminal: names, what is to do, defaults, and faults that
// editors have met.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { report } from '../../src/library/index.ts'
import { recordedFolder } from '../recorded/cases.ts'
import { unpackRecorded } from '../recorded/run-case.ts'
import { findChromium } from '../support/browser.ts'
import { temporaryPaths } from '../support/temporary.ts'
import { findViolations, useBrowser } from '../support/watched-browser.ts'
import { openWorkbench } from '../support/workbench.ts'

const chromium = findChromium()
const pathOf = temporaryPaths()

describe.skipIf(chromium === undefined)('in a browser', () => {
  const browser = useBrowser(chromium, 'main')

  test('to do: a list by article, whose questions lead to their answers, and one page to print', async () => {
    const folder = pathOf()
    unpackRecorded(join(recordedFolder, 'articles'), folder)
    await report({ run: join(folder, 'run') })
    const rows = parse(readFileSync(join(folder, 'run/results.csv')), { columns: true, bom: true })
    const gap = (rows as Record<string, string>[]).find((row) => row['gap_cause'] !== '')
    const { url, origin } = await openWorkbench(folder)
    const page = await browser.open(url, { bypassCSP: true })
    await page.getByRole('link', { name: 'To do' }).click()
    const articles = page.locator('.article-to-do')
    await articles.first().waitFor()
    expect(await articles.locator('h3').allInnerTexts()).toEqual(['Resetting your password\npassword-reset'])
    // What another tab decides appears.
    const decided = { run: 'run', id: gap?.['id'], message: gap?.['message'], article: null, reviewer: 'Ada' }
    await page.evaluate(
      (body) =>
        fetch('/api/decide', { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
      JSON.stringify(decided),
    )
    await articles
      .nth(1)
      .getByText(gap?.['message'] ?? '')
      .waitFor()
    expect(await findViolations(page)).toEqual([])

    await page.emulateMedia({ media: 'print' })
    expect((await page.locator('body').innerText()).split('\n')[0]).toBe('To do in the articles')
    expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0)
    await page.emulateMedia({ media: 'screen' })

    await articles.getByRole('link').first().click()
    expect(page.url()).toBe(`${origin}/run?path=run#q=forgot-password`)
    await page.locator('.turn[aria-current=true][data-id=forgot-password]').waitFor()
  })
})
