// Ledgers in the shapes that exports have: columns by any name, JSON in any wrapper, and what is refused with its line.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ColumnWishes } from '../../../src/dataset/ledger/columns.ts'
import { readLedger, type ReadLedger } from '../../../src/dataset/ledger/read.ts'
import { findZone, type Zone } from '../../../src/dataset/ledger/zone.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const folder = temporaryFolder()
const zoneOf = (name: string): Zone =>
  findZone(name) ?? { name, toUtc: (local) => local, isTwice: () => false }
let files = 0

interface Options {
  readonly wishes?: ColumnWishes
  readonly zone?: string
  readonly statuses?: readonly string[]
  readonly near?: string
}

async function read(
  text: string | Buffer,
  { wishes = {}, zone = 'UTC', statuses, near }: Options = {},
): Promise<ReadLedger> {
  const path = join(folder, `ledger-${(files += 1)}`)
  writeFileSync(path, text)
  const at = near === undefined ? undefined : Date.parse(near)
  return readLedger([path], {
    wishes,
    zone: zoneOf(zone),
    statuses,
    near: at === undefined ? undefined : { from: at, until: at },
  })
}

const times = ({ entries }: ReadLedger): string[] =>
  entries.map(({ at }) => (at === undefined ? 'none' : new Date(at).toISOString()))
const faults = ({ faults: found }: ReadLedger): string[] =>
  found.map(({ line, message }) => `${line ?? ''}: ${message}`)

describe('columns', () => {
  test.each([
    ['usual names', 'timestamp,conversation_id,end_user_ref,status\n2026-11-21T12:00:00.5Z,c1,u1,success\n'],
    [
      'camelCase and semicolons',
      'createdAt;conversationId;endUserRef;outcome\r\n2026-11-21T12:00:00.5Z;c1;u1;success\r\n',
    ],
    [
      'times by their content',
      'Wann war das;Conversation ID;User;Status\n2026-11-21T12:00:00.5Z;c1;u1;success\n',
    ],
    ['epoch, tabs and a byte order mark', '\uFEFFts\tthread\tuser\tresult\n1795262400500\tc1\tu1\tsuccess\n'],
    [
      'JSON',
      '[{"created_at":"2026-11-21T12:00:00.5Z","conversation":"c1","endUserRef":"u1","status":"success"}]',
    ],
    [
      'JSON in a wrapper',
      '{"page":1,"tags":["x"],"data":{"items":[{"at":1795262400.5,"conversationId":"c1","user":"u1","status":"success"}]}}',
    ],
    ['a record a line', '{"at":1795262400500,"conversationId":"c1","userId":"u1","status":"success"}\n'],
  ])('of %s are guessed', async (_, text) => {
    const ledger = await read(text)
    expect(faults(ledger)).toEqual([])
    expect(ledger.entries).toMatchObject([
      { conversationId: 'c1', endUserRef: 'u1', status: 'success', count: 1 },
    ])
    expect(times(ledger)).toEqual(['2026-11-21T12:00:00.500Z'])
    expect(ledger.files[0]?.guessed).toEqual(
      expect.arrayContaining(['time', 'conversation', 'user', 'status']),
    )
  })

  test('in UTF-16, and in fields within fields', async () => {
    const utf16 = await read(Buffer.from('\uFEFFtime,user\n2026-11-21 12:00:01,Jürgen\n', 'utf16le'))
    expect(utf16.entries[0]?.endUserRef).toBe('Jürgen')
    const nested = await read('[{"meta":{"at":"2026-11-21T12:00:01Z","conversation":{"id":"c9"}}}]', {
      wishes: { conversation: ['meta.conversation.id'] },
    })
    expect(nested.entries).toMatchObject([{ conversationId: 'c9' }])
    expect(nested.files[0]?.columns).toEqual({ time: 'meta.at', conversation: 'meta.conversation.id' })
  })

  test('as they were named go before guesses, and none takes none', async () => {
    const text = 'logged,changed,calls\n2026-11-21T12:00:01Z,2026-11-22T12:00:01Z,5\n'
    const ledger = await read(text, { wishes: { time: ['changed'], count: [] } })
    expect([times(ledger), ledger.entries[0]?.count]).toEqual([['2026-11-22T12:00:01.000Z'], 1])
    expect(ledger.files[0]?.columns).toEqual({ time: 'changed' })
  })

  test.each([
    ['no times', 'name,calls\nAnn,7\n', {}, /^: no column holds times \(found: "name", "calls"\).*time=none/],
    [
      'a misspelt one',
      'timestamp\n2026-11-21T12:00:01Z\n',
      { time: ['timestmp'] },
      /no column is called "timestmp".*did you mean "timestamp"/,
    ],
    [
      'times that are none',
      'time,calls\n2026-11-21T12:00:01Z,1\nTotal,1\n',
      { time: ['time'] },
      /^3: "Total" is no time/,
    ],
    [
      'counts that are none',
      'time,calls\n2026-11-21T12:00:01Z,1.5\n',
      { count: ['calls'] },
      /^2: "1.5" is no whole number/,
    ],
    ['a broken line of JSON', '{"at":1}\n{"at":', {}, /^2: this is neither JSON/],
    ['JSON without records', '{"a":1}', {}, /no column holds times/],
    ['numbers for records', '[1,2]', {}, /no list of records|no column holds times/],
    ['an empty file', '', {}, /the file is empty/],
  ] as const)('with %s are refused', async (_, text, wishes, message) => {
    const ledger = await read(text, { wishes })
    expect(faults(ledger).join('\n')).toMatch(message)
  })

  test('without times are one total, where that is wanted', async () => {
    const ledger = await read('name,calls\nAnn,7\nBob,0\n', { wishes: { time: [] } })
    expect(ledger.entries).toMatchObject([{ at: undefined, count: 7 }])
    expect(ledger.files).toMatchObject([{ rows: 2, notCounting: 1, stepMs: null, zone: null }])
  })
})

describe('rows', () => {
  test('that say that they do not count, do not, nor those of another status', async () => {
    const text =
      'time,billable,status\n2026-11-21T12:00:01Z,yes,ok\n2026-11-21T12:00:02Z,no,ok\n2026-11-21T12:00:03Z,yes,429\n'
    expect((await read(text)).entries.map(({ line }) => line)).toEqual([2, 4])
    const picked = await read(text, { statuses: ['ok'] })
    expect([picked.entries.map(({ line }) => line), picked.files[0]?.notCounting]).toEqual([[2], 2])
  })

  test.each([
    ['by the hour', 'hour,calls\n2026-11-21T12:00:00Z,30\n2026-11-21T13:00:00Z,0\n', 3_600_000],
    ['by the day', 'day,calls\n2026-11-21,30\n', 86_400_000],
    ['by the quarter of an hour', 'start,calls\n2026-11-21T12:15:00Z,30\n', 900_000],
    ['in two columns', 'Date,Hour,Calls\n2026-11-21,13,30\n', 3_600_000],
    [
      'call by call, in seconds',
      'time\n2026-11-21T12:00:00Z\n2026-11-21T12:01:00Z\n2026-11-21T12:02:01Z\n',
      1000,
    ],
    ['call by call, two on the minute', 'time\n2026-11-21T12:00:00Z\n2026-11-21T12:01:00Z\n', 1000],
    ['call by call, in minutes', 'time\n21.11.2026 12:00\n21.11.2026 12:07\n', 60_000],
  ])('%s have their step', async (_, text, stepMs) => {
    const ledger = await read(text)
    expect(faults(ledger)).toEqual([])
    expect(ledger.files[0]?.stepMs).toBe(stepMs)
    expect(ledger.entries.every(({ at, until }) => until - (at ?? 0) === stepMs)).toBe(true)
  })

  test('take the zone that is given, where they name none; a day of it may have 25 hours', async () => {
    const ledger = await read('day,calls\n2026-10-25,30\n', { zone: 'Europe/Berlin' })
    expect(times(ledger)).toEqual(['2026-10-24T22:00:00.000Z'])
    expect((ledger.entries[0]?.until ?? 0) - (ledger.entries[0]?.at ?? 0)).toBe(25 * 3_600_000)
    expect(ledger.files[0]?.zone).toBe('Europe/Berlin')
  })

  test.each([
    ['2026-11-12T12:00:00Z', '2026-11-12T10:00:01.000Z', 0],
    ['2026-12-11T12:00:00Z', '2026-12-11T10:00:01.000Z', 0],
    ['2026-03-01T12:00:00Z', '2026-12-11T10:00:01.000Z', 1],
  ])('whose dates may be read two ways are read as of the run (%s)', async (near, expected, warnings) => {
    const ledger = await read('time\n11/12/2026 10:00:01\n', { near })
    expect([times(ledger), ledger.warnings.length]).toEqual([[expected], warnings])
  })

  test('that do not have the shape of the header are refused with their line', async () => {
    expect(faults(await read('time,user\n2026-11-21T12:00:01Z,a\n2026-11-21T12:00:02Z,a,b\n'))).toEqual([
      expect.stringMatching(/^3: the row has 3 cells/),
    ])
  })
})

test('a file that is named twice is a fault: its calls would count twice', async () => {
  const path = join(folder, 'twice.csv')
  writeFileSync(path, 'time\n2026-11-21T12:00:01Z\n')
  const reading = { wishes: {}, zone: zoneOf('UTC'), statuses: undefined, near: undefined }
  expect(faults(await readLedger([path, path], reading))).toEqual([
    expect.stringMatching(/the same file as .*twice.csv/),
  ])
})

test('a file that is not there is a fault', async () => {
  const ledger = await readLedger([join(folder, 'nowhere.csv')], {
    wishes: {},
    zone: zoneOf('UTC'),
    statuses: undefined,
    near: undefined,
  })
  expect(faults(ledger)).toEqual([expect.stringMatching(/there is no such file/)])
})
