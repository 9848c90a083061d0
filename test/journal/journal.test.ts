// Protects the journal: records are read as written, and torn or garbled lines are reported and affect no
// other line.
import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JournalRecord } from '../../src/domain/journal.ts'
import { createSecret } from '../../src/domain/secret.ts'
import { StorageError } from '../../src/domain/storage-error.ts'
import { joinJournals } from '../../src/journal/join.ts'
import { decodeLine, encodeRecord } from '../../src/journal/line.ts'
import { followJournal, nextJournal, openPicker, readJournal, type Entry } from '../../src/journal/read.ts'
import { openJournal } from '../../src/journal/write.ts'
import { anyCodePoint } from '../support/any-code-point.ts'
import { projectRoot } from '../support/program.ts'
import { temporaryPaths } from '../support/temporary.ts'

const paths = temporaryPaths()
const newPath = (): string => `${paths()}.ndjson`

async function readAll(path: string): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const entry of readJournal(path)) entries.push(entry)
  return entries
}

async function readText(content: string | Uint8Array): Promise<Entry[]> {
  const path = newPath()
  writeFileSync(path, content)
  return readAll(path)
}

const lines = (records: readonly JournalRecord[]): string =>
  records.map((record) => `${encodeRecord(record, undefined)}\n`).join('')

const text = fc.string({ unit: anyCodePoint, maxLength: 200 })
const resultRecord = fc.record({
  kind: fc.constant('result' as const),
  at: fc.nat(),
  attempt: fc.integer({ min: 1, max: 1_000_000 }),
  waitMs: fc.nat(),
  serviceMs: fc.nat(),
  result: fc.record({
    kind: fc.constant('reply' as const),
    httpStatus: fc.constant(200),
    reply: fc.record({ conversationId: text, message: text, status: text, contextSource: text }),
  }),
})

describe('records', () => {
  test('are read as written, whatever their text', () => {
    fc.assert(
      fc.property(resultRecord, (record) => {
        const line = encodeRecord(record, undefined)
        expect(line).not.toMatch(/[\r\n]/)
        expect(decodeLine(line)).toEqual({ kind: 'record', record })
      }),
    )
  })

  test('mask the key in every text, but not in field names and fixed values', () => {
    const place = { question: 0, repeat: 1, conversation: 1, attempt: 1 }
    const record: JournalRecord = {
      kind: 'outcome',
      at: 1,
      ...place,
      outcome: 'answered',
      contextLost: false,
    }
    expect(decodeLine(encodeRecord(record, createSecret('answered', '01234567')))).toMatchObject({ record })
    const stop = { kind: 'fault', message: 'sk/"secret" and sk%2F%22secret%22' } as const
    const leaky: JournalRecord = { kind: 'end', at: 1, stop }
    const line = encodeRecord(leaky, createSecret('sk/"secret"', '01234567'))
    expect(line).not.toContain('secret')
    expect(decodeLine(line).kind).toBe('record')
  })
})

const questions = (count: number): JournalRecord[] =>
  Array.from({ length: count }, (_, at) => ({ kind: 'pace', at, pace: at, cause: `ünï ${at}` }))

describe('a journal', () => {
  test('is read in order, and each record can be read by its position', async () => {
    const path = newPath()
    const writer = openJournal(path, undefined)
    const written = questions(10_000)
    for (const record of written) writer.append(record)
    await writer.close()
    const entries = await readAll(path)
    expect(entries.map((entry) => (entry.kind === 'record' ? entry.record : entry))).toEqual(written)
    const picker = openPicker(path)
    const last = entries.at(-1)
    expect(last?.kind === 'record' ? picker.pick(last.position) : undefined).toEqual(written.at(-1))
    picker.close()
  })

  const [first = ''] = lines(questions(1)).split('\n')
  const unsummed = JSON.stringify(questions(1)[0])
  const unknown = lines([{ kind: 'generator', at: 1 } as unknown as JournalRecord])
  test.each<[string, string, string[]]>([
    ['reports a line without a checksum', `${unsummed}\n${first}\n`, ['its checksum is missing', 'record']],
    ['reports a line that is no record', unknown, ['not a journal record']],
    ['reports a wrong checksum', `${first.replace('"at":0', '"at":7')}\n`, ['its checksum is wrong']],
  ])('%s', async (_, content, expected) => {
    const found = (await readText(content)).map((entry) =>
      entry.kind === 'garbled' ? entry.reason.replace(/ \(.*/, '') : entry.kind,
    )
    expect(found).toEqual(expected)
  })

  test.each(['intent', 'confirm', 'set', 'end', 'dropped', 'sitting'])(
    'a garbled line of kind %s may have sent an attempt only if it is an intent',
    async (kind) => {
      const [entry] = await readText(`{"kind":"${kind}","at":\n`)
      expect(entry).toMatchObject({ kind: 'garbled', mayBeIntent: kind === 'intent' })
    },
  )

  test('of a resume is a second file, and the torn line of the first stays as it is', async () => {
    const path = newPath()
    appendFileSync(path, '{"kind":"pace","at":1,"pa')
    const next = nextJournal(path)
    expect(next).toBe(path.replace('.ndjson', '.2.ndjson'))
    const writer = openJournal(next, undefined)
    for (const record of questions(1)) writer.append(record)
    await writer.close()
    const entries = await readAll(path)
    expect(entries.map(({ kind }) => kind)).toEqual(['torn', 'record'])
    expect(readFileSync(path, 'utf8')).toBe('{"kind":"pace","at":1,"pa')
    const picker = openPicker(path)
    expect(
      entries.flatMap((entry) => (entry.kind === 'record' ? [picker.pick(entry.position)] : [])),
    ).toEqual(questions(1))
    picker.close()
    expect(() => openJournal(next, undefined)).toThrow(StorageError)
  })
})

test('a joined journal numbers attempts anew, and keeps a place for each that was lost', async () => {
  const [one, other, whole] = [newPath(), newPath(), newPath()]
  const rest = { kind: 'intent', question: 0, repeat: 1, conversation: 1, conversationId: null } as const
  writeFileSync(one, lines([1, 3].map((attempt) => ({ ...rest, at: 2 * attempt, attempt }))))
  writeFileSync(other, lines([1].map((attempt) => ({ ...rest, at: 3, attempt }))))
  await joinJournals([one, other], whole, [], undefined)
  const records = (await readAll(whole)).flatMap((entry) => (entry.kind === 'record' ? [entry.record] : []))
  expect(records).toMatchObject([
    { at: 2, attempt: 1 },
    { at: 3, attempt: 2 },
    { at: 6, attempt: 4 },
  ])
})

test('a joined journal whose last lines the disk takes in part is an error', async () => {
  const [shard, whole] = [newPath(), newPath()]
  const journal = openJournal(shard, undefined)
  for (let at = 1; at <= 40; at += 1) journal.append({ kind: 'pace', at, pace: 1, cause: 'x'.repeat(60) })
  await journal.close()
  const script = `import { joinJournals } from './src/journal/join.ts'
await joinJournals(${JSON.stringify([shard])}, ${JSON.stringify(whole)}, [], undefined)`
  const limited = 'ulimit -f 2; exec "$0" --import tsx --input-type=module -e "$1"'
  const { stderr } = spawnSync('bash', ['-c', limited, process.execPath, script], { cwd: projectRoot })
  expect(String(stderr)).toContain('EFBIG')
})

test('what follows a run reads each new line once, also those of a resume', async () => {
  const path = newPath()
  const outcome = (at: number): JournalRecord => ({ kind: 'end', at, stop: { kind: 'done' } })
  const follow = followJournal(path)
  const seen: number[] = []
  const look = async () => follow((record) => void ('at' in record && seen.push(record.at)))
  writeFileSync(path, lines([outcome(1), outcome(2)]))
  await look()
  appendFileSync(path, lines([outcome(3)]))
  writeFileSync(nextJournal(path), lines([outcome(4)]))
  await look()
  await look()
  expect(seen).toEqual([1, 2, 3, 4])
})
