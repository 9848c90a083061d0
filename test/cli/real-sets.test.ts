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

interface Set {
  readonly name: string
  readonly path: string
  readonly question: string
  readonly turns: number
  readonly threads: number
}

const sets: readonly Set[] = [
  {
    name: 'TREC CAsT 2019',
    path: join(shared, 'trec-cast-2019.csv'),
    question: 'message',
    turns: 479,
    threads: 50,
  },
  {
    name: 'BANKING77',
    path: join(shared, 'banking77-test.csv'),
    question: 'text',
    turns: 3080,
    threads: 3080,
  },
  {
    name: 'quickstart',
    path: join(projectRoot, 'datasets/quickstart.csv'),
    question: 'message',
    turns: 48,
    threads: 27,
  },
]

let sandbox: RunningSandbox
beforeAll(async () => {
  sandbox = await startSandbox({ knowledgeBase: SHIPPED_KNOWLEDGE_BASE })
})
afterAll(async () => sandbox.close())

interface Ledger {
  readonly total: { readonly calls: number; readonly counted: number }
}
const readLedger = async (): Promise<Ledger> => {
  const response = await fetch(`${sandbox.url}/sandbox/usage`, {
    headers: { authorization: `Bearer ${sandbox.adminKey}` },
  })
  return (await response.json()) as Ledger
}

describe.each(sets)('$name', ({ path, question, turns, threads }) => {
  const isMissing = !existsSync(path)
  if (isMissing) console.warn(`skipped: ${path} is not here; it lies outside the project`)

  test.skipIf(isMissing)(
    'is asked whole, in its order, and costs what the ledger says',
    async () => {
      const before = await readLedger()
      const out = join(folder, question + String(turns))
      const ended = await runProgram(
        ['run', path, '--base-url', sandbox.url, '--rate', 'unlimited', '--out', out],
        { cwd: folder, env: { ASSIST_API_KEY: sandbox.apiKey } },
      )
      expect(ended.code, ended.screen).toBe(0)
      expect(ended.screen).toContain(`Sending ${digits(turns)} questions in ${digits(threads)} conversations`)
      const rows = parse<Record<string, string>>(readFileSync(path), { columns: true })
      const results = readResults(out)
      expect(results.map((row) => row['message'])).toEqual(rows.map((row) => row[question]?.trim()))
      expect(results.every((row) => row['outcome'] === 'answered')).toBe(true)
      expect(new Set(results.map((row) => row['thread'])).size).toBe(threads)

      const after = await readLedger()
      const { quota } = readSummary(out)
      expect(after.total.counted - before.total.counted).toBe(turns)
      expect(quota).toMatchObject({
        attempts: turns,
        certain: turns,
        possible: 0,
        notCounted: 0,
        min: turns,
        max: turns,
      })
    },
    60_000,
  )
})
