// Protects what an editor sees of runs without a terminal: names, what is to do, defaults, and faults that
// editors have met.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { report, run, type RunOptions } from '../../src/library/index.ts'
import { recordedFolder } from '../recorded/cases.ts'
import { unpackRecorded } from '../recorded/run-case.ts'
import { findChromium } from '../support/browser.ts'
import { temporaryPaths } from '../support/temporary.ts'
import { findViolations, useBrowser } from '../support/watched-browser.ts'
import { openWorkbench } from '../support/workbench.ts'

const chromium = findChromium()
const pathOf = temporaryPaths()

/** A folder with a set of two questions, and runs of it on the sandbox. */
async function makeRuns(...names: readonly string[]) {
  const folder = pathOf()
  mkdirSync(folder)
  const set = join(folder, 'set.csv')
  writeFileSync(set, 'id,message\nvpn,How do I set up the VPN?\nboat,Where do I moor my canoe?\n')
  const ask = async (name: string, options: Partial<RunOptions> = {}) =>
    run({ datasets: [set], sandbox: true, rate: 'unlimited', out: join(folder, name), ...options })
  for (const name of names) await ask(name)
  return { folder, ask }
}

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

  test('a run has the name that was typed, in every view and tab', async () => {
    const { folder } = await makeRuns('night', 'later')
    const { url, origin } = await openWorkbench(folder)
    const list = await browser.open(url)
    const page = await list.context().newPage()
    await page.goto(`${origin}/run?path=night`)
    await page.locator('.bar h1', { hasText: /^night$/ }).waitFor()
    expect(await page.locator('.first .box-head').innerText()).toContain('set.csv · sandbox · ')
    await page.locator('.menu summary').click()
    await page.getByLabel('Name of this run').fill('before <the> edit')
    await page.keyboard.press('Enter')
    await page.locator('.bar h1', { hasText: 'before <the> edit' }).waitFor()
    await expect.poll(async () => page.title()).toMatch(/^before <the> edit · /)
    // The menu is open still: it is left by Escape, by a click elsewhere, and with the address.
    const isOpen = async () => (await page.locator('.menu').getAttribute('open')) !== null
    for (const leave of [
      async () => page.keyboard.press('Escape'),
      async () => page.locator('.figures').first().click(),
      async () => page.evaluate("location.hash = '#about'"),
    ]) {
      expect(await isOpen()).toBe(true)
      await leave()
      await expect.poll(isOpen).toBe(false)
      await page.locator('.menu summary').click()
    }

    await list.getByRole('link', { name: 'before <the> edit' }).waitFor()
    for (const box of await list.getByRole('checkbox').all()) await box.check()
    await list.getByRole('button', { name: 'Compare before <the> edit with later' }).click()
    await list.locator('.bar h1', { hasText: 'before <the> edit → later' }).waitFor()
    await list.goto(`${origin}/new?set=set.csv`)
    const baseline = list.getByLabel('Compare with')
    await baseline.locator('option', { hasText: 'before <the> edit' }).waitFor({ state: 'attached' })
  })

  test('of a run that was stopped, the page says how far it is and how it goes on, without a terminal', async () => {
    const { folder, ask } = await makeRuns()
    const stop = new AbortController()
    const { signal } = stop
    await ask('night', {
      signal,
      rate: '1/s',
      onEvent: ({ kind }) => kind === 'started' && stop.abort('SIGINT'),
    })
    const { url, origin } = await openWorkbench(folder)
    const page = await browser.open(url)
    await page.getByText('can go on').waitFor()
    await page.goto(`${origin}/run?path=night`)
    await page.getByText(/Stopped\. [01] of 2 questions are sent\./).waitFor()
    expect(await page.locator('body').innerText()).not.toMatch(/SIGINT|npx|--[a-z]/)
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.locator('.bar .chip').getByText('2 of 2 answered').waitFor()
  })
})
