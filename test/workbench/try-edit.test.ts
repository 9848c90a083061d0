// Protects "Try an edit": what a change of the articles will do is seen before it is published, and nothing is changed.
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RunToDo, TriedEdit, WorkbenchSession } from '../../src/workbench/api.ts'
import { findChromium } from '../support/browser.ts'
import { projectRoot } from '../support/program.ts'
import { temporaryPaths } from '../support/temporary.ts'
import { findViolations, useBrowser } from '../support/watched-browser.ts'
import { openView, openWorkbench, runOnSandbox } from '../support/workbench.ts'

const pathOf = temporaryPaths()
const chromium = findChromium()

/** A night that was answered from the articles, of which another one gives the value, too; and the edited ones. */
async function makeNight() {
  const folder = pathOf()
  const [kb, edited] = [join(folder, 'kb'), join(folder, 'edited')]
  cpSync(join(projectRoot, 'datasets/knowledge-base'), kb, { recursive: true })
  writeFileSync(join(kb, 'help-desk.md'), '# Help desk\n\nA locked account opens again after 20 minutes.\n')
  cpSync(kb, edited, { recursive: true })
  const lockout = readFileSync(join(kb, 'account-lockout.md'), 'utf8')
  writeFileSync(join(edited, 'account-lockout.md'), lockout.replaceAll('20 minutes', '45 minutes'))
  mkdirSync(join(folder, 'runs'))
  await runOnSandbox(join(projectRoot, 'datasets/quickstart.csv'), join(folder, 'runs/night'), { kb })
  return { folder, runs: join(folder, 'runs'), kb, edited }
}

const filesIn = (folder: string) =>
  readdirSync(folder).map((name) => ({ name, base64: readFileSync(join(folder, name)).toString('base64') }))

const listed = (folder: string) => readdirSync(folder, { recursive: true }).map(String).toSorted()

test('the changed folder says what it changes; read-only, too, and nothing is written', async () => {
  const { folder, runs, kb, edited } = await makeNight()
  const before = listed(folder)
  const workbench = await openWorkbench(runs, { isReadOnly: true })
  const attempt = async (chosen: unknown) => workbench.post('/api/rehearse', { run: 'night', files: chosen })

  const untouched = await attempt(filesIn(kb))
  expect(JSON.parse(untouched.text)).toMatchObject({
    says: 'the articles are the same: nothing was edited',
    affected: null,
  })
  const tried = JSON.parse((await attempt(filesIn(edited))).text) as TriedEdit
  expect(tried.says).toMatch(/^\d+ answers? may change, 0 gaps may close, 1 other article may still give/)
  expect(tried.affected).toMatch(/^id,thread,turn,message.*\n(?:.*\n)*locked-how-long,/)
  expect(JSON.stringify(tried.blocks)).toMatch(/20 minutes.*45 minutes.*Help desk/)

  const [file] = filesIn(edited)
  for (const [names, error] of [
    [[], /the chosen folder contains no article/],
    [['other/x.md'], /choose the folder/],
    [['../x.md'], /is not in the folder/],
    [['x', 'x/y'], /EEXIST|ENOTDIR/],
  ] as const) {
    const refused = await attempt(names.map((name) => ({ ...file, name })))
    expect([400, 507]).toContain(refused.status)
    expect(refused.text).toMatch(error)
    expect(refused.text).not.toContain(tmpdir())
  }
  expect(listed(folder)).toEqual(before)
})

describe.skipIf(chromium === undefined)('in a browser', () => {
  const browser = useBrowser(chromium, 'main')

  test('an editor chooses the changed folder, and sees what changes', async () => {
    const { runs, edited } = await makeNight()
    const desk = await openWorkbench(runs, { isReadOnly: true })
    const page = await openView(browser, desk, '/run?path=night#article=service-desk-hours', {
      bypassCSP: true,
    })
    // A table is read as one, not as lines of bars.
    await page.locator('.article-text tr').nth(2).waitFor()
    expect(await page.locator('.article-text').innerText()).not.toContain('|')
    expect(await findViolations(page)).toEqual([])
    await page.goto(`${desk.origin}/run?path=night#article=account-lockout`)
    await page.locator('input[type=file]').setInputFiles(edited)
    await page.getByText('Other articles that still give the old value').waitFor()
    await page.getByText('Answers that will be out of date').waitFor()
    expect(await findViolations(page)).toEqual([])
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'affected.csv' }).click()
    expect(readFileSync(await (await download).path(), 'utf8')).toContain('locked-how-long')
  })

  test('what the edit affects is asked again and compared with the run, and stands for no whole run', async () => {
    const { runs, kb, edited } = await makeNight()
    const desk = await openWorkbench(runs, { kb })
    const { text } = await desk.post('/api/rehearse', { run: 'night', files: filesIn(edited) })
    mkdirSync(join(runs, 'sets'))
    writeFileSync(join(runs, 'sets/affected.csv'), (JSON.parse(text) as TriedEdit).affected ?? '')
    const page = await openView(browser, desk, '/new?set=sets/affected.csv')
    const baseline = page.getByLabel('Compare with')
    await expect.poll(async () => baseline.inputValue()).toBe('night')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.waitForURL(/path=[^&]*affected/)
    await page.getByText(/^Since night/).waitFor()
    const { articles } = await desk.json<WorkbenchSession>('/api/session')
    const toDo = await desk.json<RunToDo[]>('/api/todo')
    expect([articles, ...toDo.map(({ run }) => run.path)]).toEqual(['night', 'night'])
  })
})
