// A browser whose every request beyond the page itself, dialog, error and console message is remembered.
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { openBrowser } from './browser.ts'

export interface WatchedBrowser {
  /** In a window of its own, once it is ready: its conversations are shown, or what was said instead. */
  readonly open: (address: string, options?: BrowserContextOptions) => Promise<Page>
  /** What was remembered since it was last asked. */
  readonly said: () => string[]
}

/** Of the tests around it: opened before the first of them, closed after the last. A test that leaves something heard fails. */
export function useBrowser(chromium: string | undefined, ready = '.conversation'): WatchedBrowser {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser(chromium ?? '')
  })
  afterAll(async () => browser?.close())
  const heard: string[] = []
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close()
    expect(heard.splice(0)).toEqual([])
  })
  return {
    said: () => heard.splice(0),
    open: async (address, options = {}) => {
      const context = await browser.newContext(options)
      const page = await context.newPage()
      page.on('request', (request) => {
        if (!request.url().startsWith(address.replace(/#.*/s, '')))
          heard.push(`request ${request.url().slice(0, 80)}`)
      })
      page.on('dialog', (dialog) => {
        if (dialog.type() !== 'beforeunload') heard.push(`dialog ${dialog.message()}`)
        void dialog.accept()
      })
      page.on('pageerror', (error) => heard.push(`error ${error.message}`))
      page.on('console', (message) => heard.push(`console ${message.text()}`))
      await page.goto(address)
      await page.locator(ready).first().waitFor()
      return page
    },
  }
}

/** Every fault that axe knows, each with its first element. The page must have been opened with `bypassCSP`. */
export async function faultsOf(page: Page): Promise<unknown> {
  await page.evaluate(axe.source)
  return page.evaluate(
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`))',
  )
}
