// Protects the report page in a real browser: pages of recorded runs and a comparison. Any request, dialog or error fails.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { readReviews } from '../../src/dataset/reviews.ts'
import { compare } from '../../src/library/compare.ts'
import { report, type ReportOptions } from '../../src/library/report.ts'
import type { PageTurn } from '../../src/domain/conversations.ts'
import type { Document } from '../../src/report/document.ts'
import { compareRecorded, copyRecorded, reportRecorded } from '../recorded/reports.ts'
import { findChromium } from '../support/browser.ts'
import { pageAssets, pageChange, pageTurn, writePage } from '../support/report-page.ts'
import { readRows } from '../support/rows.ts'
import { temporaryFolder } from '../support/temporary.ts'
import {
  findNestedScrolls,
  findSplitHeaders,
  findViolations,
  useBrowser,
} from '../support/watched-browser.ts'

const scratch = temporaryFolder()

type At = (part: string) => string

/** The page of a recorded run, reported again with what is beside it. */
async function reported(name: string, options: (at: At) => ReportOptions) {
  const folder = copyRecorded(name, scratch)
  const given = options((part) => join(folder, part))
  await report(given)
  return `file://${given.run}/report.html`
}

/** Turns of pages that no recorded run has. */
const TURNS = readRows<[page: string, turn: Partial<PageTurn>]>(new URL('page-turns.ndjson', import.meta.url))
const turnsOf = (page: string): PageTurn[] =>
  TURNS.flatMap(([name, turn]) => (name === page ? [pageTurn(turn)] : []))

/** A page of these turns, in the report of a recorded run. */
async function pageOf(name: string, turns = turnsOf(name), more: Partial<Document> = {}) {
  const { document } = await reportRecorded('repeats', join(scratch, `of-${name}`))
  return writePage(scratch, name, { ...document, ...more }, turns)
}

const written = {
  hostile: async () => runPage('hostile'),
  repeats: async () => runPage('repeats'),
  expectations: async () => runPage('expectations'),
  compared: async () => `file://${(await compareRecorded('compared-kinds', scratch)).page}`,
  baseline: async () => reported('compared', (at) => ({ run: at('candidate'), baseline: at('baseline') })),
  reviews: async () => reported('reviews', (at) => ({ run: at('run'), reviews: [at('reviews.csv')] })),
  // The longest word of a verdict.
  articles: async () => {
    const verdict = { tone: 'warn', word: 'Incomplete', reason: 'the budget of calls is used' } as const
    return pageOf('articles', undefined, { verdict })
  },
  confirmed: async () => pageOf('confirmed'),
  edited: async () => {
    const folder = copyRecorded('articles', scratch)
    const at: At = (part) => join(folder, part)
    const [articles, out] = [at('own2.csv'), at('out')]
    await compare({ baseline: at('run'), candidate: at('after'), articles, out })
    return `file://${at('out/report.html')}`
  },
  read: async () => reported('articles', (at) => ({ run: at('run'), articles: at('own2.csv') })),
  load: async () => runPage('load'),
}

const NONE = { cause: 'no-article', decision: { by: 'Kim', at: null } } as const

const HEIGHTS = [
  pageTurn({ id: 'h-0' }),
  pageTurn({
    id: 'h-1',
    message: 'How do I set up the VPN on a laptop that I use at home? '.repeat(2),
  }),
  pageTurn({
    id: 'h-2',
    change: pageChange(['factsChanged'], {
      factsLost: ['27 days'],
      factsGained: ['28 days'],
      answer: 'Ask for it in the portal.',
      source: 'KNOWLEDGE_BASE',
    }),
  }),
  ...[1, 2, 3].map((turn) =>
    pageTurn({ id: `talk-${turn}`, thread: 'h-3', turn, answer: 'A long answer. '.repeat(40) }),
  ),
]

/** Pages and places in them that are measured at every width. */
const LOOKS: readonly (readonly [page: Name, hash: string])[] = [
  ['articles', 'conversations'],
  ['articles', 'find=&view=table'],
  ['read', 'overview'],
  ['read', 'articles'],
  ['read', 'article=gym'],
  ['edited', 'conversations'],
  ['edited', 'overview'],
]

type Name = keyof typeof written
const addresses = new Map<Name, Promise<string>>()

/** In the browser: what it has stored, by question. */
function marksOfPage(): Record<string, unknown> {
  const marks = Object.values(localStorage).flatMap((text) =>
    Object.values(JSON.parse(String(text)) as object),
  )
  return Object.fromEntries(
    (marks as { id: string; word: string; note: string }[]).map(({ id, word, note }) => [id, [word, note]]),
  )
}

async function runPage(name: string): Promise<string> {
  return `file://${(await reportRecorded(name, scratch)).page}`
}

test('script and style of the page have at most 96 KB', () => {
  const { script, style } = pageAssets()
  expect(Buffer.byteLength(script + style)).toBeLessThanOrEqual(96_000)
})

const chromium = findChromium()

describe.skipIf(chromium === undefined)('in a browser', () => {
  const browser = useBrowser(chromium, '.bar')
  /** Each page is written once. */
  const open = async (name: Name, hash = '', options: BrowserContextOptions = {}) => {
    const address = addresses.get(name) ?? written[name]()
    addresses.set(name, address)
    return browser.open(`${await address}#${hash}`, options)
  }

  describe.each([1280, 360])('%i wide', (width) => {
    test.each(Object.keys(written) as Name[])('the page of %s passes axe', async (name) => {
      const page = await open(name, '', { bypassCSP: true, viewport: { width, height: 740 } })
      await page.locator('main > section:visible').first().waitFor()
      for (const tab of await page.locator('.tabs a').all()) {
        await tab.click()
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
        expect(await findSplitHeaders(page)).toEqual([])
        expect(await findViolations(page)).toEqual([])
        for (const text of await page.locator('.chart text:visible').all())
          expect((await text.boundingBox())?.height).toBeGreaterThan(8)
      }
    })
  })

  test.each([360, 800, 1024, 1280, 1920])(
    'at %i px columns are wide enough, and the bar holds',
    async (width) => {
      for (const [name, hash] of LOOKS) {
        const page = await open(name, hash, { bypassCSP: true, viewport: { width, height: 800 } })
        const list = page.locator('.list .row')
        await page.locator('main > :not([hidden]) :is(.row, .box, tbody)').first().waitFor()
        if (width < 720 && (await list.count()) > 0) {
          expect(await page.locator('.turn').first().isVisible()).toBe(false)
          await list.first().click()
          await page.locator('.turn').first().waitFor()
          expect(await page.locator('.list').isVisible()).toBe(false)
        }
        const shown = await page.evaluate(measure)
        expect(shown.overflow, hash).toBe(0)
        expect(shown.overlaps, hash).toEqual([])
        expect(await findNestedScrolls(page), hash).toEqual([])
        expect(Math.min(280, ...shown.columns), hash).toBe(280)
        if (width >= 800) expect(shown.answerAt, hash).toBeLessThanOrEqual(200)
        // Colours of both schemes; 360 and 1280 stand above.
        if (width === 800 || width === 1920) expect(await findViolations(page), hash).toEqual([])
        if (width < 720 && shown.columns.length > 0) {
          await page.getByRole('link', { name: 'List' }).first().click()
          await page.locator('.list').waitFor()
        }
        await page.context().close()
      }
    },
  )

  test('on a phone an answer opens at the top, however far down it is in its conversation', async () => {
    const address = await pageOf('phone', HEIGHTS)
    const page = await browser.open(`${address}#find=`, { viewport: { width: 360, height: 740 } })
    await page.evaluate(() => (location.hash = '#find=id:talk-3'))
    await page.locator('.list .row').first().click()
    const turn = page.locator('.turn[aria-current=true][data-id=talk-3]')
    await turn.waitFor()
    await expect.poll(async () => (await turn.boundingBox())?.y).toBeLessThanOrEqual(48 + 40)
  })

  test('the article begins beside its answer, however far down and long; where a person said none answers, the table has none', async () => {
    const section = { title: 'A long title of an article '.repeat(6), section: '', url: null, text: '' }
    const has = Array.from({ length: 8 }, () => 'a long word of the question')
    const nearest = ['a', 'b', 'c'].map((article) => ({ ...section, article, has }))
    const articles = { kind: 'gap', cause: 'unclear', because: '', nearest, decision: null } as const
    const turns = [
      pageTurn({ id: 'talk-1', thread: 'talk' }),
      pageTurn({ id: 'talk-2', thread: 'talk', turn: 2, grounded: false, articles }),
      pageTurn({ id: 'none', grounded: false, articles: { ...articles, ...NONE } }),
    ]
    const address = await pageOf('beside', turns)
    const page = await browser.open(`${address}#q=talk-2`, { viewport: { width: 1280, height: 300 } })
    const [answer, source] = [page.locator('.turn[aria-current=true]'), page.locator('.source-inner')]
    await expect.poll(async () => (await answer.boundingBox())?.y).toBeLessThan(100)
    expect((await source.boundingBox())?.y).toBeGreaterThan(80)
    // A person said that none answers it.
    await page.goto(`${address}#find=&view=table`)
    await page.locator('.answer-table').waitFor()
    expect(await page.locator('.answer-table td a').count()).toBe(1)
  })

  test.each([
    ['a question of one line', 0],
    ['a question of two lines', 1],
    ['a question with the old and the new answer', 2],
  ])('below %s the answer begins within 200 px', async (_, number) => {
    const address = await pageOf('heights', HEIGHTS)
    const page = await browser.open(`${address}#q=h-${number}`, { viewport: { width: 1280, height: 800 } })
    await page.locator('.turn[aria-current=true]').waitFor()
    expect((await page.evaluate(measure)).answerAt).toBeLessThanOrEqual(200)
    if (number === 2) {
      const tops = async () =>
        page
          .locator('.version')
          .evaluateAll((all) => new Set(all.map((one) => one.getBoundingClientRect().top)).size)
      expect(await tops()).toBe(1)
      await page.setViewportSize({ width: 800, height: 800 })
      expect(await tops()).toBe(2)
    }
    await page.setViewportSize({ width: 360, height: 740 })
    const question = await page.locator('.turn[aria-current=true] h2').boundingBox()
    expect(question?.y).toBeLessThanOrEqual(48 + 40 + 48)
  })

  test('terms are explained where they stand, and a run without articles says what it would show', async () => {
    const page = await open('repeats')
    const ids = await page.locator('[popover]').evaluateAll((all) => all.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
    for (const term of ['From the knowledge base', 'Errors', 'Calls', 'Time to answer']) {
      await page.locator('#overview .term', { hasText: term }).first().click()
      await page.locator('.hint:popover-open', { hasText: term }).waitFor()
      await page.keyboard.press('Escape')
    }
    expect(await page.locator('.first').innerText()).toContain('With your articles, this page would')
    const read = await open('read')
    expect(await read.locator('.first').innerText()).not.toContain('With your articles')
  })

  test('keys are listed once each', async () => {
    const page = await open('repeats', 'conversations')
    await page.keyboard.press('?')
    const keys = await page.locator('.keys-list kbd').allInnerTexts()
    expect(keys).toEqual([...new Set(keys)])
    expect(keys.join(' ')).toBe('j k n p 1 2 3 e a x f g h u / Enter Esc ?')
  })

  test('the back button returns to the previous tab', async () => {
    const page = await open('baseline')
    const shown = async (): Promise<string[]> =>
      page.locator('main > section:not([hidden])').evaluateAll((all) => all.map(({ id }) => id))
    await expect.poll(shown).toEqual(['overview'])
    await page.getByRole('link', { name: 'Limits & quota' }).click()
    await expect.poll(shown).toEqual(['limits'])
    await page.getByRole('link', { name: 'Changes' }).click()
    await expect.poll(shown).toEqual(['changes'])
    await page.goBack()
    await page.goBack()
    await expect.poll(shown).toEqual(['overview'])
  })

  test('a line of the changes leads to the conversations of its kind, both answers side by side', async () => {
    const page = await open('baseline', 'changes')
    const line = page.locator('#changes .first a').first()
    const count = Number(await line.locator('b').innerText())
    await line.click()
    await page.locator('.versions').first().waitFor()
    expect(count).toBeGreaterThan(0)
    expect(await page.locator('.list .row').count()).toBeLessThanOrEqual(count)
    await page.goBack()
    await line.waitFor()
  })

  test('the list of a comparison is grouped by the article that was edited', async () => {
    const page = await open('edited', 'conversations')
    await page.locator('.list h2').first().waitFor()
    expect(await page.locator('.list h2').first().innerText()).toMatch(/ · edited\s+\d+$/)
    await expect
      .poll(async () => page.locator('.filters > [aria-current=true]').innerText())
      .toMatch(/^Changed/)
  })

  test('a search scrolls to the matching question in its conversation', async () => {
    const page = await open('baseline', `find=${encodeURIComponent('"Talk two"')}`, {
      viewport: { width: 1280, height: 500 },
    })
    await page.locator('.turn[aria-current=true]').waitFor()
    const [pane, meant] = await Promise.all([
      page.locator('.answers').boundingBox(),
      page.locator('.turn[aria-current=true]').boundingBox(),
    ])
    expect(meant?.y).toBeLessThan((pane?.y ?? 0) + (pane?.height ?? 0) / 2)
  })

  test('the keyboard goes on where the list of conversations ends', async () => {
    const turns = Array.from({ length: 202 }, (_, number) =>
      pageTurn({ id: `c-${number}`, message: `Question ${number}` }),
    )
    const page = await browser.open(`${await pageOf('many', turns)}#q=c-199`)
    await page.locator('.turn[data-id="c-199"]:focus').waitFor()
    await page.keyboard.press('j')
    await page.locator('.turn[data-id="c-200"]').waitFor()
    expect(await page.locator('.list [aria-current=true]').allInnerTexts()).toEqual([
      expect.stringContaining('Question 200'),
    ])
    // All answers at once are a second look at the same list, a page at a time.
    await page.getByRole('searchbox').fill('question')
    await page.getByRole('link', { name: 'Table' }).click()
    const rows = page.locator('.answer-table tbody tr')
    await expect.poll(async () => rows.count()).toBe(200)
    expect(await page.getByRole('searchbox').inputValue()).toBe('question')
    await page.keyboard.press('j')
    await page.getByRole('button', { name: '2 more' }).click()
    await expect.poll(async () => rows.count()).toBe(202)
    await rows.nth(201).click()
    await page.locator('.turn[data-id="c-201"][aria-current=true]').waitFor()
    await page.goBack()
    await rows.first().waitFor()
  })

  test('a rated answer stays marked until another is chosen, also where the search does not find it any more', async () => {
    const page = await open('baseline', 'find=review:none%20tag:same')
    const current = page.locator('.turn[aria-current=true]')
    const rows = page.locator('.list .row')
    await current.waitFor()
    const [id, count] = [await current.getAttribute('data-id'), await rows.count()]
    await page.keyboard.press('1')
    await page.keyboard.press('3')
    expect(await page.evaluate(marksOfPage)).toEqual({ [id ?? '']: ['poor', ''] })
    expect([await current.getAttribute('data-id'), await rows.count()]).toEqual([id, count])
    expect(await page.locator('.filters').innerText()).toMatch(/Rated poor\s+1\b/)
    await page.keyboard.press('j')
    await expect.poll(async () => rows.count()).toBe(count - 1)
    expect(await rows.first().getAttribute('aria-current')).toBe('true')
    expect(await current.getAttribute('data-id')).not.toBe(id)
    // Another search marks the first answer that it finds.
    await page.getByRole('searchbox').fill('id:talk-2')
    await expect.poll(async () => current.getAttribute('data-id')).toBe('talk-2')
    await page.getByRole('searchbox').fill('no question has these words')
    await page.keyboard.press('Escape')
    await page.keyboard.press('2')
    expect(Object.keys(await page.evaluate(marksOfPage))).toEqual([id])
  })

  test('a link to a question opens its conversation and focuses it', async () => {
    const page = await open('baseline', 'q=talk-2', {
      viewport: { width: 1280, height: 500 },
    })
    await page.locator('.turn[data-id="talk-2"]:focus').waitFor()
    expect(await page.locator('.answers .turn').count()).toBe(2)
    // It alone can be rated, and looks different.
    expect(await page.locator('.note-text textarea').count()).toBe(1)
    const colours = await page
      .locator('.turn')
      .evaluateAll((all) => all.map((turn) => getComputedStyle(turn).backgroundColor))
    expect(new Set(colours).size).toBe(2)
    // The list has scrolled to it.
    const [list, chosen] = await Promise.all([
      page.locator('.list').boundingBox(),
      page.locator('.list [aria-current=true]').boundingBox(),
    ])
    expect(chosen?.y).toBeLessThan((list?.y ?? 0) + (list?.height ?? 0))
  })

  test('hostile text is shown and never executed', async () => {
    const page = await open('hostile', 'find=')
    await page.locator('.list .row').first().waitFor()
    for (const row of await page.locator('.list .row').all()) await row.click()
    for (const tab of await page.locator('.tabs a').all()) await tab.click()
    const strange = page.locator(
      'img, iframe, object, embed, base, form:not([role=search]), body style, [onerror], [onload], a:not([href^="#"])',
    )
    expect(await strange.evaluateAll((all) => all.map(({ outerHTML }) => outerHTML))).toEqual([])
    expect(await page.locator('#overview').textContent()).toContain('<script>alert(1)</script>')
    expect(await page.locator('body').textContent()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
  })

  test('a question that was sent again shows its other answers, as text', async () => {
    const page = await open('confirmed', 'find=is:sent-again', { bypassCSP: true })
    const tries = page.locator('.answers details', { hasText: 'Sent again' })
    expect(await tries.locator('summary').innerText()).toBe('Sent again: flaky, failed 1 of 3')
    expect(await page.locator('.list .row').count()).toBe(1)
    await tries.locator('summary').click()
    expect(await tries.innerText()).toMatch(
      /First answer \(<\/p><script>\): <img src=x onerror=alert\(1\)>\s+Another answer \(server error\):/,
    )
    expect(await page.locator('img').count()).toBe(0)
    expect(await findViolations(page)).toEqual([])
  })

  test('a gap names its cause and its articles, an answer its source; facts are marked', async () => {
    const page = await open('articles', 'find=cause:not-used')
    const shown = page.locator('.answers')
    await page.locator('.source').waitFor()
    expect(await shown.innerText()).toMatch(/was not used[^]*Does one of these answer it\?[^]*LAN › Cables/)
    expect(await page.locator('.candidate').last().innerText()).toContain('nothing about “drop”')
    // Folded ones open by their key.
    await page.keyboard.press('g')
    await expect.poll(async () => page.locator('.candidate[open] summary').innerText()).toContain('LAN')
    const links = page.locator('.source a[target]')
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
      'https://kb.example.com/vpn',
      '#',
    ])
    expect(await links.first().getAttribute('rel')).toBe('noopener noreferrer nofollow')
    await page.getByLabel('Search conversations').fill('is:unsupported')
    await expect
      .poll(async () => page.locator('.turn mark.doubt').allInnerTexts())
      .toEqual(['+49\u00a030\u00a01234'])
    expect(await page.locator('.turn mark.held').allInnerTexts()).toEqual(['5678'])
    expect(await shown.innerText()).toMatch(/is in no article/)
  })

  test('an article is read from an answer and from its tab, and leads to its lists and back', async () => {
    const page = await open('read', 'find=is:grounded')
    await page.locator('.list .row').nth(1).click()
    const id = await page.locator('.turn[aria-current=true]').getAttribute('data-id')
    await page.getByRole('link', { name: 'Whole article' }).first().click()
    const title = await page.locator('.article-text h2').innerText()
    expect(await page.locator('.article-text section').first().innerText()).not.toBe('')
    await page.locator('.row-link').first().click()
    await page.locator('.list .row').first().waitFor()
    expect(await page.getByRole('searchbox').inputValue()).toMatch(/^article:".*" is:/)
    await page.goBack()
    await page.goBack()
    await expect.poll(async () => page.locator('.turn[aria-current=true]').getAttribute('data-id')).toBe(id)
    await page.getByRole('link', { name: 'Articles', exact: true }).click()
    await page.locator('#articles .more').last().click()
    await page.locator('#articles').getByRole('link', { name: title }).first().click()
    await page.locator('.article-text h2', { hasText: title }).waitFor()
    await page.goBack()
    await page
      .getByRole('link', { name: /^Not reached|^\d+$/ })
      .first()
      .waitFor()
  })

  test('a figure links to its conversations, and the address keeps the search', async () => {
    const page = await open('repeats')
    const rows = page.locator('.list .row')
    await page.locator('#overview .figure a[href="#find=is%3Afailed"]').click()
    await rows.first().waitFor()
    expect(await page.getByRole('searchbox').inputValue()).toContain('is:failed')
    const found = await rows.count()
    await page.reload()
    await rows.first().waitFor()
    expect(await rows.count()).toBe(found)
    await page.getByRole('searchbox').fill('no question has these words')
    await page.getByText('Nothing found.').waitFor()
  })

  test('a review survives a reload and can be downloaded as reviews.csv', async () => {
    const page = await open('repeats', 'find=')
    await page.getByRole('button', { name: 'acceptable' }).click()
    // The focus on a button changes nothing.
    await page.keyboard.press('1')
    await page.getByRole('button', { name: 'Note' }).click()
    await page.locator('.note-text textarea').fill('clear, "and" short')
    await page.locator('.note-text textarea').blur()
    await page.reload()
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: '1 review' }).click(),
    ])
    expect(saved.suggestedFilename()).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-set-reviews\.csv$/)
    expect(readFileSync(await saved.path(), 'utf8')).toMatch(
      /^\uFEFF"id","answer","review","note","message"\r?\n"steady","answer to: Steady\?","good","clear, ""and"" short","Steady\?"\r?\n$/,
    )
  })

  test('the download holds the reviews that were made in the page, with the note that the run carries', async () => {
    const page = await open('reviews', 'find=id:b-1')
    await page.getByRole('button', { name: 'good' }).click()
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: '1 review' }).click(),
    ])
    const { reviews, faults } = await readReviews(await saved.path())
    expect(faults).toEqual([])
    expect(reviews.map(({ questionId, review, note }) => [questionId, review, note])).toEqual([
      ['b-1', 'good', '=danger'],
    ])
  })

  test('without scripts the page shows the overview and names results.csv', async () => {
    const page = await open('hostile', '', { javaScriptEnabled: false })
    expect(await page.locator('.chip').innerText()).toMatch(/Failed/)
    expect(await page.locator('main').innerText()).toContain('results.csv')
  })

  test('without scripts the page lists the changed questions under their heading', async () => {
    const page = await open('baseline', '', { javaScriptEnabled: false })
    expect(await page.getByRole('heading', { name: 'Changes' }).isVisible()).toBe(true)
    const list = page.locator('#changes .box', {
      has: page.getByRole('heading', { name: /^Lost grounding/ }),
    })
    expect(await list.getByRole('listitem').allInnerTexts()).toContainEqual(
      expect.stringContaining('Lost one?'),
    )
  })

  test('print shows every section except the conversations', async () => {
    const page = await open('baseline', 'about')
    await page.locator('#about:visible').waitFor()
    await page.emulateMedia({ media: 'print' })
    const printed = page.locator('main > section:visible')
    expect(await printed.evaluateAll((all) => all.map(({ id }) => id))).toEqual([
      'overview',
      'changes',
      'limits',
      'about',
    ])
    const pdf = join(scratch, 'page.pdf')
    await page.pdf({ path: pdf })
    expect(statSync(pdf).size).toBeGreaterThan(5000)
  })

  test('print has the gaps with their answers, and keeps rows whole and headings with what they head', async () => {
    const page = await open('expectations')
    const answer = page.getByText('Yes, just do it.').first()
    expect(await answer.isVisible()).toBe(false)
    await page.emulateMedia({ media: 'print' })
    expect(await answer.isVisible()).toBe(true)
    expect(await page.locator('.box > :is(ul, table, div):not(.screen-only *):not(:visible)').count()).toBe(0)
    const breaks = async (selector: string, side: 'breakInside' | 'breakAfter') =>
      page
        .locator(selector)
        .evaluateAll((all, name) => [...new Set(all.map((one) => getComputedStyle(one)[name]))], side)
    for (const row of ['tr', '.items > li', '.group li', '.box-head'])
      expect([row, ...(await breaks(row, 'breakInside'))]).toEqual([row, 'avoid'])
    for (const heading of ['.box-head', '.section-title', '.group-head'])
      expect([heading, ...(await breaks(heading, 'breakAfter'))]).toEqual([heading, 'avoid'])
  })

  test('a printed comparison names its runs, their sets and articles', async () => {
    const page = await open('edited')
    await page.emulateMedia({ media: 'print' })
    const text = await page.locator('#about').innerText()
    expect(text).toMatch(/Baseline\s+Now[^]*Run\s+run\s+after[^]*Set\s+\S+\.csv\s+\S+\.csv[^]*Articles\s/)
  })
})

/** In the browser: sideways scroll, parts of the bar that overlap, widths of columns, and where the answer begins. */
function measure() {
  const boxOf = (element: Element) => element.getBoundingClientRect()
  const parts = [...document.querySelectorAll('.bar > *')]
    .map((part) => ({ name: part.className, box: boxOf(part) }))
    .filter(({ box }) => box.width > 1)
  const overlaps = parts.flatMap(({ name, box }, index) =>
    parts
      .slice(index + 1)
      .filter(
        ({ box: other }) =>
          box.left < other.right - 1 &&
          other.left < box.right - 1 &&
          box.top < other.bottom - 1 &&
          other.top < box.bottom - 1,
      )
      .map(({ name: other }) => `${name} ${other}`),
  )
  const chip = document.querySelector('.chip')
  if (chip !== null && innerWidth < 1200 && chip.scrollWidth > chip.clientWidth) overlaps.push('chip is cut')
  const columns = [...document.querySelectorAll('.list, .turn, .source')].map((column) => boxOf(column).width)
  return {
    overflow: document.documentElement.scrollWidth - innerWidth,
    overlaps,
    columns: columns.filter((width) => width > 0),
    answerAt: document.querySelector('.turn[aria-current=true] .turn-text')?.getBoundingClientRect().top ?? 0,
  }
}
