// A week of a desk in small: a set asked, reviewed, asked again after three articles were edited, and compared.
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import { sandboxConfigSchema, type SandboxConfig } from '../../src/sandbox/config.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { editArticles } from '../support/edited-articles.ts'
import { chanceNights, writeNight } from '../support/nights.ts'
import { projectRoot, readResults, runProgram } from '../support/program.ts'
import { KEY_ENV } from '../support/runs.ts'

/** A limit that the set meets, and answers that take their time. */
const DESK = {
  organizations: { northwind: { keys: [{ key: KEY_ENV.ASSIST_API_KEY }] } },
  rateLimit: { rules: [{ kind: 'fixed-window', limit: 60, window: '10s' }] },
  latency: { kind: 'lognormal', median: '90ms', p95: '400ms', perWord: '2ms' },
}
/** On the second day the service itself had a bad moment. */
const BAD_MOMENT = [{ kind: 'server-error', when: { calls: [41, 42] }, status: 503 }]

export interface Demo {
  /** Run folders; the later one was compared with the earlier one at its end. */
  readonly before: string
  readonly after: string
  /** The folder of the comparison by itself. */
  readonly compared: string
  /** Of a load test that came to the limit. */
  readonly loaded: string
  /** Of forty nights, made and not asked. */
  readonly nights: string
}

/** `datasets/regression.csv`, twice, of a sandbox that answers from `datasets/knowledge-base`; takes about a minute. */
export async function makeDemo(folder: string): Promise<Demo> {
  const at = (name: string): string => join(folder, name)
  const demo = {
    before: at('before'),
    after: at('after'),
    compared: at('compared'),
    loaded: at('loaded'),
    nights: at('reports'),
  }
  const articles = at('articles')
  cpSync(join(projectRoot, 'datasets/knowledge-base'), articles, { recursive: true })
  const port = await ask(demo.before, articles, sandboxConfigSchema.parse(DESK), 0)
  editArticles(articles)
  review(demo.before, at('reviews.csv'))
  const later = sandboxConfigSchema.parse({ ...DESK, faults: BAD_MOMENT })
  await ask(demo.after, articles, later, port, '--baseline', demo.before, '--reviews', at('reviews.csv'))
  await run('compare', demo.before, demo.after, '--out', demo.compared, '--reviews', at('reviews.csv'))
  await offerLoad(demo.loaded, articles)
  makeNights(demo.nights)
  await run('history', demo.nights)
  return demo
}

/** More and more, beyond what the desk lets through, and then less again. */
async function offerLoad(out: string, knowledgeBase: string): Promise<void> {
  const limit = { rules: [{ kind: 'token-bucket', limit: 30, window: '1s', burst: 40 }] }
  const config = sandboxConfigSchema.parse({ ...DESK, rateLimit: limit })
  const sandbox = await startSandbox({ port: 0, config, knowledgeBase })
  try {
    const set = join(projectRoot, 'datasets/load.csv')
    const stages = ['--stages', '12s:25/s,12s:25/s,6s:4/s']
    const think = ['--think-time', 'lognormal:1s:4s', '--arrivals', 'poisson']
    await run('load', set, '--base-url', sandbox.url, ...stages, ...think, '--out', out)
  } finally {
    await sandbox.close()
  }
}

/** Articles were written, one was lost and came back, and the set was edited once. */
function makeNights(folder: string): void {
  const coverage = (night: number): number => (night < 14 ? 0.62 + night / 100 : night < 26 ? 0.6 : 0.8)
  for (const [number, night] of chanceNights(40, coverage).entries())
    writeNight(join(folder, `night-${number + 1}`), {
      ...night,
      set: 'regression.csv',
      target: { name: 'production', organization: 'northwind' },
      quota: { calls: 6000, period: 'month' },
      ...(number < 8 ? {} : { digest: 'sha256:edited' }),
      ...(number === 20 ? { state: 'incomplete', answered: 40, grounded: 26, passed: 24 } : {}),
    })
}

/** Returns the port that was listened on: a desk keeps its address. */
async function ask(
  out: string,
  knowledgeBase: string,
  config: SandboxConfig,
  port: number,
  ...more: string[]
): Promise<number> {
  const sandbox = await startSandbox({ port, config, knowledgeBase })
  try {
    const set = join(projectRoot, 'datasets/regression.csv')
    await run('run', set, '--base-url', sandbox.url, '--on-ambiguous', 'fail', '--out', out, ...more)
    return Number(new URL(sandbox.url).port)
  } finally {
    await sandbox.close()
  }
}

async function run(...words: readonly string[]): Promise<void> {
  const { code, stderr } = await runProgram(words, { cwd: projectRoot, env: KEY_ENV })
  if (code !== 0 && code !== 1) throw new Error(`${words.join(' ')} ended with ${code}:\n${stderr}`)
}

/** An editor has judged what the knowledge base answered; what fell short of the expectation is poor. */
function review(asked: string, path: string): void {
  const judged = readResults(asked).filter((row) => row['grounded'] === 'true')
  const rows = judged.map(({ id, answer, passed }) => [
    id,
    answer,
    passed === 'false' ? 'poor' : 'good',
    passed === 'false' ? 'The article says it, but the answer leaves it out.' : '',
  ])
  writeFileSync(path, stringify([['id', 'answer', 'review', 'note'], ...rows]))
}
