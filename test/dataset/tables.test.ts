// Protects what every reader of tables relies on: one loop over rows, whatever the file is, that can begin again.
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createRenamer } from '../../src/dataset/columns.ts'
import { collectMessages, formatFault } from '../../src/dataset/messages.ts'
import { readLedger } from '../../src/dataset/ledger.ts'
import { openTable, type TableOptions } from '../../src/dataset/table.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { textRow, workbookOf } from '../support/workbook.ts'
import { writeSet } from './reading-files.ts'

const folder = temporaryFolder()

async function read(name: string, content: string | Uint8Array, options?: TableOptions) {
  const messages = collectMessages(name)
  const table = await openTable(writeSet(folder, content, name), messages, options)
  const rows: (readonly string[])[] = []
  for await (const { line, cells } of table?.rows ?? []) rows.push([String(line), ...cells])
  return { header: table?.header, rows, seen: table?.seen, faults: messages.faults().map(formatFault) }
}

const CSV = 'id,text\na,"One,\ntwo"\nb,3\n'
const sheet = textRow('id', 'text') + textRow('a', 'One,\ntwo') + textRow('b', '3')
const JSON_ROWS = '[{"id":"a","text":{"rendered":"One,\\ntwo"}},{"text":3,"id":"b"}]'
test.each<[string, string | Uint8Array, lines: [string, string]]>([
  ['t.csv', CSV, ['2', '4']],
  ['t.csv', Buffer.from(`\ufeff${CSV}`, 'utf16le'), ['2', '4']],
  ['t.csv', `sep=,\r\n${CSV.replaceAll('\n', '\r\n')}`, ['3', '5']],
  ['t.xlsx', workbookOf({ S: sheet }), ['2', '3']],
  ['t.json', JSON_ROWS, ['1', '2']],
  ['t.json', Buffer.from(`\ufeff{"n":2,"list":${JSON_ROWS}}`, 'utf16le'), ['1', '2']],
])('%s has a header and rows', async (name, content, [first, second]) => {
  const renamer = createRenamer(['message=TEXT'])
  const { header, ...found } = await read(name, content, { renamer, json: '' })
  expect([header?.cells, header?.names]).toEqual([
    ['id', 'text'],
    ['id', 'message'],
  ])
  const rows = [
    [first, 'a', 'One,\ntwo'],
    [second, 'b', '3'],
  ]
  expect(found).toEqual({ rows, seen: { rows: 2, isWhole: true }, faults: [] })
})

const NAMELESS = 't.csv:3: the row has 3 cells, the header 2 (the last cell is "c"); quote cells that'
const UNCLOSED = 't.csv:4: a quote opens a cell here and is never closed'
test.each<[string, TableOptions, string[], isWhole: boolean, string[]]>([
  ['id,text\na,b\na,b,c\nd,e\n', {}, ['2', '4'], false, [NAMELESS]],
  ['id,text\na,b\na,b,c\nd,e\n', { isRaw: true }, ['2', '3', '4'], true, [NAMELESS]],
  ['id,text\na,b\nc,d\n"e,f\n', {}, ['2', '3'], false, [UNCLOSED]],
  ['id,te\0xt\na,b\nc,d\n"e,f\n', {}, [], false, ['t.csv:1: NUL byte', UNCLOSED]],
])('rows of %j that cannot be read are reported', async (text, options, lines, isWhole, faults) => {
  const { rows, seen, faults: found } = await read('t.csv', text, options)
  expect(rows.map(([line]) => line)).toEqual(lines)
  expect(seen?.isWhole ?? false).toBe(isWhole)
  expect(found).toEqual(faults.map((fault) => expect.stringContaining(fault)))
})

test.each([
  ['{"a":1}', 'this JSON holds no list of objects; write [{}]'],
  ['[{"a":1}', 'this is not JSON ('],
])('%s is a fault', async (text, fault) => {
  expect((await read('t.json', text, { json: 'write [{}]' })).faults).toEqual([
    expect.stringContaining(`t.json: ${fault}`),
  ])
})

test.each([
  [
    'time',
    '2026-11-20 13:31:05',
    ['ledger.csv:2: times without a zone are read as UTC: 1; if they are local,'],
  ],
  ['time', '2026-11-20T13:31:05+01:00', []],
  ['Time (UTC)', '2026-11-20 12:31:05', []],
])('a ledger with %s "%s" is noted where it may be in local time', async (header, time, notes) => {
  const path = writeSet(folder, `${header},counted\n${time},yes\n`, 'ledger.csv')
  const { warnings } = await readLedger(path)
  expect(warnings.map((text) => text.replace(/^.*[/](?=ledger)/, ''))).toEqual(
    notes.map((note) => expect.stringContaining(note)),
  )
})

test('rows of a ledger that are not billed do not count, in whatever language Excel wrote that', async () => {
  const cells = ['', 'TRUE', 'ja', 'false', 'FALSCH', 'non', 'Falso']
  const path = writeSet(folder, `conversation id,billed\n${cells.map((cell) => `c,${cell}\n`).join('')}`)
  expect((await readLedger(path)).entries).toHaveLength(3)
})

test.skipIf(process.platform !== 'linux')('a loop that ends early closes the file', async () => {
  const path = writeSet(folder, `id,text\n${`a,${'b'.repeat(2 ** 12)}\n`.repeat(2 ** 8)}`, 'long.csv')
  const table = await openTable(path, collectMessages(path))
  const before = readdirSync('/proc/self/fd').length
  for (let index = 0; index < 50; index += 1) for await (const _ of table?.rows ?? []) break
  await expect.poll(() => readdirSync('/proc/self/fd').length).toBeLessThan(before + 5)
})
