// history.html as a reader has it: charts and tables without a script, every width, hostile names.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { findChromium } from '../support/browser.ts'
import { chanceNights, nightOf, writeNight, type Night } from '../support/nights.ts'
import { PAGE_ATTACKS } from '../support/page-attacks.ts'
import { runProgram } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { faultsOf, useBrowser } from '../support/watched-browser.ts'

const chromium = findChromium()
const folder = temporaryFolder()
const pageOf = (name: string): string => `file://${join(folder, name, 'history.html')}`

async function make(name: string, nights: readonly Night[]): Promise<void> {
  for (const [number, night] of nights.entries()) {
    const run = writeNight(join(folder, name, `run ${number}`), night)
    writeFileSync(join(run, 'report.html'), `<title>Report of run ${number}</title><p>`)
  }
  const { code, stderr } = await runProgram(['history', name], { cwd: folder })
  expect(code, stderr).toBe(0)
}

/** Incomplete: the 4th and the 10th of twelve; other questions from the 6th. */
const MIXED = chanceNights(12, () => 0.8).map((night, number): Night => ({
  ...night,
  digest: number < 5 ? 'sha256:0' : 'sha256:1',
  state: number % 6 === 3 ? 'incomplete' : 'complete',
  quota: { calls: 2000, period: 'month' },
}))

describe.skipIf(chromium === undefined)('history.html in a browser', () => {
  const watched = useBrowser(chromium, '#overview-months')
  beforeAll(async () => {
    await make('mixed', MIXED)
    await make(
      'one',
      chanceNights(1, () => 0.8),
    )
    await make(
      'hostile',
      PAGE_ATTACKS.slice(0, -1).flatMap((text) =>
        [0, 1].map((night): Night => ({
          startedAt: nightOf(night),
          id: `${text}${night}`,
          set: text,
          digest: `${night}`,
          target: { name: text.slice(0, 50), organization: text },
        })),
      ),
    )
  })

  test('the charts need no script: lines that break, hollow runs beside, a mark; then the tables', async () => {
    const page = await watched.open(pageOf('mixed'), { javaScriptEnabled: false })
    const chart = page.locator('figure', { hasText: 'Grounded' }).locator('svg.chart')
    expect(await chart.locator('.dot.hollow').count()).toBe(2)
    expect(await chart.locator('.dot.full').count()).toBe(10)
    expect(await chart.locator('.mark').count()).toBe(1)
    expect(await chart.locator('path.line').count()).toBe(2)
    expect(await chart.locator('path.band').count()).toBe(2)
    const rows = page.getByRole('table', { name: /newest first/ }).locator('tbody tr')
    expect(await rows.count()).toBe(12)
    expect(await rows.nth(6).innerText()).toContain('other questions')
    expect(await page.getByRole('cell', { name: '60.0 % of 2,000 calls a month' }).count()).toBe(1)
    await rows.nth(8).getByRole('link').click()
    await expect.poll(async () => page.title()).toBe('Report of run 3')
    watched.said()
  })

  test.each(['mixed', 'one', 'hostile'])(
    '%s: no fault that axe knows, and no wider than a telephone',
    async (name) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await watched.open(pageOf(name), {
          bypassCSP: true,
          colorScheme,
          viewport: { width: 360, height: 740 },
        })
        const found = await faultsOf(page)
        expect(found).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
      }
      watched.said()
    },
  )

  test('hostile names are shown and never run', async () => {
    const page = await watched.open(pageOf('hostile'))
    const strange = page.locator('img, iframe, object, embed, base, link, body style, a[href*=":"]')
    expect(await strange.evaluateAll((found) => found.map((one) => one.outerHTML.slice(0, 99)))).toEqual([])
    expect(await page.locator('body').innerText()).toContain('<script>alert(1)</script>')
    expect(watched.said()).toEqual([])
  })
})
