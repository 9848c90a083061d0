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
    const { click, press, steps } = createHand(page)

    await click(page.getByRole('link', { name: 'questions.csv' }))
    await click(page.locator('.card', { hasText: 'Gaps' }).getByText('Show these conversations'))
    const toGaps = async (): Promise<void> => {
      await click(page.locator('ol.found button', { hasText: 'pet insurance' }))
      await click(page.locator('.articles .chip', { hasText: 'no article' }))
    }
    await toGaps()
    await page.getByRole('button', { name: 'Ask again: 6 questions, 6 calls' }).waitFor()
    await click(page.locator('.articles ol a'))
    await page.waitForURL(/#find=article/)

    await click(page.getByRole('link', { name: 'Conversations' }))
    await click(page.getByRole('button', { name: /^Not rated 48/ }))
    // What is rated stays marked, so that a slip can be mended, until `n` goes on.
    for (const key of '1n1n2n3n1n1n1n2n1n3') await press(key)
    await page.getByRole('button', { name: 'Not rated 38' }).waitFor()
    await expect
      .poll(async () => (await readReviews(join(out, 'reviews.csv'))).reviews.length, { timeout: 30_000 })
      .toBe(10)

    writeFileSync(join(folder, 'kb/pets.md'), PET_INSURANCE)
    await click(page.getByRole('link', { name: 'Overview' }))
    await click(page.locator('.card', { hasText: 'Gaps' }).getByText('Show these conversations'))
    await toGaps()
    await click(page.getByRole('button', { name: 'Ask again: 6 questions, 6 calls' }))
    await page.waitForURL(/path=[^&]*again/)
    const changes = page.locator('.conversation .turn')
    await expect.poll(async () => changes.count(), { timeout: 30_000 }).toBeGreaterThan(0)
    const first = await changes.first().innerText()
    expect(first).toContain('KNOWLEDGE_BASE')
    expect(first).toContain("Baseline's answer")
    expect(steps()).toBeLessThanOrEqual(32)

    // The record of the articles is that of the whole run still.
    await page.getByRole('link', { name: 'Articles' }).first().click()
    await page.waitForURL(/path=night#articles$/)
    await page.locator('#articles').getByText('Questions answered').waitFor()
  })
})
