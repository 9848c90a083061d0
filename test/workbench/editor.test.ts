// Protects the way of an editor through the workbench, in a real browser and in few steps.
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { run } from '../../src/library/index.ts'
import { readReviews } from '../../src/dataset/reviews.ts'
import { findChromium } from '../support/browser.ts'
import { projectRoot } from '../support/program.ts'
import { temporaryPaths } from '../support/temporary.ts'
import { useBrowser } from '../support/watched-browser.ts'
import { openWorkbench } from '../support/workbench.ts'

const chromium = findChromium()
const pathOf = temporaryPaths()

/** The shipped questions and articles, without one of these, and a run of them. */
async function makeFolder() {
  const folder = pathOf()
  cpSync(join(projectRoot, 'datasets/knowledge-base'), join(folder, 'kb'), { recursive: true })
  cpSync(join(projectRoot, 'datasets/quickstart.csv'), join(folder, 'questions.csv'))
  rmSync(join(folder, 'kb/annual-leave.md'))
  const out = join(folder, 'night')
  await run({
    datasets: [join(folder, 'questions.csv')],
    sandbox: true,
    kb: join(folder, 'kb'),
    rate: 'unlimited',
    out,
  })
  return { folder, out }
}

const PET_INSURANCE = `# Pet insurance for your dog or cat

The company offers pet insurance for dogs and cats. It costs 12 euros a month.
`

/** Counts what a person does. */
function createHand(page: Page) {
  let steps = 0
  return {
    steps: () => steps,
    click: async (what: Locator) => {
      steps += 1
      await what.first().click()
    },
    type: async (text: string) => {
      steps += 1
      await page.keyboard.type(text)
    },
    press: async (key: string) => {
      steps += 1
      await page.keyboard.press(key)
    },
  }
}

describe.skipIf(chromium === undefined)('an editor', () => {
  const browser = useBrowser(chromium, 'main')

  test('finds the gaps and their articles, rates ten answers, and asks six questions again, in 32 steps', async () => {
    const { folder, out } = await makeFolder()
    const { url } = await openWorkbench(folder, {
      kb: join(folder, 'kb'),
      // Of a config file: neither keeps a question from being asked again on the sandbox.
      options: { tag: ['nowhere'], baseUrl: 'https://desk.example.com' },
    })
    const page = await browser.open(url)
    const { click, press, type, steps } = createHand(page)

    await click(page.getByRole('link', { name: 'night' }))
    const toGaps = async (): Promise<void> => {
      await click(page.locator('.first a', { hasText: 'not answered from the knowledge base' }))
      await press('/')
      await type(' cause:no-article')
    }
    await toGaps()
    await page.getByRole('button', { name: 'Ask again: 6 questions, 6 calls' }).waitFor()
    // The articles nearest to the question stand beside it.
    await click(page.locator('.row', { hasText: 'pet insurance' }))
    await page.locator('.source .candidate .source-text p').first().waitFor()

    await click(page.getByRole('link', { name: /^Not rated 48/ }))
    // What is rated stays current, so that a slip can be mended, until `n` goes on.
    for (const key of '1n1n2n3n1n1n1n2n1n3') await press(key)
    await page.getByRole('link', { name: 'Not rated 38' }).waitFor()
    await expect
      .poll(async () => (await readReviews(join(out, 'reviews.csv'))).reviews.length, { timeout: 30_000 })
      .toBe(10)

    writeFileSync(join(folder, 'kb/pets.md'), PET_INSURANCE)
    await click(page.getByRole('link', { name: 'Overview' }))
    await toGaps()
    await click(page.getByRole('button', { name: 'Ask again: 6 questions, 6 calls' }))
    await page.waitForURL(/path=[^&]*again/)
    const changed = page.getByRole('link', { name: /^Changed 1/ })
    await changed.waitFor({ timeout: 30_000 })
    await click(changed)
    const first = await page.locator('.turn[aria-current=true]').innerText()
    expect(first).toContain('pet insurance')
    expect(first).toContain('From the knowledge base')
    expect(await page.locator('.turn[aria-current=true] .version').count()).toBe(2)
    expect(steps()).toBeLessThanOrEqual(32)

    // The record of the articles is that of the whole run still.
    await page.getByRole('link', { name: 'Runs' }).click()
    await page.getByRole('link', { name: 'night, asked again' }).waitFor()
    await page.getByRole('link', { name: 'Articles' }).click()
    await page.waitForURL(/path=night#articles$/)
    await page.locator('#articles').getByText('Questions answered').waitFor()
  })
})
