// Protects the way of an editor through the workbench, in a real browser and in few steps.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { run } from '../../src/library/index.ts'
import { compareTexts } from '../../src/domain/text.ts'
import { readReviews } from '../../src/dataset/reviews.ts'
import { findChromium } from '../support/browser.ts'
import { projectRoot } from '../support/program.ts'
import { temporaryPaths } from '../support/temporary.ts'
import { useBrowser } from '../support/watched-browser.ts'
import { openWorkbench } from '../support/workbench.ts'

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
  await run({
    datasets: [join(folder, 'questions.csv')],
    sandbox: true,
    kb,
    articles,
    rate: 'unlimited',
    out,
  })
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
    await click(page.locator('.first a', { hasText: 'not answered from the knowledge base' }))
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

    // A log: a note that is added later is a row of its own.
    const { reviews } = await readReviews(join(out, 'reviews.csv'))
    const last = [...new Map(reviews.map((review) => [review.questionId, review])).values()]
    expect(last.map(({ review }) => review ?? '').toSorted(compareTexts)).toEqual([
      ...Array.from({ length: 5 }, () => 'acceptable'),
      ...Array.from({ length: 5 }, () => 'poor'),
    ])
    expect(last.filter(({ note }) => note === 'Nobody at the desk knew.')).toHaveLength(2)
    const log = parse(readFileSync(join(folder, 'decisions.csv'), 'utf8'), { columns: true }) as Decided[]
    expect(
      new Map(log.map(({ message, article }) => [message, article === 'none' ? 'none' : 'article'])),
    ).toEqual(decided)
    const set = readFileSync(join(folder, 'questions.csv'), 'utf8')
    expect(set).toMatch(/20 minutes|12 hours|25th/)
  })
})

interface Decided {
  readonly message: string
  readonly article: string
}
