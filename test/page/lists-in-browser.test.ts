// What the list of conversations says and does in a real browser: repeats, signs, sources without a name, ways back.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { findChromium } from '../support/browser.ts'
import { makePageChange, makePageTurn, manyPageTurns } from '../support/page-turns.ts'
import { writePage } from '../support/report-page.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { useBrowser } from '../support/watched-browser.ts'

const chromium = findChromium()
const folder = temporaryFolder()

/** Narrower than their longest text although there is room. */
const MENUS_CUT_OFF = `[...document.querySelectorAll('.controls select')].flatMap((menu) => {
  const free = menu.cloneNode(true)
  free.style.cssText = 'width: max-content; max-width: none; position: absolute'
  document.body.append(free)
  const [has, needs] = [menu, free].map((one) => one.getBoundingClientRect().width)
  free.remove()
  const room = document.getElementById('search').getBoundingClientRect().width
  return has < Math.min(needs, room) - 1 ? [menu.id + ': ' + has + ' of ' + needs] : []
})`

describe.skipIf(chromium === undefined)('the list', () => {
  const watched = useBrowser(chromium)
  /** Without text until it is first drawn, as what is out of sight is not. */
  const under = async (page: Page): Promise<string[][]> => {
    const lines = await page.locator('.under').all()
    return Promise.all(lines.map(async (line) => line.locator('> *').allInnerTexts()))
  }

  test('names repeats, the slowest turn, and whose failure it is', async () => {
    const turns = [1, 2].flatMap((repeat) => [
      makePageTurn('a', { thread: 't', repeat, mustPass: true, passed: repeat === 1, latencyMs: 2500 }),
      makePageTurn('b', { thread: 't', turn: 2, repeat, passed: repeat === 2, source: '', latencyMs: 900 }),
    ])
    const page = await watched.open(writePage(folder, 'repeated', { turns }))
    await page.getByText('2 questions of 2 (4 turns with their repeats), in 2 conversations.').waitFor()
    await expect
      .poll(async () => under(page))
      .toEqual([
        ['Failed', '2 questions', 'slowest 2.5 s', 'repeat 1'],
        ['Must pass: failed', '2 questions', 'slowest 2.5 s', 'repeat 2'],
      ])
    const menu = (name: string) => page.getByLabel(name, { exact: true }).locator('option')
    expect(await menu('Show').allInnerTexts()).toContain('Failed (2)')
    expect(await menu('Source').allInnerTexts()).toEqual(['Any source', '(empty) (1)', 'KNOWLEDGE_BASE (1)'])
    await page.getByLabel('Source', { exact: true }).selectOption({ index: 1 })
    await expect
      .poll(async () => (await under(page))[0])
      .toEqual(['Failed', '(empty)', 'turn 2 of 2', '900 ms', 'repeat 1'])
    await page.getByRole('button', { name: 'Open all shown' }).click()
    expect(await page.locator('#turn-0 .sign-of').allInnerTexts()).toEqual(['Must pass'])
    expect(watched.said()).toEqual([])
  })

  test('a comparison says that both runs gave one answer, and a run at which repeat the change is shown', async () => {
    const turns = [makePageTurn('r', { answer: 'A.', change: makePageChange('A.') })]
    const names = { baseline: 'before', candidate: 'now' }
    const page = await watched.open(writePage(folder, 'compared', { turns, names, kind: 'comparison' }))
    await page.getByRole('button', { name: 'Open all shown' }).click()
    expect(await page.locator('#turn-0').innerText()).toContain('Both runs gave this very answer.')
    const run = [
      makePageTurn('q', { change: makePageChange('Before.') }),
      makePageTurn('q', { repeat: 2, answer: 'B.', changeAt: 1 }),
    ]
    const single = await watched.open(`${writePage(folder, 'twin', { turns: run, names })}#q=q&repeat=2`)
    await single.getByText('what changed since before is shown at repeat 1.').waitFor()
    expect(watched.said()).toEqual([])
  })

  test('the keyboard stays in the list that grows upwards; back to no filter is back to all', async () => {
    const turns = Array.from(manyPageTurns(120), (turn) => ({ ...turn, thread: turn.id, turn: 1 }))
    const address = writePage(folder, 'long', { turns })
    const page = await watched.open(`${address}#q=question-110`)
    await page.locator('.turn:focus').waitFor()
    await page.getByRole('button', { name: 'Show 50 before these' }).press('Enter')
    expect(await page.locator('.toggle:focus').innerText()).toContain('number 106?')
    await page.goto(address)
    await page.goto(`${address}#filter=tag:vpn`)
    await page.getByText(/^\d+ questions? of 120/).waitFor()
    await page.goBack()
    await page.getByText('120 questions of 120, in 120 conversations.').waitFor()
    expect(await page.getByLabel('Tag', { exact: true }).inputValue()).toBe('')
    await page.goto(`${address}#q=nobody`)
    const note = page.locator('[role=alert]:focus')
    expect(await note.innerText()).toBe('The question "nobody" is not in this page.')
    expect((await note.boundingBox())?.y).toBeLessThan(720)
    await page.goto(`${address}#q=question-3`)
    await page.locator('.turn:focus').waitFor()
    expect(await page.locator('[role=alert]:visible').count()).toBe(0)
    expect(watched.said()).toEqual([])
  })

  test.each([1280, 360])('the menus show their longest texts whole at %i px', async (width) => {
    const tags = ['a tag of some thirty characters', 'vpn']
    const turns = [
      makePageTurn('a', { tags, grounded: false, passed: false }),
      makePageTurn('b', { source: 'WEB_SEARCH_OF_ANOTHER_PROVIDER', mustPass: true }),
    ]
    const page = await watched.open(writePage(folder, 'menus', { turns }))
    await page.setViewportSize({ width, height: 800 })
    const short = await page.evaluate<string[]>(MENUS_CUT_OFF)
    expect(short).toEqual([])
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    expect(watched.said()).toEqual([])
  })
})
