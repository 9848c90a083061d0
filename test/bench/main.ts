// `npm run bench -- NAME [WORD..]` measures goals; without a name it lists all.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const BENCHES: Readonly<Record<string, readonly [script: string, what: string]>> = {
  run: ['commands.ts', 'a run of 400 questions beside the time of their answers'],
  memory: ['commands.ts', 'peak memory of runs of 10,000 and 100,000 turns and of their reports'],
  compare: ['commands.ts', 'two runs of 10,000 and 100,000 turns: time and memory'],
  start: ['start.ts', "time to a command's end and a run's first call, beside node -e 0"],
  pages: ['pages.ts', 'report page and workbench: opening, searching, 200 runs (needs Chromium)'],
  pacing: ['pacing/index.ts', 'the limiter in virtual time beside its goals'],
  'pacing-http': ['pacing/http.ts', 'the limiter over HTTP in real time'],
  cluster: ['cluster.ts', 'processes on one limit through Redis; far away, slow, one killed: 6 minutes'],
  gate: ['gate.ts', 'nights that fail by chance, with and without --confirm: 5 minutes'],
  'find-limit': [
    'find-limit.ts',
    'searches for limits of 14 shapes in virtual time, with and without jitter',
  ],
  articles: ['articles.ts', 'causes of gaps over real questions; 5,000 articles and 2,000 questions'],
  facts: ['facts.ts', 'facts and sources of answers by people, and of excerpts of articles'],
  rehearse: ['rehearse.ts', 'forty edits of the shipped articles, rehearsed and then tried'],
  draft: ['draft.ts', 'question sets from messy tickets; 20,000 tickets'],
}

const [name = '', ...words] = process.argv.slice(2)
const bench = BENCHES[name]
if (bench === undefined) {
  for (const [listed, [, what]] of Object.entries(BENCHES))
    console.log(`npm run bench -- ${listed.padEnd(12)} ${what}`)
  process.exitCode = name === '' ? 0 : 2
} else {
  const [script, isShared] = [bench[0], bench[0] === 'commands.ts']
  const path = fileURLToPath(new URL(script, import.meta.url))
  const typed = isShared ? [name, ...words] : words
  const child = spawn(process.execPath, ['--import', 'tsx', path, ...typed], { stdio: 'inherit' })
  const [code] = (await once(child, 'close')) as [number | null]
  process.exitCode = code ?? 1
}
