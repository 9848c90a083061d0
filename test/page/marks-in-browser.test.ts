// An editor's marks in a real browser: two tabs, a page that is made anew, repeats, and the lists that know of marks.
import { readReviews } from '../../src/dataset/reviews.ts'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { PageTurn } from '../../src/domain/page.ts'
import { findChromium } from '../support/browser.ts'
import { makePageTurn } from '../support/page-turns.ts'
import { writePage } from '../support/report-page.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { useBrowser } from '../support/watched-browser.ts'

const chromium = findChromium()
const folder = temporaryFolder()

describe.skipIf(chromium === undefined)('marks', () => {
  const watched = useBrowser(chromium)

  const openAll = async (page: Page): Promise<void> =>
    page.getByRole('button', { name: 'Open all shown' }).click()
  const unsaved = async (page: Page, told: string): Promise<void> =>
    page.getByText(`${told} not saved yet.`).waitFor()

  test('of two tabs both are kept, and each tab shows all', async () => {
    const turns = ['a', 'b'].map((id) => makePageTurn(id))
    const address = writePage(folder, 'tabs', { turns })
    const one = await watched.open(address)
    const other = await one.context().newPage()
    await other.goto(address)
    for (const tab of [one, other]) await openAll(tab)
    await one.locator('#turn-0').getByLabel('Poor').check()
    await unsaved(other, '1 review is')
    expect(await other.locator('#turn-0').getByLabel('Poor').isChecked()).toBe(true)
    await other.locator('#turn-1').getByLabel('Good').check()
    await unsaved(one, '2 reviews are')
    await one.locator('#turn-0').getByLabel('None').check()
    await unsaved(other, '1 review is')
    await other.reload()
    await unsaved(other, '1 review is')
    expect(watched.said()).toEqual([])
  })

  test('outlive a page that is made anew: known ones go, those of other answers wait', async () => {
    const write = (more: Readonly<Record<string, Partial<PageTurn>>>, runs = ['run-11']): string =>
      writePage(folder, 'again', {
        // Another place for every turn.
        turns: Object.entries(more).map(([id, own]) => makePageTurn(id, own)),
        runs,
      })
    const page = await watched.open(write({ known: {}, changed: {}, open: {} }))
    await openAll(page)
    for (const place of [0, 1, 2]) await page.locator(`#turn-${place}`).getByLabel('Good').check()
    await page.locator('#turn-0').getByLabel('Note').fill('as it was')
    await unsaved(page, '3 reviews are')
    const review = { state: 'carried', word: 'good', note: 'as it was' } as const
    write({ open: {}, changed: { answer: 'Another.' }, known: { review } })
    await page.reload()
    await unsaved(page, '1 review is')
    await openAll(page)
    expect(await page.locator('#turn-0').getByLabel('Good').isChecked()).toBe(true)
    expect(await page.locator('#turn-1').getByLabel('None').isChecked()).toBe(true)
    write({ changed: {}, open: {} })
    await page.reload()
    await unsaved(page, '2 reviews are')
    write({ changed: {}, open: {} }, ['another run'])
    await page.reload()
    await page.locator('.conversation').first().waitFor()
    expect(await page.locator('.reviews-bar:visible').count()).toBe(0)
    expect(watched.said()).toEqual([])
  })

  test('repeats that were answered alike share one, and the lists know of it', async () => {
    const turns = [
      makePageTurn('q', { answer: 'Same.', passed: true }),
      makePageTurn('q', { answer: 'Same.', passed: true, repeat: 2 }),
      makePageTurn('q', { answer: 'Other.', repeat: 3 }),
      makePageTurn('r'),
    ]
    const page = await watched.open(writePage(folder, 'repeats', { turns }), { acceptDownloads: true })
    const lists = page.getByLabel('Show', { exact: true })
    await lists.selectOption({ label: 'Needs review (2)' })
    await openAll(page)
    for (const place of [0, 2]) await page.locator(`#turn-${place}`).getByLabel('Poor').check()
    await page.locator('#turn-1').getByLabel('Note').fill('see ticket')
    await unsaved(page, '2 reviews are')
    expect(await page.locator('#turn-1').getByLabel('Poor').isChecked()).toBe(true)
    expect(await page.locator('#turn-0').getByLabel('Note').inputValue()).toBe('see ticket')
    // What stands on the screen stays until something is chosen.
    await lists.locator('option', { hasText: 'Needs review (1)' }).waitFor({ state: 'attached' })
    expect(await page.locator('.turn').count()).toBe(4)
    await page.getByText('Of these, 1 still matches the filters.').waitFor()
    await lists.selectOption({ label: 'Your marks (1)' })
    await page.getByText('1 question of 2 (3 turns with their repeats), in 3 conversations.').waitFor()
    await lists.selectOption({ label: 'Needs review (1)' })
    await page.getByText('1 question of 2, in 1 conversation.').waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save reviews' }).click(),
    ])
    const { reviews } = await readReviews(await file.path())
    expect(reviews.map(({ answer, review, note }) => [answer, review, note])).toEqual([
      ['Same.', 'poor', 'see ticket'],
      ['Other.', 'poor', ''],
    ])
    await page.getByText('Keep the file reviews.csv').waitFor()
    expect(watched.said()).toEqual([])
  })

  test('take the sign off the turn, its conversation and the closed conversation', async () => {
    const review = { state: 'new', word: null, note: '' } as const
    const turns = ['a', 'b'].map((id) => makePageTurn(id, { review, passed: false }))
    const page = await watched.open(writePage(folder, 'signs', { turns }))
    await page.getByLabel('Show', { exact: true }).selectOption({ label: 'Needs review (2)' })
    const signs = async (line: string): Promise<string[]> =>
      page.locator(line).first().locator('.sign-of').allTextContents()
    expect(await signs('.under')).toEqual(['Failed', 'Needs review'])
    await openAll(page)
    expect(await signs('#turn-0 .turn-top')).toEqual(['Failed', 'Needs review'])
    await page.locator('#turn-0').getByLabel('Good').check()
    expect(await signs('#turn-0 .turn-top')).toEqual(['Failed'])
    await page.getByText('2 questions of 2, in 2 conversations. Of these, 1 still matches').waitFor()
    await page.getByRole('button', { name: 'Close all' }).click()
    expect(await signs('.under')).toEqual(['Failed'])
    expect(await page.locator('.under').last().locator('.sign-of').count()).toBe(2)
    await openAll(page)
    await page.locator('#turn-0').getByLabel('None').check()
    expect(await signs('#turn-0 .turn-top')).toEqual(['Failed', 'Needs review'])
    await page.getByText('in 2 conversations.', { exact: false }).waitFor()
    await page.getByText('still matches').waitFor({ state: 'detached' })
    expect(watched.said()).toEqual([])
  })
})
