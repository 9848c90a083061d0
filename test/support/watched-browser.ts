// A browser that records every dialog, error, console message, and request other than the page itself.
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { openBrowser } from './browser.ts'

export type WatchedBrowser = ReturnType<typeof useBrowser>

/**
 * Opens before the first test of the enclosing block, closes after the last. A test fails if it leaves
 * something recorded.
 */
export function useBrowser(chromium: string | undefined, ready = '.conversation') {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser(chromium ?? '')
  })
  afterAll(async () => browser?.close())
  const recorded: string[] = []
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close()
    expect(recorded.splice(0)).toEqual([])
  })
  return {
    /** What was recorded since the last call. */
    takeRecorded: () => recorded.splice(0),
    /** Opens the page in a new window and waits until `ready` is shown. */
    open: async (address: string, options: BrowserContextOptions = {}): Promise<Page> => {
      const context = await browser.newContext(options)
      const page = await context.newPage()
      // A page from the disk is whole; one of a server asks that server.
      const own = address.startsWith('http') ? new URL(address).origin : address.replace(/#.*/s, '')
      page.on('request', (request) => {
        if (!request.url().startsWith(own)) recorded.push(`request ${request.url().slice(0, 80)}`)
      })
      page.on('dialog', (dialog) => {
        if (dialog.type() !== 'beforeunload') recorded.push(`dialog ${dialog.message()}`)
        void dialog.accept()
      })
      page.on('pageerror', (error) => recorded.push(`error ${error.message}`))
      page.on('console', (message) => recorded.push(`console ${message.text()}`))
      await page.goto(address)
      await page.locator(ready).first().waitFor()
      return page
    },
  }
}

/** The rules of axe that a colour scheme can break: nothing else of a page depends on it. */
const COLOURS = { runOnly: ['color-contrast', 'link-in-text-block'] }

/**
 * Every violation that axe finds in the light scheme, and those of colours in the dark one, each with its first
 * element. The page must have been opened with `bypassCSP`.
 */
export async function findViolations(page: Page): Promise<unknown[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  const find = async (options: object): Promise<unknown[]> =>
    page.evaluate(
      `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations.map(({ id, nodes }) => \`\${id}: \${nodes[0].html}\`))`,
    )
  const light = await find({})
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await find(COLOURS)
  await page.emulateMedia({ colorScheme: 'light' })
  return [...light, ...dark]
}

/** What scrolls down inside something that scrolls down, the page included. */
export async function findNestedScrolls(page: Page): Promise<unknown> {
  return page.evaluate(`(() => {
    const moves = (element) => element.scrollHeight > element.clientHeight + 1
    const scrolls = (element) => moves(element) && /auto|scroll/.test(getComputedStyle(element).overflowY)
    const all = [...document.querySelectorAll('main *')].filter(scrolls)
    const isInner = (element) =>
      moves(document.documentElement) || all.some((outer) => outer !== element && outer.contains(element))
    return all.filter(isInner).map(({ outerHTML }) => outerHTML.slice(0, 80))
  })()`)
}

/** Header cells of tables whose first word stands on several lines. */
export async function findSplitHeaders(page: Page): Promise<unknown> {
  return page.evaluate(`[...document.querySelectorAll('thead th')].flatMap((cell) => {
    const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode()
    if (text === null) return []
    const word = document.createRange()
    word.setStart(text, 0)
    word.setEnd(text, text.data.split(' ')[0].length)
    return word.getClientRects().length > 1 ? [cell.textContent] : []
  })`)
}
