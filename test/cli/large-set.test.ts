// A set of 10,400 turns runs, resumes and reports as a small one: each question once, in its conversation and its row.
import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openEndpoint } from '../support/endpoint.ts'
import { KEY_ENV } from '../support/runs.ts'
import { openWorkplace } from '../support/workplace.ts'

const [TURNS, FIRST] = [10_400, 10_200]
const threadOf = (place: number): string => (place % 13 < 4 ? `thread ${Math.floor(place / 13) % 700}` : '')
const questions = Array.from({ length: TURNS }, (_, place) => `Question ${place} of the set?`)

const setRows = questions.map((message, place) => `${threadOf(place)},${message},t${place % 3}\n`)
const { at, read, rows, summary, exits } = openWorkplace(
  { 'set.csv': `thread,message,tags\n${setRows.join('')}` },
  KEY_ENV,
)

test('a set of ten thousand turns', { timeout: 300_000 }, async () => {
  const { url } = await openEndpoint()
  await exits(4, `run set.csv --base-url ${url} --rate unlimited --max-calls ${FIRST} --out run`)
  const second = await exits(0, `run --resume run --max-calls ${TURNS} --grounded-sources KNOWLEDGE_BASE`)
  expect(second.screen).toContain(`Resuming ${TURNS - FIRST} questions`)

  const results = rows('run/results.csv')
  expect(
    results.map(({ message, answer, attempts, outcome }) => [message, answer, attempts, outcome]),
  ).toEqual(questions.map((message) => [message, `answer to: ${message}`, '1', 'answered']))
  expect(new Set(results.map(({ id }) => id)).size).toBe(TURNS)
  const pairs = results
    .filter(({ thread }) => thread)
    .map((row) => `${row['thread']}: ${row['conversation_id']}`)
  expect(new Set(pairs).size).toBe(new Set(pairs.map((pair) => pair.split(':')[0])).size)
  const { turns, coverage } = summary('run')
  expect([turns.total, turns.answered, turns.contextLost, coverage.answered]).toEqual([
    TURNS,
    TURNS,
    0,
    TURNS,
  ])

  const files = ['results.csv', 'summary.json', 'summary.md', 'junit.xml', 'report.html']
  const written = files.map((name) => read('run', name))
  for (const name of [...files.map((file) => `run/${file}`), 'set.csv']) rmSync(at(name))
  await exits(0, 'report run')
  expect(files.map((name) => read('run', name))).toEqual(written)
})
