// Sets that no one here wrote, asked of the sandbox: every row, in order, and a ledger that agrees.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { digits } from '../../src/domain/text.ts'
import { SHIPPED_KNOWLEDGE_BASE } from '../../src/library/shipped.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { projectRoot } from '../support/program.ts'
import { usageOf } from '../support/sandbox-usage.ts'
import { openWorkplace } from '../support/workplace.ts'

const { rows: rowsOf, summary, type } = openWorkplace()
const shared = join(projectRoot, '../shared/data')

/** Where it is, which column holds the question, how many turns and threads it has. */
test.for([
  [join(shared, 'trec-cast-2019.csv'), 'message', 479, 50],
  [join(shared, 'banking77-test.csv'), 'text', 3080, 3080],
  [join(projectRoot, 'datasets/quickstart.csv'), 'message', 48, 27],
] as const)(
  '%s is asked whole, in its order, and costs what the ledger says',
  async ([path, question, turns, threads], { skip }) => {
    skip(!existsSync(path), `${path} is not here; it lies outside the project`)
    const sandbox = await startSandbox({ knowledgeBase: SHIPPED_KNOWLEDGE_BASE })
    const line = `run ${path} --base-url ${sandbox.url} --rate unlimited --out ${turns}`
    const { code, screen } = await type(line, { ASSIST_API_KEY: sandbox.apiKey })
    const { counted } = await usageOf(sandbox)
    await sandbox.close()
    expect(code, screen).toBe(0)
    expect(screen).toContain(`Sending ${digits(turns)} questions in ${digits(threads)} conversations`)
    const rows = parse<Record<string, string>>(readFileSync(path), { columns: true })
    const results = rowsOf(String(turns), 'results.csv')
    expect(results.map(({ message }) => message)).toEqual(rows.map((row) => row[question]?.trim()))
    expect(results.every(({ outcome }) => outcome === 'answered')).toBe(true)
    expect(new Set(results.map(({ thread }) => thread)).size).toBe(threads)
    expect(counted).toBe(turns)
    const account = { attempts: turns, certain: turns, possible: 0, notCounted: 0, min: turns, max: turns }
    expect(summary(String(turns)).quota).toMatchObject(account)
  },
)
