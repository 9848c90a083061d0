// The ledger on the screen, in Markdown and in a spreadsheet: what is said, and that nobody's text acts.
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import type { LedgerFile } from '../../src/domain/reconciliation.ts'
import { renderLedgerCsv } from '../../src/report/ledger/csv.ts'
import { ledgerSection } from '../../src/report/ledger/markdown.ts'
import { renderLedgerScreen } from '../../src/report/ledger/screen.ts'
import { makeCall, makeEntry, reconcileMade } from '../support/ledgers.ts'

const file: LedgerFile = {
  name: 'usage.csv',
  form: 'csv',
  digest: 'sha256:0',
  rows: 5,
  columns: { time: 'at', conversation: 'conversation' },
  guessed: ['time'],
  notCounting: 1,
  stepMs: 1000,
  zone: 'UTC',
}
const calls = [
  makeCall(1, 0, 500, { returnedId: 'a' }),
  makeCall(2, 1000, 1500, { sentId: 'a', usage: 'possible', came: 'timeout' }),
  makeCall(3, 2000, 2010, { sentId: 'a', usage: 'notCounted', came: 'HTTP 429' }),
  makeCall(4, 3000, 33_000, { usage: 'possible', came: 'no result recorded' }),
]
const rows = [
  makeEntry(2, 60_200, { conversationId: 'a' }),
  makeEntry(3, 61_200, { conversationId: 'a' }),
  makeEntry(4, 62_005, { conversationId: 'a' }),
  makeEntry(5, 63_300, { conversationId: 'zzz', endUserRef: 'ann', status: '=1+1' }),
  makeEntry(6, 64_000, { conversationId: 'yyy' }),
]
const made = reconcileMade(calls, rows, { files: [file], offsetMs: 60_000, notes: ['a note'] })

test('the screen says the verdict, the account, how it was matched, what was guessed', () => {
  expect(renderLedgerScreen(made.result).split('\n')).toEqual([
    'The ledger against the account:',
    "  The ledger lies in the account's interval (1 to 3 calls), but not call by call: 1 taken as not counted",
    '    with one',
    '  The assumption is wrong: 1 of 1 attempt taken as not counted (HTTP 429) is in the ledger (--count-rejected',
    '    drops it)',
    '',
    '  account      attempts  in the ledger  not in it',
    '  certain             1              1          0',
    '  possible            2              2          0  1 was counted, 1 may have been (other rows fit as well)',
    '  not counted         1              1          0  WRONGLY taken as not counted',
    '',
    expect.stringMatching(/Counted of this run: 3 to 4 calls/),
    expect.stringMatching(/1 counted call in the run's time that no attempt explains/),
    expect.stringMatching(/5 counted calls in the ledger: 5 in the run's time, 0 before, 0 after/),
    expect.stringMatching(/Matched by conversation id 3, by time alone 1/),
    expect.stringMatching(/1 min 0 s ahead of ours, as given; times may be off by 100 ms/),
    expect.stringMatching(
      /usage.csv: 5 rows, time=at \(guessed\), conversation=conversation; times by the second;/,
    ),
    '    taken as UTC; 1 row not counting',
    '  Note: a note',
    '  Call by call: ledger.csv',
  ])
})

describe('text of others', () => {
  const hostile = '\u001b[2J::error::<img src=x>|`@all`'
  const result = reconcileMade(calls, rows, {
    files: [{ ...file, name: hostile, columns: { time: hostile } }],
    notes: [hostile],
  }).result

  test('does nothing to a terminal or a log', () => {
    const screen = renderLedgerScreen(result)
    expect(screen).not.toContain('\u001b')
    expect(screen).not.toMatch(/^\s*::/m)
  })

  test('is no markup', () => {
    const markdown = ledgerSection(result).join('\n')
    expect(markdown).not.toMatch(/<img|[^\\]`@/)
    expect(markdown).not.toContain('\u001b')
  })

  test('is no formula, and names of others are left out', () => {
    const text = [
      ...renderLedgerCsv(reconcileMade(calls.slice(0, 1), rows, { offsetMs: 60_000 }).calls, ['=usage.csv']),
    ].join('')
    const lines: Record<string, string>[] = parse(text, { columns: true })
    expect(lines.map(({ meaning, ledger_file }) => [meaning, ledger_file])).toEqual([
      ['counted, as the account says', "'=usage.csv"],
      ["counted with this run's id, but no attempt explains it", "'=usage.csv"],
      ["counted with this run's id, but no attempt explains it", "'=usage.csv"],
    ])
    const others = [...renderLedgerCsv(made.calls, ['usage.csv'])].join('')
    expect(others).toContain("'=1+1")
  })
})
