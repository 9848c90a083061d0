// What an editor sees of a run that the program has reported, in a real browser: the first screen, its links, a review that comes back.
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { findChromium } from '../support/browser.ts'
import { PAGE_ATTACKS } from '../support/page-attacks.ts'
import { readSummary, runProgram } from '../support/program.ts'
import { makeQuestion } from '../support/questions.ts'
import { recordRun, type RecordedTurn } from '../support/recorded-run.ts'
import { manifest } from '../support/summaries.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { faultsOf, useBrowser } from '../support/watched-browser.ts'

const chromium = findChromium()
const folder = temporaryFolder()
const at = (name: string): string => join(folder, name)
const pageOf = (run: string): string => `file://${at(run)}/report.html`

const turn = (id: string, answer: string, source = 'KNOWLEDGE_BASE', tags = ['vpn']): RecordedTurn => ({
  question: makeQuestion(id, id, 1, { message: `About ${id}?`, tags, expect: { contains: ['30'] } }),
  came: { answer, source },
})
const BEFORE = [
  turn('laptop', 'After 30 days.'),
  turn('token', 'After 30 days.'),
  turn('badge', 'After 30 days.'),
]
const NOW = [
  turn('laptop', 'After 30 days.'),
  turn('token', 'I do not know.', 'MODEL'),
  turn('badge', 'After 14 days.'),
]
const BASELINE = {
  baseline: '../before',
  failOn: ['grounding' as const],
  alpha: 0.05,
  margin: 0,
  minOverlap: 0.5,
  history: [],
}

async function report(run: string, ...words: readonly string[]): Promise<void> {
  const { code, stderr } = await runProgram(['report', at(run), ...words], { cwd: folder })
  expect(code, stderr).toBeLessThanOrEqual(1)
}

describe.skipIf(chromium === undefined)('report.html of the program', () => {
  const watched = useBrowser(chromium)
  beforeAll(async () => {
    recordRun(at('before'), { turns: BEFORE })
    recordRun(at('now'), {
      turns: NOW,
      manifest: { options: { ...manifest.options, ...BASELINE } },
    })
    await report('before')
    await report('now')
  })

  test('the first screen answers in a sentence whose parts lead to the questions they count', async () => {
    const page = await watched.open(pageOf('now'), { viewport: { width: 1280, height: 800 } })
    const sentence = page.locator('.lead')
    expect((await sentence.innerText()).replaceAll('\u00a0', ' ')).toMatch(
      /^2 of 3 answers came from the knowledge base \(67 %, 21 to 94 %\), so few that the share says little; 1 question lost its article since 21 November, .*; 2 fail now that passed before; 2 questions were not answered as expected\.$/,
    )
    const box = await sentence.boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 800)).toBeLessThan(500)
    await sentence.getByRole('link', { name: '1 question lost' }).click()
    await page.getByText('1 question of 3, in 1 conversation.').waitFor()
    expect(await page.locator('.toggle').allInnerTexts()).toEqual(['About token?'])
    expect(watched.said()).toEqual([])
  })

  test('a review made in the page comes back with the file that it saves', async () => {
    const page = await watched.open(`${pageOf('now')}#q=badge`, { acceptDownloads: true })
    await page.locator('#turn-2:focus').waitFor()
    const shown = page.locator('#turn-2')
    await shown.getByLabel('Poor').check()
    await shown.getByLabel('Note').fill('It is 30 days again since May.')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save reviews' }).click(),
    ])
    await file.saveAs(at('reviews.csv'))
    await report('now', '--reviews', at('reviews.csv'))
    expect(readSummary(at('now')).reviews).toMatchObject({ poor: 1 })
    const again = await watched.open(`${pageOf('now')}#q=badge`)
    await again.getByText('Reviewed as poor before. Note: It is 30 days again since May.').waitFor()
    const form = again.locator('#turn-2')
    expect(await form.getByLabel('Poor').isChecked()).toBe(true)
    // What stands is no news: only a change of mind is saved.
    await form.getByLabel('Good').check()
    await again.getByText('1 review is not saved yet.').waitFor()
    await form.getByLabel('Poor').check()
    await again.getByText('1 review is not saved yet.').waitFor({ state: 'hidden' })
    expect(watched.said()).toEqual([])
  })

  test('the whole page has no serious fault that axe knows, and is as wide as a telephone', async () => {
    const page = await watched.open(pageOf('now'), {
      bypassCSP: true,
      viewport: { width: 360, height: 740 },
    })
    const found = await faultsOf(page)
    expect(found).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    watched.said()
  })

  test('a hostile run is shown and never run, on the first screen either', async () => {
    const turns = PAGE_ATTACKS.map((text, place): RecordedTurn => ({
      question: makeQuestion(`${place}${text.slice(0, 40)}`, text.slice(0, 60) + place, 1, {
        message: text,
        tags: [text.slice(0, 60)],
        expect: { contains: [text.slice(0, 60), 'never'] },
      }),
      came: { answer: text, source: place % 2 === 0 ? text.slice(0, 60) : 'KNOWLEDGE_BASE' },
    }))
    recordRun(at('hostile'), { turns })
    await report('hostile')
    const page = await watched.open(pageOf('hostile'))
    await page.getByRole('button', { name: 'Open all shown' }).click()
    await page
      .locator('.turn')
      .nth(turns.length - 1)
      .waitFor()
    const strange = page.locator('img, iframe, object, embed, base, link, body style, a:not([href^="#"])')
    expect(await strange.evaluateAll((found) => found.map((one) => one.outerHTML.slice(0, 99)))).toEqual([])
    expect(watched.said()).toEqual([])
  })
})
