// Pictures of a page in a browser: as it opens, whole, dark, narrow, and as it prints.
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'

/** A laptop's window, pixels. */
const WINDOW = { width: 1280, height: 900 }
const NARROW = { width: 360, height: 740 }

export interface Pictures {
  /** In a window of its own; closed when `act` is done. */
  readonly show: <Got>(
    path: string,
    act: (page: Page) => Promise<Got>,
    options?: BrowserContextOptions,
  ) => Promise<Got>
  /** The page in every way that a reader may see it; into files that begin with `name`. */
  readonly takeAll: (path: string, name: string) => Promise<void>
}

export function createPictures(browser: Browser, out: string): Pictures {
  const show: Pictures['show'] = async (path, act, options = {}) => {
    const context = await browser.newContext({ viewport: WINDOW, colorScheme: 'light', ...options })
    try {
      const page = await context.newPage()
      await page.goto(`file://${path}`)
      return await act(page)
    } finally {
      await context.close()
    }
  }
  const shoot = async (of: Page | Locator, name: string, fullPage = false): Promise<void> => {
    const options = { path: join(out, `${name}.png`) }
    await ('context' in of ? of.screenshot({ ...options, fullPage }) : of.screenshot(options))
  }
  return {
    show,
    takeAll: async (path, name) => {
      for (const colorScheme of ['light', 'dark'] as const)
        await show(
          path,
          async (page) => {
            await shoot(page, `${name}-first-${colorScheme}`)
            await shoot(page, `${name}-whole-${colorScheme}`, true)
          },
          { colorScheme },
        )
      await show(path, async (page) => shoot(page, `${name}-narrow`, true), { viewport: NARROW })
      await show(path, async (page) => {
        await page.pdf({ path: join(out, `${name}.pdf`), format: 'A4', preferCSSPageSize: true })
      })
    },
  }
}
