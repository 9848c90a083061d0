// Pictures of the overview: of recorded runs, in both colour schemes, wide and narrow, and as it prints (needs Chromium).
// `tsx test/screenshots/overview.ts OUT RUN [RUN …]`: a run by itself; several are compared, the first is the baseline.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createEvaluationGatherer } from '../../src/analysis/evaluation.ts'
import { createLatencyGatherer } from '../../src/analysis/latency/gather.ts'
import { compareRuns } from '../../src/cli/comparing/compare-runs.ts'
import { gradedQuestions } from '../../src/cli/graded-questions.ts'
import { indexJournal } from '../../src/cli/index-journal.ts'
import { readManifest, runFolder } from '../../src/cli/run-folder.ts'
import type { Comparison, ComparisonDetails } from '../../src/domain/comparison/comparison.ts'
import { openPicker } from '../../src/journal/read.ts'
import type { SafeHtml } from '../../src/report/page/html.ts'
import { renderComparisonOverview } from '../../src/report/page/overview/comparison.ts'
import { renderRunOverview } from '../../src/report/page/overview/run.ts'
import { projectRoot } from '../support/program.ts'

interface Compared {
  readonly comparison: Comparison
  readonly details: ComparisonDetails
}

/** What the page's own style sheet gives. */
const COLOURS = `
:root { --ink:#1a1a1a; --paper:#fff; --faint:#e3e3e0; --muted:#5d5d5a; --kb:#1f5fa8; --other:#9a7b2c; --bad:#a3201b; --warn:#8a5a00; --link:#0b4ea2 }
@media (prefers-color-scheme: dark) {
  :root { --ink:#ececea; --paper:#161618; --faint:#34343a; --muted:#a9a9a6; --kb:#6aa9f0; --other:#c9a64c; --bad:#ff8a80; --warn:#e0b050; --link:#8ebdf5 }
}
body { margin: 0; padding: 1rem; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
@media print { body { padding: 0 } }`

async function overviewOfRun(path: string, comparison: Compared | undefined): Promise<SafeHtml> {
  const folder = runFolder(path)
  const manifest = readManifest(folder)
  const { index, notes } = await indexJournal(folder, manifest)
  const picker = openPicker(folder.journal)
  const evaluation = createEvaluationGatherer(manifest, index, notes)
  const latency = createLatencyGatherer()
  for (const asked of gradedQuestions(index, picker.pick, manifest.options.gates.passPolicy).questions()) {
    evaluation.add(asked)
    for (const { turn } of asked.repeats) latency.add(turn)
  }
  picker.close()
  const { summary, details } = evaluation.finish()
  return renderRunOverview(summary, details, {
    ...latency.finish(),
    ...(comparison === undefined ? {} : { comparison }),
  })
}

/** The policy that the page will have: what it forbids must not be needed. */
function barePage(overview: SafeHtml): string {
  const style = COLOURS + readFileSync(join(projectRoot, 'src/page/overview.css'), 'utf8')
  const hash = createHash('sha256').update(style).digest('base64')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Overview</title>
<meta name="viewport" content="width=device-width"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'">
<style>${style}</style></head><body><main><h1>Report</h1>${overview.toString()}</main></body></html>`
}

function takePictures(out: string, name: string, page: string): void {
  const path = join(out, `${name}.html`)
  // Chromium's windows are 500 pixels wide at least.
  const narrow = join(out, `${name}-narrow.html`)
  writeFileSync(path, page)
  writeFileSync(
    narrow,
    `<!doctype html><meta name="color-scheme" content="light dark"><body style="margin:0"><iframe src="${name}.html" style="border:0" width="360" height="16000"></iframe>`,
  )
  const shoot = (of: string, ...options: string[]): void => {
    const common = ['--headless', '--no-sandbox', '--hide-scrollbars', '--allow-file-access-from-files']
    execFileSync('chromium', [...common, ...options, `file://${of}`], { stdio: 'ignore' })
  }
  for (const scheme of ['light', 'dark'] as const)
    for (const [size, of, window] of [
      ['wide', path, '1280,9000'],
      ['first', path, '1280,800'],
      ['narrow', narrow, '500,16000'],
    ] as const)
      shoot(
        of,
        `--blink-settings=preferredColorScheme=${scheme === 'dark' ? 0 : 1}`,
        `--screenshot=${join(out, `${name}-${size}-${scheme}.png`)}`,
        `--window-size=${window}`,
      )
  shoot(path, `--print-to-pdf=${join(out, `${name}.pdf`)}`, '--no-pdf-header-footer')
}

const [given = 'screenshots', ...runs] = process.argv.slice(2)
const out = resolve(given)
mkdirSync(out, { recursive: true })
const last = runs.at(-1)
if (last === undefined) throw new Error('name a run')
const compared =
  runs.length === 1
    ? undefined
    : await compareRuns({
        paths: runs,
        settings: {},
        reviewsOf: async () => undefined,
        // The rows are read one by one, and must all be.
        write: (rows) => void [...rows].length,
      })
takePictures(out, 'run', barePage(await overviewOfRun(last, runs.length === 2 ? compared : undefined)))
if (compared !== undefined)
  takePictures(out, 'comparison', barePage(renderComparisonOverview(compared.comparison, compared.details)))
