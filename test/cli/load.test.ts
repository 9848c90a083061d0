// Protects `load` of the built program: the offered load and the due time of each call. runner/load/run-load.test.ts covers stalls.
import { expect, test } from 'vitest'
import type { JournalRecord } from '../../src/domain/journal.ts'
import { openEndpoint } from '../support/endpoint.ts'
import { KEY_ENV } from '../support/program.ts'
import { openWorkspace } from '../support/workspace.ts'

const { json, read, expectExit } = openWorkspace(
  {
    'set.csv': 'thread,message\na,First?\na,Second?\nb,Other?\n',
    'load.yaml': 'stages: 500ms:8/s,500ms:8/s\nthinkTime: 20ms\nmaxInFlight: 20\n',
  },
  KEY_ENV,
)

test('a load test from a config file records its options, and every call with the time it was due', async () => {
  const { url, calls } = await openEndpoint()
  await expectExit(0, `load set.csv --base-url ${url} --out whole --config load.yaml`)
  expect(json('whole/run.json')).toMatchObject({
    state: 'complete',
    options: { rate: 'unlimited', concurrency: 20 },
    load: { gracefulStopMs: 30_000, thinkTime: { ms: 20 } },
  })
  const lines = read('whole/journal.ndjson').trimEnd().split('\n')
  const records = lines.map((line) => JSON.parse(line) as JournalRecord)
  const first = records.flatMap((record) =>
    record.kind === 'intent' && record.conversationId === null ? [record] : [],
  )
  const start = first[0]?.dueAt ?? NaN
  // The integral of the ramp is 8 t², which is 2 after half a second; the rest arrive every eighth of a second.
  const expected = [0, 1000 * Math.sqrt(1 / 8), 500, 625, 750, 875]
  expect(first.map(({ arrival }) => arrival)).toEqual([0, 1, 2, 3, 4, 5])
  for (const [i, { dueAt = NaN }] of first.entries())
    expect(Math.abs(dueAt - start - (expected[i] ?? NaN))).toBeLessThan(0.01)
  expect(calls).toHaveLength(9)
  expect(new Set(calls.map(({ body }) => body.endUserRef)).size).toBe(6)
  expect(records.at(-1)).toMatchObject({ kind: 'end', stop: { kind: 'done' } })
})
