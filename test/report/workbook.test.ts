// Protects the workbook of a run: texts stay what they are, read back equal, and people can work in it.
import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { collectMessages } from '../../src/dataset/messages.ts'
import { openTable } from '../../src/dataset/table.ts'
import { renderWorkbook, type Sheet, sheetOf } from '../../src/report/workbook.ts'
import type { Cell, SheetColumn } from '../../src/report/spreadsheet.ts'
import { writeSet } from '../dataset/reading-files.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { readRows } from '../support/rows.ts'

const folder = temporaryFolder()
const bytesOf = (...sheets: readonly Sheet[]): Buffer => Buffer.concat([...renderWorkbook(sheets)])

/** A sheet of one column, and others before it. */
const columnOf = (name: string, cells: readonly Cell[], decimals?: number): Sheet => {
  const column: SheetColumn<Cell> = [name, (cell) => cell, decimals]
  return sheetOf('Results', { columns: [['id', () => '001'], column], rows: cells })
}

async function readBack(cells: readonly Cell[], decimals?: number): Promise<(string | undefined)[]> {
  const path = writeSet(folder, bytesOf(columnOf('cell', cells, decimals)), 'results.xlsx')
  const messages = collectMessages(path)
  const read: (string | undefined)[] = []
  const table = await openTable(path, messages)
  for await (const row of table?.rows ?? []) {
    expect(row.cells[0]).toBe('001')
    read.push(row.cells[1])
  }
  expect(messages.faults()).toEqual([])
  return read
}

const TEXTS = readRows(new URL('texts.ndjson', import.meta.url)).map(([text]) => text)

describe('what is written is read back:', () => {
  test('texts, whatever they look like', async () => {
    expect(await readBack(TEXTS)).toEqual(TEXTS)
  })

  test('signs that no cell holds have a picture or a replacement; line ends are one', async () => {
    const written = ['a\u0000b\u001b', 'a\ud800b', 'a\ufffeb', 'one\r\ntwo\rthree']
    expect(await readBack(written)).toEqual(['a␀b␛', 'a\ufffdb', 'a\ufffeb', 'one\ntwo\nthree'])
  })

  test('a quote before a formula is doubled: reading results takes one away', async () => {
    expect(await readBack(["'=1", "'plain", "''-"])).toEqual(["''=1", "'plain", "'''-"])
  })

  test('numbers with their decimals, truth and nothing', async () => {
    expect(await readBack([1.26, 0, -3, 1234567], 1)).toEqual(['1.3', '0', '-3', '1234567'])
    expect(await readBack([1e15, true, false])).toEqual(['1000000000000000', 'TRUE', 'FALSE'])
    expect(await readBack([null, undefined, '', NaN])).toEqual(Array(4).fill(undefined))
  })

  test('a text longer than a cell is cut, with a mark', async () => {
    const long = ['x'.repeat(32_767), 'y'.repeat(40_000), `z${'🙂'.repeat(20_000)}`]
    const [fits, cut = '', split = ''] = await readBack(long)
    expect(fits).toBe(long[0])
    expect(cut.length).toBe(32_767)
    expect(cut).toMatch(/^y+ \[…cut: the CSV file has all of it\]$/)
    expect(split).toMatch(/^z(?:🙂)+ \[…cut/u)
    expect(split.isWellFormed()).toBe(true)
  })
})

describe('people can work in it:', () => {
  const columns: SheetColumn<string>[] = [
    ['id', (id) => id],
    ['answer', () => 'word '.repeat(100)],
    ['review', () => ''],
    ['constructor', () => ''],
  ]
  const results = sheetOf('Results', { columns, rows: ['a', 'b', 'c'] })
  const changes = sheetOf("Changes 1 it's [a] very/long label of a run", {
    columns: [['id', () => '']],
    rows: [],
  })
  const workbook = unzipSync(bytesOf(results, changes))
  const part = (name: string): string => strFromU8(workbook[name] ?? new Uint8Array())
  const sheet = part('xl/worksheets/sheet1.xml')

  test.each([
    ['the header is frozen', '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'],
    ['filters stand over all rows', '<autoFilter ref="A1:D4"/>'],
    ['reviews are chosen from a list', 'sqref="C2:C1048576"><formula1>"good,acceptable,poor"</formula1>'],
  ])('%s', (_, xml) => {
    expect(sheet).toContain(xml)
  })

  test('a sheet without reviews has no list, and a name that Excel takes', () => {
    expect(part('xl/worksheets/sheet2.xml')).not.toContain('dataValidation')
    expect(part('xl/workbook.xml')).toContain('<sheet name="Changes 1 it\'s -a- very-long la" sheetId="2"')
  })

  test('widths show the texts, within limits', () => {
    expect([...sheet.matchAll(/ width="(\d+)"/g)].map(([, width]) => Number(width))).toEqual([8, 70, 14, 15])
  })
})

test('the same tables give the same bytes', () => {
  expect(bytesOf(columnOf('cell', TEXTS))).toEqual(bytesOf(columnOf('cell', TEXTS)))
})
