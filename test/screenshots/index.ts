// `npm run screenshots`: makes the sample report and the pictures of README and docs again (needs Chromium; takes a minute).
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import { sandboxConfigSchema } from '../../src/sandbox/config.ts'
import { realPorts } from '../../src/library/index.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { startWorkbench } from '../../src/workbench/server.ts'
import { findChromium, openBrowser } from '../support/browser.ts'
import { KEY_ENV, projectRoot, readResults, runProgram } from '../support/program.ts'

const sample = join(projectRoot, 'reports/sample')
const folder = mkdtempSync(join(tmpdir(), 'assist-harness-screenshots-'))
const shipped = (name: string): string => join(projectRoot, 'datasets', name)
const at = (...names: readonly string[]): string => join(folder, ...names)
const chromium = findChromium()
if (chromium === undefined) throw new Error('no Chromium was found; CHROMIUM_PATH names one')

async function run(...words: readonly string[]): Promise<void> {
  const { code, stderr } = await runProgram(words, { cwd: folder, env: KEY_ENV })
  if (code !== 0 && code !== 1) throw new Error(`${words.join(' ')} ended with ${code}:\n${stderr}`)
}

async function takeSample(): Promise<void> {
  await run('run', shipped('quickstart.csv'), '--sandbox', '--out', 'quickstart')
  for (const name of ['summary.md', 'results.csv', 'report.html'])
    copyFileSync(at('quickstart', name), join(sample, name))
}

/** A limit that the set reaches, and slow answers. */
const DESK = {
  organizations: { northwind: { keys: [{ key: KEY_ENV.ASSIST_API_KEY }] } },
  rateLimit: { rules: [{ kind: 'fixed-window', limit: 60, window: '10s' }] },
  latency: { kind: 'lognormal', median: '90ms', p95: '400ms' },
}
const LATER = { ...DESK, faults: [{ kind: 'server-error', when: { calls: [41, 42] }, status: 503 }] }

/** Runs a set, reviews it, runs it again after edits of three articles, and compares the runs. */
async function makeDemo(): Promise<void> {
  cpSync(shipped('knowledge-base'), at('articles'), { recursive: true })
  let port = 0
  /** Always at the same address. */
  const ask = async (out: string, desk: object, ...more: readonly string[]): Promise<void> => {
    const config = sandboxConfigSchema.parse(desk)
    const sandbox = await startSandbox({ port, config, knowledgeBase: at('articles') })
    port = Number(new URL(sandbox.url).port)
    const words = ['run', shipped('regression.csv'), '--base-url', sandbox.url, '--on-ambiguous', 'fail']
    words.push('--articles', shipped('knowledge-base'))
    await run(...words, '--out', out, ...more)
    await sandbox.close()
  }
  await ask('before', DESK)
  editArticles(at('articles'))
  review(at('before'), at('reviews.csv'))
  const reviews = ['--reviews', 'reviews.csv']
  await ask('after', LATER, '--baseline', 'before', ...reviews)
  await run('compare', 'before', 'after', '--out', 'compared', ...reviews)
}

/** Edits a copy of the shipped articles as editors do: one fact changed, one article removed, one added. */
function editArticles(articles: string): void {
  const article = (name: string): string => join(articles, `${name}.md`)
  const lockout = readFileSync(article('account-lockout'), 'utf8')
  writeFileSync(article('account-lockout'), lockout.replace('after 20 minutes', 'after 45 minutes'))
  rmSync(article('parking'))
  const gym = 'Yes. Staff get a gym membership at FitHouse for €15 a month. Sign up with the form HR-30.'
  writeFileSync(
    article('gym'),
    `---\ntitle: Gym membership for staff\ncategory: hr\nupdated: 2026-11-20\n---\n\n## Is there a gym membership?\n\n${gym}\n`,
  )
}

/** Reviews of the grounded answers: poor if the expectation failed, otherwise good. */
function review(asked: string, path: string): void {
  const judged = readResults(asked).filter((row) => row['grounded'] === 'true')
  const rows = judged.map(({ id, answer, passed }) =>
    passed === 'false'
      ? [id, answer, 'poor', 'The article says it, but the answer leaves it out.']
      : [id, answer, 'good', ''],
  )
  writeFileSync(path, stringify([['id', 'answer', 'review', 'note'], ...rows]))
}

/** The demo as an editor sees it in the workbench, with a question asked again. */
async function pictureWorkbench(colorScheme: 'light' | 'dark', ending: string): Promise<void> {
  const bench = at('bench')
  for (const name of ['before', 'after', 'compared', 'quickstart'])
    cpSync(at(name), join(bench, name), { recursive: true })
  const workbench = await startWorkbench({
    folder: bench,
    options: {},
    targets: [],
    articles: undefined,
    kb: at('articles'),
    maxCalls: undefined,
    port: 0,
    isReadOnly: false,
    ports: { ...realPorts(), env: {} },
    failed: (error) => {
      throw error
    },
  })
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme })
  const take = async (view: string, ready: string, name: string): Promise<void> => {
    await page.goto('about:blank')
    await page.goto(`${new URL(workbench.url).origin}${view}`)
    await page.locator(ready).first().waitFor()
    await page.screenshot({ path: join(sample, `${name}${ending}`) })
  }
  await page.goto(workbench.url)
  await page.locator('tbody tr').first().waitFor()
  await page.screenshot({ path: join(sample, `workbench-runs${ending}`) })
  await take('/run?path=after', '.first', 'workbench-run')
  await take('/run?path=quickstart#find=is:gap', '.source .candidate', 'workbench-gaps')
  await take('/new?set=shipped/quickstart.csv', 'button.primary', 'workbench-new')
  await workbench.close()
  rmSync(bench, { recursive: true })
}

const browser = await openBrowser(chromium)
try {
  mkdirSync(sample, { recursive: true })
  await takeSample()
  await makeDemo()
  for (const [colorScheme, ending] of [
    ['light', '.png'],
    ['dark', '-dark.png'],
  ] as const) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme })
    await page.goto(`file://${at('after', 'report.html')}`)
    await page.screenshot({ path: join(sample, `run${ending}`) })
    await page.goto(`file://${at('compared', 'report.html')}#find=is:changed&q=reg-lockout-wait`)
    await page.locator('.turn[aria-current=true]').waitFor()
    await page.screenshot({ path: join(sample, `conversation${ending}`) })
    await pictureWorkbench(colorScheme, ending)
  }
  console.log(`made ${sample}`)
} finally {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
}
