// A set of 10,400 turns runs, resumes and reports as a small one: each question once, in its conversation and its row.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openEndpoint } from '../support/endpoint.ts'
import { readResults, readSummary, runProgram, type Ended } from '../support/program.ts'
import { KEY_ENV } from '../support/runs.ts'
import { temporaryFolder } from '../support/temporary.ts'

const [TURNS, FIRST] = [10_400, 10_200]
const threadOf = (place: number): string => (place % 13 < 4 ? `thread ${Math.floor(place / 13) % 700}` : '')
const questions = Array.from({ length: TURNS }, (_, place) => `Question ${place} of the set?`)

test('a set of ten thousand turns', { timeout: 300_000 }, async () => {
  const cwd = temporaryFolder()
  const out = join(cwd, 'run')
  const { url } = await openEndpoint()
  const rows = questions.map((message, place) => `${threadOf(place)},${message},t${place % 3}\n`)
  writeFileSync(join(cwd, 'set.csv'), `thread,message,tags\n${rows.join('')}`)
  const type = async (line: string): Promise<Ended> => runProgram(line.split(' '), { cwd, env: KEY_ENV })

  const first = await type(`run set.csv --base-url ${url} --rate unlimited --max-calls ${FIRST} --out run`)
  expect(first.code, first.screen).toBe(4)
  const second = await type(`run --resume run --max-calls ${TURNS} --grounded-sources KNOWLEDGE_BASE`)
  expect(second.code, second.screen).toBe(0)
  expect(second.screen).toContain(`Resuming ${TURNS - FIRST} questions`)

  const results = readResults(out)
  expect(
    results.map(({ message, answer, attempts, outcome }) => [message, answer, attempts, outcome]),
  ).toEqual(questions.map((message) => [message, `answer to: ${message}`, '1', 'answered']))
  expect(new Set(results.map(({ id }) => id)).size).toBe(TURNS)
  const pairs = results
    .filter(({ thread }) => thread)
    .map((row) => `${row['thread']}: ${row['conversation_id']}`)
  expect(new Set(pairs).size).toBe(new Set(pairs.map((pair) => pair.split(':')[0])).size)
  const { turns, coverage } = readSummary(out)
  expect([turns.total, turns.answered, turns.contextLost, coverage.answered]).toEqual([
    TURNS,
    TURNS,
    0,
    TURNS,
  ])

  const files = ['results.csv', 'summary.json', 'junit.xml', 'report.html']
  const read = (): string[] => files.map((name) => readFileSync(join(out, name), 'utf8'))
  const written = read()
  rmSync(join(cwd, 'set.csv'))
  expect((await type('report run')).code).toBe(0)
  expect(read()).toEqual(written)
})
