// Protects the round trip of a question set: `results.csv` of a run, read as a question set, is the same set.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostileText } from '../support/hostile.ts'
import { temporaryPaths } from '../support/temporary.ts'
import { answer, readResults, readSet, startRun, type Endpoint } from './harness.ts'
import { steadyEndpoint, worlds } from './worlds.ts'

const newPath = temporaryPaths()

function write(csv: string): string {
  const path = `${newPath()}.csv`
  writeFileSync(path, csv)
  return path
}

/** Runs the set, and reads its `results.csv` as a question set; `results.xlsx` must be the same set. */
async function readResultsOf(csv: string, endpoint: Endpoint, repeats: number) {
  const run = newPath()
  await startRun(run, csv, endpoint, { repeat: repeats })
  const { csv: results, workbook } = await readResults(run)
  const read = await readSet(write(results))
  const path = `${newPath()}.xlsx`
  writeFileSync(path, workbook)
  expect(await readSet(path)).toEqual(read)
  return read
}

// A set is UTF-8, cells are trimmed, and results show control characters as their pictures (see below).
const text = (maxLength: number): fc.Arbitrary<string> =>
  hostileText(maxLength).map((raw) =>
    raw
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufeff]/g, '')
      .trim(),
  )

const question = fc.record({
  // A message without a visible character is a fault.
  message: text(40).filter((message) => !/^[\p{DI}\p{Z}\p{C}\u2800]*$/u.test(message)),
  tags: fc.array(fc.constantFrom('vpn', 'printing', '=SUM(A1)', 'déjà vu', '-1'), { maxLength: 3 }),
  source: fc.constantFrom('', 'KNOWLEDGE_BASE', '!MODEL'),
  contains: fc.constantFrom('', 'portal', 'a;b', '"quoted", with comma'),
  regex: fc.constantFrom('', '\\d+ days?', '^a|b$'),
  answer: text(20),
  mustPass: fc.boolean(),
  latency: fc.constantFrom('', '1500'),
  owner: text(20),
  formula: fc.constantFrom('', '=1+1', '+49 30 1234', '@team', "'=kept", '-'),
})

const set = fc.array(fc.array(question, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 })

type Repeats = typeof set extends fc.Arbitrary<infer T> ? T : never

const toCsv = (threads: Repeats): string =>
  stringify(
    threads.flatMap((turns, thread) =>
      turns.map((turn, place) => ({
        id: `q${thread}-${place}`,
        thread: `t${thread}`,
        turn: place + 1,
        message: turn.message,
        tags: turn.tags.join(';'),
        expect_source: turn.source,
        expect_contains: turn.contains,
        expect_regex: turn.regex,
        expect_answer: turn.answer,
        must_pass: turn.mustPass ? 'yes' : '',
        max_latency_ms: turn.latency,
        owner: turn.owner,
        'Formula (of the set)': turn.formula,
      })),
    ),
    { header: true, quoted: true, record_delimiter: '\r\n' },
  )

describe('a set read back from its results', () => {
  test('is the same set, whatever its cells and its answers', async () => {
    const repeated = fc.integer({ min: 1, max: 2 })
    await fc.assert(
      fc.asyncProperty(set, fc.nat({ max: 1000 }), repeated, async (threads, seed, repeats) => {
        const csv = toCsv(threads)
        const before = await readSet(write(csv))
        expect(before.threads).toHaveLength(threads.length)
        expect(await readResultsOf(csv, steadyEndpoint(seed), repeats)).toEqual(before)
      }),
      { numRuns: worlds(60) },
    )
  })

  test('is the same set if the answers are hostile', async () => {
    await fc.assert(
      fc.asyncProperty(set, fc.array(hostileText(60), { minLength: 1 }), async (threads, answers) => {
        const csv = toCsv(threads)
        const say = (number: number): string => answers[number % answers.length] ?? ''
        const endpoint: Endpoint = ({ number, conversationId }) =>
          answer(say(number), conversationId ?? `c${number}`, say(number + 1))
        expect(await readResultsOf(csv, endpoint, 1)).toEqual(await readSet(write(csv)))
      }),
      { numRuns: worlds(30) },
    )
  })

  test('has pictures instead of control characters, and keeps them in further round trips', async () => {
    const csv = 'id,message,owner\nq1,"a \u001b[31m b","x\u0007y"\n'
    const once = await readResultsOf(csv, steadyEndpoint(1), 1)
    expect(once.threads[0]?.[0]).toMatchObject({ message: 'a ␛[31m b', cells: { owner: 'x␇y' } })
    const again = 'id,message,owner\nq1,a ␛[31m b,x␇y\n'
    expect(await readResultsOf(again, steadyEndpoint(1), 1)).toEqual(once)
  })

  const shipped = readdirSync('datasets').filter((name) => name.endsWith('.csv'))
  test.each(shipped)('is the same as datasets/%s', async (name) => {
    const csv = readFileSync(join('datasets', name), 'utf8')
    const before = await readSet(write(csv))
    expect(before.threads.length).toBeGreaterThan(0)
    expect(await readResultsOf(csv, steadyEndpoint(1), 1)).toEqual(before)
  })
})
