// Protects the way of an editor through the workbench, in a real browser and in few steps.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { compareTexts } from '../../src/domain/text.ts'
import { readReviews } from '../../src/dataset/reviews.ts'
import { findChromium } from '../support/browser.ts'
import { projectRoot } from '../support/program.ts'
import { temporaryPaths } from '../support/temporary.ts'
import { useBrowser } from '../support/watched-browser.ts'
import { openView, openWorkbench, rowsIn, runOnSandbox } from '../support/workbench.ts'

const chromium = findChromium()
const pathOf = temporaryPaths()

/** What the articles say, and what the desk says in its place: its knowledge base is older. */
const EDITS = [
  ['account-lockout', 'after 20 minutes', 'after 45 minutes'],
  ['vpn-setup', 'after 12 hours', 'after 9 hours'],
  ['payroll', 'on the 25th', 'on the 27th'],
] as const

const GONE = ['annual-leave', 'expense-claims', 'sick-leave']

/** The shipped questions and articles, a desk that lacks three of these and has old values in three, and its run. */
async function makeFolder() {
  const folder = pathOf()
  const [kb, articles] = [join(folder, 'kb'), join(folder, 'articles')]
  for (const path of [kb, articles])
    cpSync(join(projectRoot, 'datasets/knowledge-base'), path, { recursive: true })
  for (const name of GONE) rmSync(join(kb, `${name}.md`))
  for (const [name, now, before] of EDITS) edit(join(kb, `${name}.md`), now, before)
  cpSync(join(projectRoot, 'datasets/quickstart.csv'), join(folder, 'questions.csv'))
  const out = join(folder, 'night')
  await runOnSandbox(join(folder, 'questions.csv'), out, { kb, articles })
  return { folder, out, kb }
}

function edit(path: string, from: string, to: string): void {
  const text = readFileSync(path, 'utf8')
  expect(text).toContain(from)
  writeFileSync(path, text.replaceAll(from, to))
}

/** Counts what a person does. */
function createHand(page: Page) {
  let steps = 0
  return {
    steps: () => steps,
    click: async (what: Locator) => {
      steps += 1
      await what.first().click()
    },
    /** A text counts as what it is, not as keys. */
    type: async (text: string) => page.keyboard.type(text),
    press: async (key: string) => {
      steps += 1
      await page.keyboard.press(key)
    },
  }
}

describe.skipIf(chromium === undefined)('an editor', () => {
  const browser = useBrowser(chromium, 'main')

  test('decides ten gaps, rates ten answers, expects two facts and asks three questions again in 40 keys and clicks', async () => {
    const { folder, out, kb } = await makeFolder()
    const { url } = await openWorkbench(folder, { kb, articles: join(folder, 'articles') })
    const page = await browser.open(url)
    const { click, press, type, steps } = createHand(page)
    const current = page.locator('.turn[aria-current=true]')
    const question = async (): Promise<string> => current.locator('h2').innerText()
    /** Presses a key, and checks that what it did stands at the answer that was current before. */
    const act = async (key: string, says: RegExp): Promise<void> => {
      const before = await question()
      await press(key)
      await current.getByText(says).waitFor()
      expect(await question()).toBe(before)
    }

    await click(page.getByRole('link', { name: 'night' }))
    const gaps = page.locator('.first a', { hasText: 'not answered from the knowledge base' })
    const gapsLeft = async () => Number(await gaps.locator('b').innerText())
    const found = await gapsLeft()
    await click(gaps)
    // What the key a does stays in sight below a section that is longer than the window.
    await page.setViewportSize({ width: 1280, height: 400 })
    const primary = page.getByRole('button', { name: 'This article answers it' })
    await expect.poll(async () => (await primary.boundingBox())?.y).toBeLessThan(400 - 40 - 32)
    await page.setViewportSize({ width: 1280, height: 720 })
    const decided = new Map<string, string>()
    for (let at = 0; at < 10; at += 1) {
      // The article of the first candidate is there to read.
      await page.locator('.source .candidate[open] .source-text p').first().waitFor()
      const isMissing = /pet insurance|weather|restaurant|stock options|3D printer|coffee/.test(
        await question(),
      )
      decided.set(await question(), isMissing ? 'none' : 'article')
      await act(isMissing ? 'x' : 'a', isMissing ? /No article answers it ·/ : /answers it ·/)
      await act(at % 2 === 0 ? '3' : '2', at % 2 === 0 ? /Rated poor ·/ : /Rated acceptable ·/)
      if (at < 2) {
        await press('e')
        await type('Nobody at the desk knew.')
        await press('Enter')
      }
      if (at < 9) await press('j')
    }
    expect(decided.size).toBe(10)
    await page.goto(page.url().replace(/#.*/, '#overview'))
    await expect.poll(gapsLeft).toBe(found - 10)
    await page.goBack()

    await click(page.getByRole('link', { name: /^Facts 3/ }))
    await page.locator('.filters a[aria-current=true]', { hasText: 'Facts' }).waitFor()
    await act('a', /Expected in questions\.csv/)
    await press('j')
    await act('a', /Expected in questions\.csv/)

    for (const [name, now, before] of EDITS) edit(join(kb, `${name}.md`), before, now)
    await click(page.getByRole('button', { name: /^Ask again: \d questions/ }))
    await page.waitForURL(/path=[^&]*again/)
    await page.getByRole('link', { name: /^Changed 3/ }).waitFor({ timeout: 60_000 })
    expect(await current.locator('.version').count()).toBe(2)
    expect(steps()).toBeLessThanOrEqual(40)
    await act('a', /Expected in questions\.csv/)

    // A log: a note that is added later is a row of its own.
    const { reviews } = await readReviews(join(out, 'reviews.csv'))
    const last = [...new Map(reviews.map((review) => [review.questionId, review])).values()]
    expect(last.map(({ review }) => review ?? '').toSorted(compareTexts)).toEqual([
      ...Array.from({ length: 5 }, () => 'acceptable'),
      ...Array.from({ length: 5 }, () => 'poor'),
    ])
    expect(last.filter(({ note }) => note === 'Nobody at the desk knew.')).toHaveLength(2)
    const log = rowsIn(join(folder, 'decisions.csv'))
    expect(
      new Map(log.map((row) => [row['message'], row['article'] === 'none' ? 'none' : 'article'])),
    ).toEqual(decided)
    const set = readFileSync(join(folder, 'questions.csv'), 'utf8')
    expect(set).toMatch(/20 minutes|12 hours|25th/)
  })

  test('each key acts on what is marked, but not in a field, with a modifier, while composing, or held', async () => {
    const { folder } = await makeFolder()
    const page = await openView(browser, await openWorkbench(folder), '/run?path=night#find=')
    await page.locator('.turn[aria-current=true]').waitFor()
    for (const [key, at, change] of KEYS) {
      const becomes = async (seen: Partial<ReturnType<typeof look>>) =>
        expect.poll(async () => page.evaluate(look), { message: key }).toMatchObject(seen)
      await page.evaluate((hash) => (location.hash = hash), at)
      await becomes({ id: at.replace(/^.*q=/, '') })
      const before = await page.evaluate(look)
      await page.evaluate(pressGuarded, key)
      expect(await page.evaluate(look), key).toEqual(before)
      await page.keyboard.press(key)
      await becomes(change)
      if ('done' in change) {
        // Another answer has come between: the first press shows the one that it takes back.
        await page.keyboard.press('n')
        await page.keyboard.press('u')
        await becomes(change)
        await page.keyboard.press('u')
        await becomes({ done: '', rated: '' })
      }
      await page.keyboard.press('Escape')
    }
  })
})

const KEYS: readonly (readonly [key: string, at: string, change: Partial<ReturnType<typeof look>>])[] = [
  ['j', 'find=&q=vpn-first-setup', { id: 'guest-internet' }],
  ['k', 'find=&q=laptop-old', { id: 'guest-internet' }],
  ['n', 'find=&q=team-mailbox', { id: 'team-mailbox-members' }],
  ['p', 'find=&q=locked-how-long', { id: 'locked-after-holiday' }],
  ['1', 'find=&q=new-tool', { rated: 'good', done: 'Rated good' }],
  ['2', 'find=&q=claim-late', { rated: 'acceptable', done: 'Rated acceptable' }],
  ['3', 'find=&q=room-freed', { rated: 'poor', done: 'Rated poor' }],
  ['e', 'find=&q=deleted-folder', { focus: 'TEXTAREA' }],
  ['a', 'find=is:gap&q=big-attachment', { done: 'The article answers it' }],
  ['x', 'find=is:gap&q=uncovered-gym', { done: 'No article answers it' }],
  ['f', 'find=is:gap&q=uncovered-pension', { candidate: 0 }],
  ['g', 'find=is:gap&q=uncovered-weather', { candidate: 1 }],
  ['h', 'find=is:gap&q=sick-certificate', { candidate: 2 }],
  ['?', 'find=&q=payroll-december', { keys: true }],
  ['/', 'find=&q=phish-clicked', { focus: 'INPUT' }],
]

/** In the browser: what keys change. */
function look() {
  const current = document.querySelector('.turn[aria-current=true]')
  const textOf = (selector: string): string => current?.querySelector(selector)?.textContent ?? ''
  return {
    id: current?.getAttribute('data-id'),
    rated: textOf('[aria-pressed=true]').replace(/ .*/, ''),
    done: textOf('.done .quiet').replace(/ · .*/, ''),
    candidate: [...document.querySelectorAll('.candidate')].findIndex((one) => one.hasAttribute('open')),
    keys: document.querySelector('#keys:popover-open') !== null,
    focus: document.activeElement?.matches('input, textarea') ? document.activeElement.tagName : '',
  }
}

/** In the browser: the key as it must not act. */
function pressGuarded(key: string): void {
  const press = (on: Element | null, init: KeyboardEventInit & { keyCode?: number }): void =>
    void on?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...init }))
  press(document.querySelector('input[type=search]'), {})
  for (const name of ['ctrlKey', 'metaKey', 'altKey', 'isComposing', 'repeat'])
    press(document.body, { [name]: true })
  press(document.body, { keyCode: 229 })
}
