// history.html as a reader has it: charts without a script, the run at hand under the pointer and by keys, every width, hostile names.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
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

/** Incomplete: the 4th and the 10th of twelve; other questions from the 6th, other settings from the 9th. */
const MIXED = chanceNights(12, () => 0.8).map((night, number): Night => ({
  ...night,
  digest: number < 5 ? 'sha256:0' : 'sha256:1',
  groundedSources: number < 8 ? ['KNOWLEDGE_BASE'] : ['KNOWLEDGE_BASE', 'FAQ'],
  state: number % 6 === 3 ? 'incomplete' : 'complete',
  quota: { calls: 2000, period: 'month' },
}))

describe.skipIf(chromium === undefined)('history.html in a browser', () => {
  const watched = useBrowser(chromium, '#overview-opening')
  beforeAll(async () => {
    await make('mixed', MIXED)
    await make(
      'one',
      chanceNights(1, () => 0.8),
    )
    await make(
      'hostile',
      PAGE_ATTACKS.slice(0, -1).flatMap((text, place) =>
        [0, 1].map((night): Night => ({
          startedAt: nightOf(night),
          id: `${text}${night}`,
          set: text,
          digest: `${night}`,
          target: { name: text.slice(0, 50), organization: text },
          groundedSources: [`${text}${night}`],
          manifest: { harnessVersion: `${place}` },
        })),
      ),
    )
  })

  const coverage = (page: Page) => page.locator('.over-runs').first()

  test('the charts stand without a script: lines that break, hollow runs beside, marks, and the tables', async () => {
    const page = await watched.open(pageOf('mixed'), { javaScriptEnabled: false })
    const chart = coverage(page).locator('svg.chart')
    expect(await chart.locator('.dot.hollow').count()).toBe(2)
    expect(await chart.locator('.mark.questions').count()).toBe(1)
    expect(await chart.locator('.mark.settings').count()).toBe(1)
    // Three stretches of the same questions and settings: three lines, in a band each.
    expect((await chart.locator('path.line').getAttribute('d'))?.match(/M/g)).toHaveLength(3)
    expect(await chart.locator('path.band').count()).toBe(3)
    expect(await page.locator('.readout:visible').count()).toBe(0)
    expect(await page.locator('.plot[tabindex]').count()).toBe(0)
    expect(await page.locator('#history-1-runs tbody tr').count()).toBe(12)
    expect(await page.getByRole('cell', { name: '60.0 % of 2,000 calls a month' }).count()).toBe(1)
    expect(watched.said()).toEqual([])
  })

  test('each dot is where its value is', async () => {
    const page = await watched.open(pageOf('mixed'))
    const found: unknown = await page.evaluate(`(() => {
      const svg = document.querySelector('.over-runs svg.chart')
      const ticks = [...svg.querySelectorAll('.grid text')].map((text) => ({
        value: Number.parseFloat(text.textContent), y: Number(text.getAttribute('y')) + 4 }))
      const [low, high] = [ticks[0], ticks.at(-1)]
      const rows = [...document.querySelectorAll('#history-1-runs tbody tr')].reverse()
      return [...svg.querySelectorAll('circle')].map((dot) => {
        const y = Number(dot.getAttribute('cy'))
        const value = low.value + (high.value - low.value) * (y - low.y) / (high.y - low.y)
        const places = document.querySelector('.over-runs').dataset.places.split(' ').map(Number)
        const across = Number.parseFloat(dot.getAttribute('cx')) / 100
        const nearest = places.map((place, run) => [Math.abs(place - across), run]).sort(([a], [b]) => a - b)[0][1]
        return Math.abs(value - Number.parseFloat(rows[nearest].children[2].textContent))
      })
    })()`)
    expect(found).toHaveLength(12)
    for (const distance of found as number[]) expect(distance).toBeLessThan(0.2)
  })

  test('under the pointer the run is named with its value, and leads to its report', async () => {
    const page = await watched.open(pageOf('mixed'), { viewport: { width: 1280, height: 1400 } })
    const chart = coverage(page)
    const readout = chart.locator('.readout')
    await chart.locator('.dot.hollow').first().hover()
    await expect
      .poll(async () => readout.innerText())
      .toMatch(/^2026-01-04 02:00 UTC: coverage [\d.]+ %, 95 % interval \d+ to \d+ %, incomplete$/)
    await readout.getByRole('link').click()
    await expect.poll(async () => page.title()).toBe('Report of run 3')
    watched.said()
  })

  test('arrow keys go from run to run, and say what changed before one', async () => {
    const page = await watched.open(pageOf('mixed'))
    const plot = coverage(page).getByRole('slider', {
      name: 'Coverage: share of answers from the knowledge base',
    })
    await plot.focus()
    const said = async (): Promise<string | null> => plot.getAttribute('aria-valuetext')
    expect(await said()).toMatch(/^2026-01-12/)
    await plot.press('ArrowRight')
    expect(await said()).toMatch(/^2026-01-12/)
    await plot.press('Home')
    expect(await said()).toMatch(/^2026-01-01 02:00 UTC: coverage/)
    for (let press = 0; press < 5; press += 1) await plot.press('ArrowRight')
    expect(await said()).toMatch(/^2026-01-06 .*, passed, questions changed$/)
    expect(await plot.getAttribute('aria-valuenow')).toBe('6')
    await plot.press('Enter')
    await expect.poll(async () => page.title()).toBe('Report of run 5')
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
    for (const plot of await page.getByRole('slider').all()) await plot.focus()
    expect(await page.locator('body').innerText()).toContain('<script>alert(1)</script>')
    expect(watched.said()).toEqual([])
  })
})
