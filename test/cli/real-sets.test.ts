// Sets that no one here wrote, asked of the sandbox: every row, in order, and a ledger that agrees.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SHIPPED_KNOWLEDGE_BASE } from '../../src/library/shipped.ts'
import { startSandbox, type RunningSandbox } from '../../src/sandbox/server.ts'
import { digits } from '../../src/domain/text.ts'
import { projectRoot, readResults, readSummary, runProgram } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const shared = join(projectRoot, '../shared/data')

/** Where it is, which column holds the question, how many turns and threads it has. */
const SETS = [
  [join(shared, 'trec-cast-2019.csv'), 'message', 479, 50],
  [join(shared, 'banking77-test.csv'), 'text', 3080, 3080],
  [join(projectRoot, 'datasets/quickstart.csv'), 'message', 48, 27],
] as const

let sandbox: RunningSandbox
beforeAll(async () => {
  sandbox = await startSandbox({ knowledgeBase: SHIPPED_KNOWLEDGE_BASE })
})
afterAll(async () => sandbox.close())

const countedSoFar = async (): Promise<number> => {
  const headers = { authorization: `Bearer ${sandbox.adminKey}` }
  const usage = await (await fetch(`${sandbox.url}/sandbox/usage`, { headers })).json()
  return (usage as { total: { counted: number } }).total.counted
}

describe.each(SETS)('%s', (path, question, turns, threads) => {
  const isMissing = !existsSync(path)
  if (isMissing) console.warn(`skipped: ${path} is not here; it lies outside the project`)

  test.skipIf(isMissing)('is asked whole, in its order, and costs what the ledger says', async () => {
    const before = await countedSoFar()
    const out = join(folder, String(turns))
    const words = ['run', path, '--base-url', sandbox.url, '--rate', 'unlimited', '--out', out]
    const ended = await runProgram(words, { cwd: folder, env: { ASSIST_API_KEY: sandbox.apiKey } })
    expect(ended.code, ended.screen).toBe(0)
    expect(ended.screen).toContain(`Sending ${digits(turns)} questions in ${digits(threads)} conversations`)
    const rows = parse<Record<string, string>>(readFileSync(path), { columns: true })
    const results = readResults(out)
    expect(results.map((row) => row['message'])).toEqual(rows.map((row) => row[question]?.trim()))
    expect(results.every((row) => row['outcome'] === 'answered')).toBe(true)
    expect(new Set(results.map((row) => row['thread'])).size).toBe(threads)
    expect((await countedSoFar()) - before).toBe(turns)
    const account = { attempts: turns, certain: turns, possible: 0, notCounted: 0, min: turns, max: turns }
    expect(readSummary(out).quota).toMatchObject(account)
  })
})
