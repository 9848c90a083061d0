// Protects what an editor sees of runs without a terminal: names, what is to do, defaults, and faults that
// editors have met.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { report, type RunOptions } from '../../src/library/index.ts'
import { recordedFolder } from '../recorded/cases.ts'
import { unpackRecorded } from '../recorded/run-case.ts'
import { findChromium } from '../support/browser.ts'
import { startEndpoint } from '../support/endpoint.ts'
import { KEY_ENV } from '../support/program.ts'
import { temporaryPaths } from '../support/temporary.ts'
import { findViolations, useBrowser } from '../support/watched-browser.ts'
import { openView, openWorkbench, rowsIn, runOnSandbox, startOf } from '../support/workbench.ts'
import { textRow, workbookOf } from '../support/workbook.ts'

const chromium = findChromium()
const pathOf = temporaryPaths()

/** A folder with a set of two questions, and runs of it on the sandbox. */
async function makeRuns(...names: readonly string[]) {
  const folder = pathOf()
  mkdirSync(folder)
  const set = join(folder, 'set.csv')
  writeFileSync(
    set,
    'id,message,expect_contains\nvpn,How do I set up the VPN?,gate\nboat,Where do I moor my canoe?,\n',
  )
  const ask = async (name: string, options: Partial<RunOptions> = {}) =>
    runOnSandbox(set, join(folder, name), options)
  for (const name of names) await ask(name)
  return { folder, ask }
}

describe.skipIf(chromium === undefined)('in a browser', () => {
  const browser = useBrowser(chromium, 'main')

  test('to do: a list by article, whose questions lead to their answers, and one page to print', async () => {
    const folder = pathOf()
    unpackRecorded(join(recordedFolder, 'articles'), folder)
    await report({ run: join(folder, 'run') })
    const gap = rowsIn(join(folder, 'run/results.csv')).find((row) => row['gap_cause'] !== '')
    const { url, origin } = await openWorkbench(folder)
    const page = await browser.open(url, { bypassCSP: true })
    await page.getByRole('link', { name: 'To do' }).click()
    const articles = page.locator('.article-to-do')
    await articles.first().waitFor()
    expect(await articles.locator('h3').allInnerTexts()).toEqual(['Resetting your password password-reset'])
    // What another tab decides appears.
    const decided = { run: 'run', id: gap?.['id'], message: gap?.['message'], article: null, reviewer: 'Ada' }
    await page.evaluate(
      async (body) =>
        fetch('/api/decide', { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
      JSON.stringify(decided),
    )
    const written = articles.nth(1).getByText(gap?.['message'] ?? '')
    await written.waitFor()
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
    await page.locator('.menu-button').click()
    await page.getByLabel('Name of this run').fill('before <the> edit')
    await page.keyboard.press('Enter')
    await page.locator('.bar h1', { hasText: 'before <the> edit' }).waitFor()
    await expect.poll(async () => page.title()).toMatch(/^before <the> edit · /)
    // The menu is open still: it is left by Escape, by a click elsewhere, and with the address.
    const isOpen = async () => page.locator('.menu').isVisible()
    for (const leave of [
      async () => page.keyboard.press('Escape'),
      async () => page.locator('.figures').first().click(),
      async () => page.evaluate("location.hash = '#about'"),
    ]) {
      expect(await isOpen()).toBe(true)
      await leave()
      await expect.poll(isOpen).toBe(false)
      await page.locator('.menu-button').click()
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
    const onEvent: RunOptions['onEvent'] = ({ kind }) => kind === 'started' && stop.abort('SIGINT')
    await ask('night', { signal, rate: '1/s', onEvent })
    const { url, origin } = await openWorkbench(folder)
    const page = await browser.open(url)
    await page.getByText('can go on').waitFor()
    await page.goto(`${origin}/run?path=night`)
    await page.getByText(/Stopped\. [01] of 2 questions are sent\./).waitFor()
    expect(await page.locator('body').innerText()).not.toMatch(/SIGINT|npx|--[a-z]/)
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.locator('.bar .chip', { hasText: 'Passed' }).waitFor()
  })

  test('a run whose budget is used up goes on with the calls that it needs', async () => {
    const { folder, ask } = await makeRuns()
    await ask('night', { maxCalls: 1 })
    const page = await openView(browser, await openWorkbench(folder), '/run?path=night')
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.locator('.bar .chip', { hasText: 'Passed' }).waitFor()
    // Two answers have no 99 of 100.
    expect(await page.locator('main').innerText()).not.toContain('within –')
  })

  /** Two runs of a set, and a sheet with a fault, in a view of the workbench. */
  async function openNights(view: string) {
    const { folder } = await makeRuns('night', 'later')
    const sheet = textRow('id', 'message') + textRow('q1', 'How?') + textRow('q1', 'Why?')
    writeFileSync(join(folder, 'sheet.xlsx'), workbookOf({ Questions: sheet }))
    const desk = await openWorkbench(folder, { maxCalls: 50 })
    return { page: await openView(browser, desk, view), desk }
  }

  test('a new run is compared with the last complete run of its set and target', async () => {
    const { page } = await openNights('/new?set=set.csv')
    await expect.poll(async () => page.getByLabel('Compare with').inputValue()).toBe('later')
  })

  test('a workbook that is corrected is said to be saved as a CSV before it is saved', async () => {
    const { page } = await openNights('/new?set=sheet.xlsx')
    await page.getByText('Saved as sheet.csv; the sheet stays as it is.').waitFor()
  })

  test('nothing about a set names an option of the command line', async () => {
    const { page } = await openNights('/new?set=set.csv')
    await page.getByText('The limit is not known').waitFor()
    expect(await page.locator('main').innerText()).not.toMatch(/--[a-z]/)
  })

  test('nothing that is refused names one, either', async () => {
    const { page, desk } = await openNights('/new?set=set.csv')
    const cells = { message: 'Where is the canteen?' }
    await desk.post('/api/set/add', { path: 'sets/set.csv', columns: [], cells })
    await page.goto(`${desk.origin}/new?set=sets/set.csv`)
    await expect.poll(async () => page.getByLabel('Compare with').inputValue()).toBe('later')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByText('too few shared questions to compare (0.0 %).').waitFor()
    expect(await page.locator('main').innerText()).not.toMatch(/--[a-z]/)
    expect(browser.takeRecorded()).toEqual([expect.stringContaining('400')])
  })

  test('on a phone no set scrolls sideways, and what is refused stands beside Save, which is always in view', async () => {
    const { page, desk } = await openNights('/set?path=set.csv')
    await page.setViewportSize({ width: 360, height: 500 })
    const [save, cell] = [page.getByRole('button', { name: 'Save' }), page.locator('.set .cell').first()]
    expect(await page.locator('.scroll').evaluate((rows) => rows.scrollWidth - rows.clientWidth)).toBe(0)
    await cell.fill('vpn2')
    await expect.poll(async () => (await save.boundingBox())?.y).toBeLessThan(500)
    await desk.post('/api/set/add', {
      path: 'set.csv',
      columns: [],
      cells: { message: 'Where is the canteen?' },
    })
    await save.click()
    await page.getByText('has been changed meanwhile').waitFor()
    expect((await page.locator('main [role=alert]').boundingBox())?.y).toBeLessThan(500)
    expect(browser.takeRecorded()).toEqual([expect.stringContaining('400')])
  })

  test('two runs of one name are told apart before they are compared, and all tabs of one fit beside its name', async () => {
    const { folder } = await makeRuns('2026-11-01T10-00-00Z-set', '2026-11-02T10-00-00Z-set')
    const page = await browser.open((await openWorkbench(folder)).url)
    await page.getByRole('checkbox').first().check()
    await page.getByRole('checkbox').last().check()
    await page.getByRole('button', { name: /^Compare today, .+ with today, / }).waitFor()
    await page.locator('.runs .name a').first().click()
    await page.locator('.first').waitFor()
    await page.setViewportSize({ width: 730, height: 800 })
    expect(await page.locator('.tabs').evaluate((tabs) => tabs.scrollWidth - tabs.clientWidth)).toBe(0)
  })

  test('the articles that no question reached are named', async () => {
    const { page } = await openNights('/run?path=night#articles')
    const name = 'Not reached by this set'
    const count = Number(await page.locator('.figure', { hasText: name }).locator('.value').innerText())
    const list = page.locator('.box', { has: page.getByRole('heading', { name }) })
    expect(await list.locator('.items > li').count()).toBe(count)
  })

  test('each filter shows as many answers as it says', async () => {
    const { page } = await openNights('/run?path=night#conversations')
    const filters = page.locator('.filters > a')
    await filters.first().waitFor()
    for (const filter of await filters.all()) {
      await filter.click()
      await expect.poll(async () => filter.getAttribute('aria-current')).toBe('true')
      const count = Number(await filter.locator('b').innerText())
      expect(await page.locator('.list .row').count(), await filter.innerText()).toBe(count)
    }
  })

  test('an expectation stands once in an answer', async () => {
    const { page } = await openNights('/run?path=night#q=vpn')
    await page.locator('.turn[aria-current=true] .details summary').first().click()
    expect(await page.locator('.turn[aria-current=true]').getByText('expect_contains').count()).toBe(1)
  })

  test('the links of an answer that was just asked lead to what they name', async () => {
    const { page } = await openNights('/ask')
    expect(await page.getByLabel('Target').inputValue()).toBe('sandbox')
    await page.getByLabel('A question').fill('How do I set up the VPN?')
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.getByRole('link', { name: /^Setting up and using the VPN/ }).click()
    await page.locator('.turn[aria-current=true][data-id=vpn]').waitFor()
  })

  test('questions that were asked again have the name of their run, and no file of their own is named', async () => {
    const { page, desk } = await openNights('/')
    const path = await desk.make('/api/again', { run: 'night', ids: ['vpn'], target: 'sandbox' })
    await page.goto(`${desk.origin}/run?path=${path}`)
    await page.locator('.bar h1', { hasText: /^night, asked again$/ }).waitFor()
    await page.locator('.first').first().waitFor()
    expect(await page.locator('body').innerText()).not.toMatch(/again-\S*\.csv/)
    await expect.poll(async () => page.title()).toMatch(/^night, asked again · /)
  })

  test('what counts in the session is what its runs have sent', async () => {
    const { page, desk } = await openNights('/')
    await desk.make('/api/start', startOf('set.csv', { maxCalls: 2 }))
    await page.locator('.menu-button').click()
    await page.getByText('2 of 50', { exact: true }).waitFor()
  })

  test('a server that was stopped is said in every view', async () => {
    const { page, desk } = await openNights('/ask')
    await page.locator('.composer').waitFor()
    await desk.close()
    await page.getByText('Not connected, what you do is not saved').waitFor()
    expect(browser.takeRecorded().every((entry) => entry.includes('ERR_'))).toBe(true)
  })

  test('questions that are ticked, whatever filter showed them, are asked again alone', async () => {
    const { folder } = await makeRuns('night')
    const page = await openView(browser, await openWorkbench(folder), '/run?path=night#find=is:gap', {
      bypassCSP: true,
    })
    await page.getByLabel('Choose Where do I moor my canoe?').check()
    await page.getByRole('button', { name: 'Ask again: 1 question, 1 call' }).waitFor()
    await page.getByRole('link', { name: /^All/ }).click()
    await page.getByLabel('Choose How do I set up the VPN?').check()
    await page.getByRole('button', { name: 'Ask again: 2 questions, 2 calls' }).waitFor()
    await page.getByLabel('Choose Where do I moor my canoe?').uncheck()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Ask again: 1 question, 1 call' }).click()
    await page.waitForURL(/path=[^&]*again/)
    await page.getByText('No answer has changed.').waitFor()
    await page.getByRole('link', { name: 'All 1' }).waitFor()
  })

  test('from eight runs of a set and a target on, their trend says how often the gate fails without a reason', async () => {
    const { folder, ask } = await makeRuns('1', '2', '3', '4', '5', '6', '7')
    const says = /Where nothing was edited, the gate would have failed 0 of 7 such nights \(0 to 35 %\)/
    const workbench = await openWorkbench(folder)
    expect((await workbench.ask('/api/gates')).text).toBe('[]')
    await ask('8')
    const page = await browser.open(workbench.url)
    await page.getByText(says).waitFor()
  })

  test('the target is that of the last run; where it is gone, none is chosen in its place', async () => {
    const { folder, ask } = await makeRuns('night')
    const { url: baseUrl } = await startEndpoint()
    const targets = [{ name: 'own', baseUrl }]
    await ask('own', { sandbox: false, apiKey: KEY_ENV.ASSIST_API_KEY, targets, target: ['own'] })
    for (const [known, chosen] of [
      [targets, 'own'],
      [[], ''],
    ] as const) {
      const { url, origin, close } = await openWorkbench(folder, { env: KEY_ENV, targets: known })
      const page = await browser.open(url)
      for (const view of ['/ask', '/new?set=set.csv']) {
        await page.goto(`${origin}${view}`)
        const select = page.getByLabel('Target')
        await select.waitFor()
        await expect.poll(async () => select.inputValue(), { message: view }).toBe(chosen)
      }
      if (chosen === '') expect(await page.getByRole('button', { name: 'Start' }).isDisabled()).toBe(true)
      // Of a run without articles it says what they would show, in words for a browser.
      await page.goto(`${origin}/run?path=own`)
      await page.getByText('With your articles, this page would').waitFor()
      expect(await page.locator('main').innerText()).not.toMatch(/--[a-z]/)
      await page.context().close()
      await close()
    }
  })
})
