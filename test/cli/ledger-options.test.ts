// The options of a ledger: what they mean, and what is wrong with them.
import { expect, test } from 'vitest'
import { readLedgerSettings } from '../../src/cli/ledger/read-options.ts'

const LEDGER = { ledger: ['usage.csv'] }

test('no ledger, no settings', () => {
  expect(readLedgerSettings({})).toBeUndefined()
})

test('what is not said has its default', () => {
  expect(readLedgerSettings(LEDGER)).toMatchObject({
    paths: ['usage.csv'],
    wishes: {},
    zone: { name: 'UTC' },
    statuses: undefined,
    toleranceMs: 1000,
    offsetMs: undefined,
  })
})

test('what is said is understood', () => {
  expect(
    readLedgerSettings({
      ...LEDGER,
      'ledger-columns': ['time=Day+Hour, count=none', 'user=end user'],
      'ledger-status': ['ok,degraded'],
      'ledger-offset': '-1.5s',
      'ledger-tolerance': '2m',
    }),
  ).toMatchObject({
    wishes: { time: ['Day', 'Hour'], count: [], user: ['end user'] },
    statuses: ['ok', 'degraded'],
    offsetMs: -1500,
    toleranceMs: 120_000,
  })
})

test.each([
  [{ 'ledger-zone': 'UTC' }, /--ledger-zone says how to read a ledger/],
  [{ ...LEDGER, 'ledger-zone': 'Mars' }, /--ledger-zone must be a time zone/],
  [{ ...LEDGER, 'ledger-zone': ['UTC', 'UTC'] }, /--ledger-zone is given twice/],
  [{ ...LEDGER, 'ledger-columns': ['tiem=at'] }, /ROLE=COLUMN.*did you mean time\?/],
  [{ ...LEDGER, 'ledger-columns': ['time='] }, /ROLE=COLUMN/],
  [{ ...LEDGER, 'ledger-columns': ['time=a', 'time=b'] }, /names time twice/],
  [{ ...LEDGER, 'ledger-offset': 'soon' }, /--ledger-offset must be a time/],
  [{ ...LEDGER, 'ledger-tolerance': '-1s' }, /--ledger-tolerance must be a time/],
])('%j is refused', (typed, message) => {
  expect(() => readLedgerSettings(typed)).toThrow(message)
})
