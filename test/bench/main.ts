// `npm run bench -- NAME [words]` runs a bench; without a name it lists all.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const BENCHES: Readonly<Record<string, readonly [script: string, what: string]>> = {
  facts: ['facts.ts', 'planted and untouched facts of answers held against articles'],
  pacing: ['pacing/index.ts', 'the limiter in virtual time, beside other clients and its goals'],
  'pacing-http': ['pacing/http.ts', 'the limiter over HTTP in real time'],
  load: ['load.ts', 'time of a run of 400 questions beside the time of their answers'],
  compare: ['compare.ts', 'two runs of 10,000 and 100,000 turns: time and memory'],
  gate: ['gate.ts', 'how often a comparison fails equal runs, and detects its drop: 5 minutes'],
  decided: ['decided.ts', 'calls that --until-decided saves, and wrong verdicts: 2 minutes'],
  memory: ['memory.ts', 'peak memory of runs of 10,000 and 100,000 turns and of their reports'],
  metrics: ['metrics.ts', 'what a scrape of --metrics costs a run'],
  start: ['start.ts', "time to a command's end and a run's first call, beside node -e 0"],
  cluster: ['cluster.ts', '1, 3 and 8 processes on one limit through Redis'],
  report: ['report.ts', 'the page at 1,000 to 100,000 turns: size, opening, search (needs Chromium)'],
  workbench: ['workbench.ts', '200 runs and one of 20,000 turns in the workbench (needs Chromium)'],
  workbook: ['workbook.ts', 'results.xlsx of 100,000 turns: time and memory, written and read'],
  articles: ['articles.ts', 'causes of gaps over real questions; 5,000 articles and 2,000 questions'],
  draft: ['draft.ts', 'question sets from real questions whose intents are known; 20,000 tickets'],
  kills: ['kills.ts', 'a run killed 200 times and resumed each time'],
}

const [name = '', ...words] = process.argv.slice(2)
const bench = BENCHES[name]
if (bench === undefined) {
  for (const [one, [, what]] of Object.entries(BENCHES))
    console.log(`npm run bench -- ${one.padEnd(12)} ${what}`)
  process.exitCode = name === '' ? 0 : 2
} else {
  const path = fileURLToPath(new URL(bench[0], import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', path, ...words], { stdio: 'inherit' })
  const [code] = (await once(child, 'close')) as [number | null]
  process.exitCode = code ?? 1
}
