// `npm run sample`: makes the sample report that the README shows anew, its picture included (needs Chromium).
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot, runProgram } from '../support/program.ts'

const sample = join(projectRoot, 'reports/sample')
const folder = mkdtempSync(join(tmpdir(), 'assist-harness-sample-'))
/** Pixels of a sign, and of the margins. */
const SIGN_WIDTH = 8.5
const MARGIN = 60
const LINE_HEIGHT = 21

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The words of a terminal as a page of its look. */
function toPage(words: string): string {
  return `<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; background: #1b1f24; color: #d8dee4; padding: 18px 24px }
    pre { margin: 0; font: 14px/${LINE_HEIGHT}px "DejaVu Sans Mono", monospace }
  </style><pre>${escape(words)}</pre>`
}

try {
  const out = join(folder, 'quickstart')
  const words = ['run', 'datasets/quickstart.csv', '--sandbox']
  const { code, stderr } = await runProgram([...words, '--out', out], { cwd: projectRoot })
  if (code !== 0) throw new Error(`the run ended with ${code}:\n${stderr}`)
  mkdirSync(sample, { recursive: true })
  for (const name of ['summary.md', 'results.csv']) copyFileSync(join(out, name), join(sample, name))
  const shown = `$ npx assist-harness ${words.join(' ')}\n${stderr.replaceAll(`${folder}/`, 'reports/').trimEnd()}`
  const page = join(folder, 'account.html')
  writeFileSync(page, toPage(shown))
  const longest = Math.max(...shown.split('\n').map((line) => line.length))
  const width = Math.ceil(longest * SIGN_WIDTH) + MARGIN
  const height = shown.split('\n').length * LINE_HEIGHT + 60
  execFileSync('chromium', [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--no-first-run',
    `--user-data-dir=${join(folder, 'profile')}`,
    `--window-size=${width},${height}`,
    `--screenshot=${join(sample, 'account.png')}`,
    `file://${page}`,
  ])
  console.log(`made ${sample}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
