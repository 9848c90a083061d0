// Protects the pages of the workbench in a real browser: every view, wide and narrow, light and dark, with hostile
// texts in every field; and what an editor does in them besides reading.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { report, reviewsIn, run } from '../../src/library/index.ts'
import { findChromium } from '../support/browser.ts'
import { startEndpoint } from '../support/endpoint.ts'
import { KEY_ENV, projectRoot } from '../support/program.ts'
import { temporaryPaths } from '../support/temporary.ts'
import {
  findNestedScrolls,
  findSplitHeaders,
  findViolations,
  useBrowser,
} from '../support/watched-browser.ts'
import { openView, openWorkbench, runOnSandbox } from '../support/workbench.ts'

const chromium = findChromium()
const pathOf = temporaryPaths()

const WAIT = { timeout: 10_000 }
const QUICKSTART = join(projectRoot, 'datasets/quickstart.csv')
const HOSTILE = `<img src=x onerror=alert(1)> "&' \u202e=1+1|javascript:alert(1)`
const FILE = `<b>&\u202e${'x'.repeat(120)}`

/** Sets, articles, runs and a comparison whose every text is hostile. */
async function makeHostile(): Promise<string> {
  const folder = pathOf()
  mkdirSync(join(folder, 'kb'), { recursive: true })
  const cell = `"${HOSTILE.replaceAll('"', '""')}"`
  const rows = [1, 2, 3].map((number) => `${cell.replace('<', `<${number}`)},${cell},${cell},${cell}`)
  const set = join(folder, `${FILE}.csv`)
  writeFileSync(set, `message,tags,expect_contains,${cell}\n${rows.join('\n')}\n`)
  writeFileSync(join(folder, 'faulty.csv'), `id,message\n${cell},\n${cell},${cell}\n`)
  for (let number = 0; number < 12; number += 1)
    writeFileSync(join(folder, 'kb', `a${number}.md`), `# ${HOSTILE} ${number}\n\nCall +49 30 ${number}.\n`)
  const endpoint = await startEndpoint(({ number, response }) => {
    const [status, contextSource] = [HOSTILE, number % 2 === 0 ? 'KNOWLEDGE_BASE' : HOSTILE]
    const reply = { conversationId: HOSTILE, message: `${HOSTILE} +49 40 999`, status, contextSource }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(reply))
    return true
  })
  const asked = { datasets: [set], baseUrl: endpoint.url, apiKey: KEY_ENV.ASSIST_API_KEY, rate: 'unlimited' }
  for (const out of ['one', 'two'])
    await run({ ...asked, articles: join(folder, 'kb'), out: join(folder, `${FILE}-${out}`) })
  return folder
}

const VIEWS = [
  '/',
  '/new?set=faulty.csv',
  `/set?path=${encodeURIComponent(`${FILE}.csv`)}`,
  '/ask',
  '/todo',
  `/run?path=${encodeURIComponent(`${FILE}-one`)}`,
  `/run?path=${encodeURIComponent(`${FILE}-one`)}#conversations`,
]

async function writeFiles(page: Page): Promise<void> {
  await page.locator('.first').first().waitFor()
  await page.locator('.menu-button').click()
  await page.getByRole('button', { name: 'Files' }).click()
  await page.getByText('results.xlsx').waitFor()
  await page.locator('.menu-button').click()
}

describe.skipIf(chromium === undefined)('in a browser', () => {
  const browser = useBrowser(chromium, 'main')
  let made: Promise<string> | undefined

  test.each([1280, 360])(
    '%i wide: no text acts, nothing scrolls sideways or within what scrolls, axe finds nothing',
    async (width) => {
      made ??= makeHostile()
      const { url, origin } = await openWorkbench(await made)
      const page = await browser.open(url, {
        bypassCSP: true,
        viewport: { width, height: 740 },
      })
      for (const view of VIEWS) {
        await page.goto('about:blank')
        await page.goto(`${origin}${view}`)
        await page.locator('.bar h1').waitFor()
        await page.getByText('Loading…').waitFor({ state: 'detached' })
        expect(await findViolations(page), view).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), view).toBe(true)
        expect(await findNestedScrolls(page), view).toEqual([])
        expect(await page.locator('main img').count(), view).toBe(0)
      }
    },
  )

  test('a header below a title that has a fault: the columns can be chosen, and its words are whole', async () => {
    const folder = pathOf()
    mkdirSync(folder, { recursive: true })
    const header = 'No.,Question,Tickets per month,Asked on,Expected answer contains,Owner'
    writeFileSync(
      join(folder, 'set.csv'),
      `Help centre,,,,,\n\n${header}\n1,How?,9,2026-11-20,settings,Jana\n`,
    )
    const page = await openView(browser, await openWorkbench(folder), '/new?set=set.csv', {
      viewport: { width: 360, height: 740 },
    })
    await page.getByText('or choose the columns of the file above').waitFor()
    expect(await page.locator('.set thead th').count()).toBe(7)
    expect(await findSplitHeaders(page)).toEqual([])
    await page
      .locator('.mapping label', { hasText: /^expect_contains/ })
      .locator('select')
      .selectOption('Expected answer contains')
    await page.getByRole('button', { name: 'Start' }).and(page.locator(':enabled')).waitFor()
  })

  test('a doubtful fact of an answer becomes an expectation of its question', async () => {
    const folder = pathOf()
    cpSync(join(projectRoot, 'datasets/knowledge-base'), join(folder, 'kb'), { recursive: true })
    cpSync(QUICKSTART, join(folder, 'questions.csv'))
    const kb = join(folder, 'kb')
    await runOnSandbox(join(folder, 'questions.csv'), join(folder, 'night'), { kb })
    // What the article said is not true any more.
    const article = join(kb, 'vpn-setup.md')
    writeFileSync(article, readFileSync(article, 'utf8').replaceAll('gate.example.com', 'door.example.com'))
    const desk = await openWorkbench(folder)
    const { origin } = desk
    const page = await openView(browser, desk, '/run?path=night#article=vpn-setup')
    await page.getByText('This article was edited after the run').waitFor()
    // Whole, not only what answers name.
    expect(await page.locator('.article-text h3').count()).toBeGreaterThan(2)
    expect(await page.locator('.article-text').innerText()).toContain('door.example.com')
    await page.goto(`${origin}/run?path=night`)
    await writeFiles(page)
    await page.goto(`${origin}/run?path=night#q=vpn-first-setup`)
    // An undo waits for the act that it takes back, and takes back none before it.
    let letGo = (): void => undefined
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route('**/api/set/add', async (route) => {
      await held
      await route.continue()
    })
    const toDo = page.locator('.filters a', { hasText: 'To do' }).locator('b')
    // The report as it was just written.
    await page.goto('about:blank')
    await page.goto(`${origin}/run?path=night#find=is:todo&q=vpn-first-setup`)
    const before = Number(await toDo.innerText())
    const poor = page.getByRole('button', { name: /^poor/ })
    await poor.click()
    const expects = page.getByRole('button', { name: 'The article is right: expect door.example.com' })
    await expects.click()
    const undone = page.waitForResponse('**/api/set/undo')
    await page.keyboard.press('u')
    letGo()
    await undone
    const added = page.waitForResponse('**/api/set/add')
    await expects.click()
    await page.getByText('Expected in questions.csv').waitFor()
    await added
    expect(await poor.getAttribute('aria-pressed')).toBe('true')
    // What is decided is to do no longer, here, in the list by article, and when the run is opened again.
    await expect.poll(async () => toDo.innerText(), WAIT).toBe(String(before - 1))
    const saved = readFileSync(join(folder, 'questions.csv'), 'utf8')
    await page.reload()
    await expect.poll(async () => toDo.innerText(), WAIT).toBe(String(before - 1))
    await page.goto(`${origin}/todo`)
    await page.locator('.article-to-do').first().waitFor()
    expect(await page.locator('a[href$="#q=vpn-first-setup"]').count()).toBe(0)
    const rows = saved.split('\n')
    expect(rows.find((row) => row.startsWith('vpn-first-setup,'))).toMatch(/,door\.example\.com$/)
    expect(rows[0]).toMatch(/,expect_contains$/)
    expect(readFileSync(join(folder, 'questions.previous.csv'), 'utf8')).not.toContain('expect_contains')
  })

  test('keys act once on the marked answer, also when the report is drawn again while a note is typed', async () => {
    const folder = pathOf()
    const out = join(folder, 'night')
    await runOnSandbox(QUICKSTART, out)
    const page = await openView(
      browser,
      await openWorkbench(folder),
      '/run?path=night#find=thread:forgot-password',
    )
    const current = page.locator('.turn[aria-current=true]')
    await current.waitFor()
    await page.keyboard.press('n')
    const note = current.getByLabel('Note', { exact: true })
    await note.pressSequentially('half')
    const drawn = page.waitForResponse((response) => response.url().includes('/api/run?'))
    await report({ run: out })
    await (await drawn).finished()
    await note.pressSequentially(' a note')
    await page.keyboard.press('Enter')
    for (let times = 0; times < 5; times += 1) await page.keyboard.down('3')
    await page.keyboard.up('3')
    await page.keyboard.press('?')
    await page.keyboard.press('1')
    await page.keyboard.press('Escape')
    expect(await current.getAttribute('data-id')).toBe('forgot-password-link-expired')
    const reviews = async () =>
      (await reviewsIn(out)).map(({ questionId, review, note: text }) => [questionId, review, text])
    await expect.poll(reviews).toEqual([
      ['forgot-password-link-expired', undefined, 'half a note'],
      ['forgot-password-link-expired', 'poor', 'half a note'],
    ])
    await page.getByRole('link', { name: 'Rated poor 1' }).waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    const counts = page.locator('#overview .box', { has: page.getByRole('heading', { name: 'Reviews' }) })
    // With the reviews in the report itself, they stand there once.
    await writeFiles(page)
    await page.reload()
    await counts.waitFor()
    expect(await counts.locator('tr').allInnerTexts()).toContainEqual(expect.stringMatching(/^poor\s+1$/))
    expect(await counts.count()).toBe(1)
  })

  test('a set is dropped, mended, run and shown', async () => {
    const folder = pathOf()
    const page = await openView(browser, await openWorkbench(folder), '/new')
    const buffer = Buffer.from('id,message\nq1,How do I reset my password?\nq1,Where do I park?\n')
    await page.setInputFiles('input[type=file]', { name: 'mine.csv', mimeType: 'text/csv', buffer })
    await page
      .getByText(/the id "q1" is already in line 2/)
      .first()
      .waitFor()
    await page.locator('tbody tr.faulty .cell').first().fill('q2')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Start' }).click()
    await page.waitForURL(/\/run\?path=/)
    await page.locator('.bar .chip').getByText('2 of 2 answered').waitFor()
    expect(readFileSync(join(folder, 'sets/mine.csv'), 'utf8')).toBe(
      'id,message\nq1,How do I reset my password?\nq2,Where do I park?\n',
    )
    // What keeps a set from being saved is shown, however far up it stands.
    await page.goto(`${new URL(page.url()).origin}/set?path=sets/mine.csv`)
    await page.locator('.set .cell').first().fill('q2')
    browser.takeRecorded()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Rows to correct' }).waitFor()
    expect(await page.locator('.set tr.faulty').count()).toBe(1)
    expect(browser.takeRecorded()).toEqual([expect.stringContaining('400')])
  })

  test('a conversation with the sandbox goes on, and its question is added to a set', async () => {
    const folder = pathOf()
    const page = await openView(browser, await openWorkbench(folder), '/ask')
    for (const message of ['How do I set up the VPN?', 'It keeps dropping on the train']) {
      await page.locator('textarea, input:not([type=search])').last().fill(message)
      await page
        .getByRole('button', { name: /^(Ask|Send)/ })
        .first()
        .click()
      await page.locator('.turn h2', { hasText: message }).waitFor()
    }
    await expect.poll(async () => page.locator('.turn .turn-text').count(), { timeout: 30_000 }).toBe(2)
    expect(await page.locator('.turn').first().innerText()).toContain('From the knowledge base')
    await page.getByRole('button', { name: 'Add to set' }).last().click()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Added to').waitFor()
    expect(readFileSync(join(folder, 'sets/asked.csv'), 'utf8')).toMatch(
      /VPN\?,ask-\w+,1\nIt keeps dropping on the train,ask-\w+,2\n/,
    )
  })
})
