// `npm run screenshots`: makes the sample report and the pictures that README and docs show anew (needs Chromium).
// `npm run screenshots -- --all DIR`: also every page as it opens, whole, dark, narrow and on paper, to be looked at.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findChromium, openBrowser } from '../support/browser.ts'
import { projectRoot, runProgram } from '../support/program.ts'
import { makeDemo } from './demo.ts'
import { createPictures } from './pictures.ts'

const { all } = parseArgs({ options: { all: { type: 'string' } } }).values
const sample = join(projectRoot, 'reports/sample')
const folder = mkdtempSync(join(tmpdir(), 'assist-harness-screenshots-'))
const chromium = findChromium()
if (chromium === undefined) throw new Error('no Chromium was found; CHROMIUM_PATH names one')

/** What `npm start` leaves. */
async function takeSample(): Promise<void> {
  const out = join(folder, 'quickstart')
  const words = ['run', 'datasets/quickstart.csv', '--sandbox']
  const { code, stderr } = await runProgram([...words, '--out', out], { cwd: projectRoot })
  if (code !== 0) throw new Error(`the run ended with ${code}:\n${stderr}`)
  for (const name of ['summary.md', 'results.csv', 'report.html'])
    copyFileSync(join(out, name), join(sample, name))
}

const browser = await openBrowser(chromium)
try {
  mkdirSync(sample, { recursive: true })
  const pictures = createPictures(browser, all === undefined ? folder : resolve(all))
  await takeSample()
  const { after, compared, loaded, nights } = await makeDemo(folder)
  const [run, comparison] = [join(after, 'report.html'), join(compared, 'report.html')]
  await pictures.show(run, async (page) => page.screenshot({ path: join(sample, 'run.png') }))
  await pictures.show(comparison, async (page) => {
    await page.goto(`file://${comparison}#q=reg-lockout-wait`)
    const turn = page.locator('.turn:focus')
    await turn.waitFor()
    await turn.screenshot({ path: join(sample, 'conversation.png') })
  })
  if (all !== undefined) {
    mkdirSync(resolve(all), { recursive: true })
    await pictures.takeAll(run, 'run')
    await pictures.takeAll(comparison, 'comparison')
    await pictures.takeAll(join(loaded, 'report.html'), 'load')
    await pictures.takeAll(join(nights, 'history.html'), 'history')
  }
  console.log(`made ${sample}`)
} finally {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
}
