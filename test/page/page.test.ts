// Protects the report page in a real browser: pages of recorded runs and a comparison. Any request, dialog or error fails.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readReviews } from '../../src/dataset/reviews.ts'
import { report } from '../../src/library/report.ts'
import { compareRecorded, copyRecorded, reportRecorded } from '../recorded/reports.ts'
import { findChromium } from '../support/browser.ts'
import { pageAssets, pageTurn, writePage } from '../support/report-page.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { findSplitHeaders, findViolations, useBrowser } from '../support/watched-browser.ts'

const scratch = temporaryFolder()

const written = {
  hostile: async () => runPage('hostile'),
  repeats: async () => runPage('repeats'),
  compared: async () => `file://${(await compareRecorded('compared-kinds', scratch)).page}`,
  baseline: async () => {
    const folder = copyRecorded('compared', scratch)
    await report({ run: join(folder, 'candidate'), baseline: join(folder, 'baseline') })
    return `file://${folder}/candidate/report.html`
  },
  reviews: async () => {
    const folder = copyRecorded('reviews', scratch)
    await report({ run: join(folder, 'run'), reviews: [join(folder, 'reviews.csv')] })
    return `file://${folder}/run/report.html`
  },
  articles: async () => {
    const { document } = await reportRecorded('repeats', join(scratch, 'with-articles'))
    return writePage(scratch, 'articles', document, ARTICLE_TURNS)
  },
  confirmed: async () => {
    const { document } = await reportRecorded('repeats', join(scratch, 'with-tries'))
    return writePage(scratch, 'confirmed', document, [CONFIRMED, pageTurn({ id: 'other', thread: 'other' })])
  },
  load: async () => runPage('load'),
}

const LINKED = {
  article: 'vpn',
  title: '<img src=x onerror=alert(1)>',
  section: '',
  url: 'https://kb.example.com/vpn',
}
const CONFIRMED = pageTurn({
  id: 'flaky',
  thread: 'flaky',
  answer: 'It closes at six.',
  tries: {
    answers: 3,
    failed: 1,
    ungrounded: 0,
    confirmed: false,
    others: [
      { answer: '<img src=x onerror=alert(1)>', source: '</p><script>', outcome: 'answered', isFirst: true },
      { answer: null, source: null, outcome: 'server_error', isFirst: false },
    ],
  },
})
const ARTICLE_TURNS = [
  pageTurn({
    id: 'gap',
    thread: 'gap',
    message: 'Why does it drop?',
    grounded: false,
    articles: {
      kind: 'gap',
      cause: 'not-used',
      because: 'The nearest article has drop.',
      decision: null,
      nearest: [LINKED, { article: 'lan', title: 'LAN', section: 'Cables', url: 'javascript:alert(1)' }],
    },
  }),
  pageTurn({
    id: 'answer',
    thread: 'answer',
    answer: 'Call +49 30 1234 or 5678.',
    articles: {
      kind: 'answer',
      source: LINKED,
      misfit: { article: 'lan', title: 'LAN', section: 'Cables', url: null },
      checked: 2,
      doubtful: [
        {
          kind: 'unsupported',
          text: '+49 30 1234',
          start: 5,
          end: 16,
          sentence: 'Call …',
          instead: null,
          at: null,
        },
      ],
    },
  }),
]

type Page = keyof typeof written
const pageNames = Object.keys(written) as Page[]
const addresses = new Map<Page, Promise<string>>()

/** Each page is written once. */
async function addressOf(page: Page): Promise<string> {
  const address = addresses.get(page) ?? written[page]()
  addresses.set(page, address)
  return address
}

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

test('script and style of the page have at most 80 KB', () => {
  const { script, style } = pageAssets()
  expect(Buffer.byteLength(script + style)).toBeLessThanOrEqual(80_000)
})

const chromium = findChromium()

describe.skipIf(chromium === undefined)('in a browser', () => {
  const browser = useBrowser(chromium, '.badge')

  describe.each([1280, 360])('%i wide', (width) => {
    test.each(pageNames)('the page of %s passes axe', async (name) => {
      const page = await browser.open(await addressOf(name), {
        bypassCSP: true,
        viewport: { width, height: 740 },
      })
      for (const tab of await page.locator('header nav a').all()) {
        await tab.click()
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
        expect(await findSplitHeaders(page)).toEqual([])
        expect(await findViolations(page)).toEqual([])
      }
    })
  })

  test('the back button returns to the previous tab', async () => {
    const page = await browser.open(await addressOf('baseline'))
    const shown = async (): Promise<string[]> =>
      page.locator('main > section:not([hidden])').evaluateAll((all) => all.map(({ id }) => id))
    expect(await shown()).toEqual(['overview'])
    await page.getByRole('link', { name: 'Limits & quota' }).click()
    await expect.poll(shown).toEqual(['limits'])
    await page.getByRole('link', { name: 'Changes' }).click()
    await expect.poll(shown).toEqual(['changes'])
    await page.goBack()
    await page.goBack()
    await expect.poll(shown).toEqual(['overview'])
  })

  test('a figure of the changes leads to the conversations of its kind, both answers side by side', async () => {
    const page = await browser.open(`${await addressOf('baseline')}#changes`)
    const figure = page.getByRole('link', { name: /^Newly failing/ }).first()
    const count = Number(/\d+$/.exec((await figure.innerText()).trim())?.[0])
    await figure.click()
    expect(await page.getByRole('status').innerText()).toContain(`${count} question`)
    expect(await page.locator('.conversation .change-view').count()).toBeGreaterThan(0)
    await page.goBack()
    await figure.waitFor()
  })

  test('a search scrolls to the matching question in its conversation', async () => {
    const page = await browser.open(
      `${await addressOf('baseline')}#find=${encodeURIComponent('"Talk two"')}`,
      {
        viewport: { width: 1280, height: 500 },
      },
    )
    await page.locator('.turn[aria-current=true]').waitFor()
    const [pane, meant] = await Promise.all([
      page.locator('.conversation').boundingBox(),
      page.locator('.turn[aria-current=true]').boundingBox(),
    ])
    expect(meant?.y).toBeLessThan((pane?.y ?? 0) + (pane?.height ?? 0) / 2)
  })

  test('the keyboard searches, moves, opens and rates', async () => {
    const page = await browser.open(`${await addressOf('baseline')}#conversations`)
    const chosen = page.locator('.found [aria-current=true]')
    await chosen.waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('tag:vpn lost')
    await expect
      .poll(async () => page.getByRole('status').innerText())
      .toMatch(/^2 questions in 2 conversations/)
    await page.getByRole('searchbox').fill('tag:same')
    await page.keyboard.press('Escape')
    const first = await chosen.innerText()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    expect(await page.locator('.found button').nth(1).getAttribute('aria-current')).toBe('true')
    expect(await chosen.innerText()).not.toBe(first)
    await page.locator('.turn:focus').waitFor()
    await page.keyboard.press('3')
    await page.getByRole('button', { name: 'poor', pressed: true }).waitFor()
  })

  test('the keyboard goes on where the list of conversations ends', async () => {
    const { document } = await reportRecorded('repeats', join(scratch, 'many'))
    const turns = Array.from({ length: 202 }, (_, number) =>
      pageTurn({ id: `c-${number}`, thread: `c-${number}`, message: `Question ${number}` }),
    )
    const page = await browser.open(`${writePage(scratch, 'many', document, turns)}#q=c-199`)
    await page.locator('.turn[data-id="c-199"]:focus').waitFor()
    await page.keyboard.press('j')
    await page.locator('.turn[data-id="c-200"]').waitFor()
    expect(await page.locator('.found [aria-current=true]').allInnerTexts()).toEqual([
      expect.stringContaining('Question 200'),
    ])
  })

  test('keys act on the marked answer alone, also after a note, and a key that is held acts once', async () => {
    const page = await browser.open(`${await addressOf('baseline')}#find=thread:talk`)
    const current = page.locator('.turn[aria-current=true]')
    const note = page.getByLabel('Note on this answer')
    const marks = async () => page.evaluate(marksOfPage)
    const hold = async (key: string): Promise<void> => {
      for (let times = 0; times < 5; times += 1) await page.keyboard.down(key)
      await page.keyboard.up(key)
    }
    const currentId = async () => current.getAttribute('data-id')

    await current.waitFor()
    await page.keyboard.press('n')
    expect(await currentId()).toBe('talk-2')
    // It alone can be rated, and looks different.
    expect(await note.count()).toBe(1)
    const colours = await page
      .locator('.turn')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor))
    expect(new Set(colours).size).toBe(2)
    await note.fill('fine')
    await page.keyboard.press('Escape')
    await page.keyboard.press('3')
    expect(await marks()).toEqual({ 'talk-2': ['poor', 'fine'] })
    await note.fill('fine, too')
    await page.keyboard.press('Enter')
    await page.keyboard.press('1')
    expect(await marks()).toEqual({ 'talk-2': ['good', 'fine, too'] })
    // The focus elsewhere changes nothing.
    await page.getByRole('button', { name: 'Rated good 1' }).focus()
    await hold('2')
    expect(await marks()).toEqual({ 'talk-2': ['acceptable', 'fine, too'] })
  })

  test('a rated answer stays marked until another is chosen, also where the search does not find it any more', async () => {
    const page = await browser.open(`${await addressOf('baseline')}#find=review:none%20tag:same`)
    const current = page.locator('.turn[aria-current=true]')
    const rows = page.locator('.found button')
    await current.waitFor()
    const [id, count] = [await current.getAttribute('data-id'), await rows.count()]
    await page.keyboard.press('1')
    await page.keyboard.press('3')
    expect(await page.evaluate(marksOfPage)).toEqual({ [id ?? '']: ['poor', ''] })
    expect([await current.getAttribute('data-id'), await rows.count()]).toEqual([id, count])
    await page.getByRole('button', { name: 'Rated poor 1' }).waitFor()
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

  test('the first rating appears on the overview, and the next one is counted', async () => {
    const page = await browser.open(await addressOf('baseline'))
    const reviews = page.locator('#overview .card', { has: page.getByRole('heading', { name: 'Reviews' }) })
    const shown = async () => reviews.locator('tr').allInnerTexts()
    expect(await reviews.count()).toBe(0)
    await page.getByRole('link', { name: 'Conversations', exact: true }).click()
    await page.locator('.turn[aria-current=true]').waitFor()
    await page.keyboard.press('3')
    await page.getByRole('link', { name: 'Overview' }).click()
    await expect.poll(shown).toContainEqual(expect.stringMatching(/^poor\s+1$/))
    await reviews.getByRole('link', { name: 'poor' }).click()
    await page.locator('.turn[aria-current=true]').waitFor()
    await page.keyboard.press('1')
    await page.getByRole('link', { name: 'Overview' }).click()
    await expect
      .poll(shown)
      .toEqual([
        expect.stringMatching(/^poor\s+0$/),
        expect.stringMatching(/^acceptable\s+0$/),
        expect.stringMatching(/^good\s+1$/),
        expect.stringMatching(/^not reviewed\s+\d+$/),
      ])
  })

  test('a link to a question opens its conversation and focuses it', async () => {
    const page = await browser.open(`${await addressOf('baseline')}#q=talk-2`, {
      viewport: { width: 1280, height: 500 },
    })
    await page.locator('.turn[data-id="talk-2"]:focus').waitFor()
    expect(await page.locator('.conversation .turn').count()).toBe(2)
    // The list has scrolled to it.
    const [list, chosen] = await Promise.all([
      page.locator('.found').boundingBox(),
      page.locator('.found [aria-current=true]').boundingBox(),
    ])
    expect(chosen?.y).toBeLessThan((list?.y ?? 0) + (list?.height ?? 0))
  })

  test('hostile text is shown and never executed', async () => {
    const page = await browser.open(`${await addressOf('hostile')}#conversations`)
    for (const one of await page.locator('.found button').all()) await one.click()
    for (const tab of await page.locator('header nav a').all()) await tab.click()
    const strange = page.locator(
      'img, iframe, object, embed, base, form, body style, [onerror], [onload], a:not([href^="#"])',
    )
    expect(await strange.evaluateAll((all) => all.map(({ outerHTML }) => outerHTML))).toEqual([])
    expect(await page.locator('#overview').textContent()).toContain('<script>alert(1)</script>')
    expect(await page.locator('body').textContent()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
  })

  test('a question that was sent again shows its other answers, as text', async () => {
    const page = await browser.open(`${await addressOf('confirmed')}#find=is:sent-again`)
    expect(await page.getByRole('status').innerText()).toContain('1 question in 1 conversation')
    const tries = page.locator('.conversation details', { hasText: 'Sent again' })
    expect(await tries.locator('summary').innerText()).toBe('Sent again: flaky, failed 1 of 3')
    await tries.locator('summary').click()
    expect(await tries.innerText()).toMatch(
      /First answer \(<\/p><script>\): <img src=x onerror=alert\(1\)>\s+Another answer \(server error\):/,
    )
    expect(await page.locator('img').count()).toBe(0)
    expect(await findViolations(page)).toEqual([])
  })

  test('a gap names its cause and its articles, an answer its likely source; a fact that stands in no article is marked', async () => {
    const page = await browser.open(`${await addressOf('articles')}#find=cause:not-used`)
    const shown = page.locator('.conversation .articles')
    expect(await shown.innerText()).toMatch(
      /article on this topic\s+The nearest article has drop\.[^]*LAN › Cables/,
    )
    const links = page.locator('.conversation .articles a[target]')
    expect(await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')))).toEqual([
      'https://kb.example.com/vpn',
      '#',
    ])
    expect(await links.first().getAttribute('rel')).toBe('noopener noreferrer nofollow')
    await page.locator('.articles').getByRole('link', { name: '<img src=x onerror=alert(1)>' }).click()
    expect(await page.getByRole('status').innerText()).toContain('2 questions in 2 conversations')
    await page.getByLabel('Search conversations').fill('is:unsupported')
    expect(await page.locator('.conversation mark').innerText()).toBe('+49 30 1234')
    expect(await shown.innerText()).toContain('stands in no article')
  })

  test('a figure links to its conversations, and the address keeps the search', async () => {
    const page = await browser.open(await addressOf('repeats'))
    await page.getByRole('link', { name: /^Expectations met/ }).click()
    await page.getByRole('searchbox').waitFor()
    expect(await page.getByRole('searchbox').inputValue()).toContain('is:failed')
    const found = await page.getByRole('status').innerText()
    await page.reload()
    await page.getByRole('searchbox').waitFor()
    expect(await page.getByRole('status').innerText()).toBe(found)
    await page.getByRole('searchbox').fill('no question has these words')
    await page.getByText('No conversation matches.').waitFor()
  })

  test('a review survives a reload and can be downloaded as reviews.csv', async () => {
    const page = await browser.open(`${await addressOf('repeats')}#conversations`)
    const rate = page.getByRole('group', { name: 'Rate this answer' }).first().getByRole('button').first()
    await rate.click()
    await page.getByLabel('Note on this answer').first().fill('clear, "and" short')
    await page.getByLabel('Note on this answer').first().blur()
    await page.reload()
    await page.getByRole('button', { name: 'Download 1 review' }).waitFor()
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download 1 review' }).click(),
    ])
    expect(saved.suggestedFilename()).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-set-reviews\.csv$/)
    expect(readFileSync(await saved.path(), 'utf8')).toMatch(
      /^\uFEFF"id","answer","review","note","message"\r?\n"steady","answer to: Steady\?","good","clear, ""and"" short","Steady\?"\r?\n$/,
    )
  })

  test('the download holds the reviews that the run carries, with the new ones in their place', async () => {
    const page = await browser.open(`${await addressOf('reviews')}#find=id:b-1`)
    await page.getByRole('group', { name: 'Rate this answer' }).first().getByText('good').click()
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download 4 reviews' }).click(),
    ])
    const { reviews, faults } = await readReviews(await saved.path())
    expect(faults).toEqual([])
    expect(reviews.map(({ questionId, review, note }) => [questionId, review, note])).toEqual([
      ['a-1', 'good', 'checked'],
      ['a-2', 'acceptable', ''],
      ['a-3', 'poor', 'old, and wrong'],
      ['b-1', 'good', '=danger'],
    ])
  })

  test('without scripts the page shows the overview and names results.csv', async () => {
    const address = await addressOf('hostile')
    const page = await browser.open(address, { javaScriptEnabled: false })
    expect(await page.locator('.badge').innerText()).toMatch(/Failed/)
    expect(await page.locator('main').innerText()).toContain('results.csv')
  })

  test('without scripts the page lists the changed questions under their heading', async () => {
    const page = await browser.open(await addressOf('baseline'), { javaScriptEnabled: false })
    expect(await page.getByRole('heading', { name: 'Changes' }).isVisible()).toBe(true)
    const changes = page.locator('#changes')
    const list = changes.locator('.card', { has: page.getByRole('heading', { name: /^Lost grounding/ }) })
    expect(await list.getByRole('listitem').allInnerTexts()).toContainEqual(
      expect.stringContaining('Lost one?'),
    )
  })

  test('print shows every section except the conversations', async () => {
    const page = await browser.open(`${await addressOf('baseline')}#about`)
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
})
