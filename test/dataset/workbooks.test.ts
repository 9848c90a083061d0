// Protects the reading of .xlsx workbooks: cells as displayed, whichever program wrote them, and limits.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readArticles } from '../../src/articles/read.ts'
import { readLedger } from '../../src/dataset/ledger.ts'
import { collectMessages, formatFault } from '../../src/dataset/messages.ts'
import { readQuestionSets } from '../../src/dataset/read.ts'
import { readReviews } from '../../src/dataset/reviews.ts'
import { openTable } from '../../src/dataset/table.ts'
import { CUT_MARK } from '../../src/domain/text.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { declareSize, textRow, workbookOf } from '../support/workbook.ts'
import { messagesOf, questionsOf, readFaults, readValid, rowsOf, writeSet } from './reading-files.ts'

const folder = temporaryFolder()
const fixture = (name: string): string => fileURLToPath(new URL(`workbooks/${name}`, import.meta.url))

/** LibreOffice writes the built-in formats of dates as its own. */
const OTHERWISE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  libreoffice: {
    'What is built-in date?': '11/20/2026',
    'What is built-in date and time?': '11/20/2026 9:05',
  },
}

describe('cells count as they are displayed, written by', () => {
  test.each(['openpyxl', 'xlsxwriter', 'libreoffice'])('%s', async (name) => {
    const path = fixture(`${name}.xlsx`)
    const messages = collectMessages(path)
    const rows: (readonly string[])[] = []
    const table = await openTable(path, messages, { isHeader: (cells) => cells.includes('shown') })
    for await (const { cells } of table?.rows ?? []) rows.push(cells)
    // openpyxl keeps no values of formulas.
    const broken = name === 'openpyxl' ? ['C39', 'C40', 'C41'] : []
    expect(messages.faults().map(({ line, message }) => [line, message])).toEqual(
      broken
        .slice(0, 1)
        .map((cell) => [
          39,
          `cells with a formula and without a value: ${broken.length}, the first is ${cell}; ` +
            'open the file in Excel or LibreOffice, and save it again',
        ]),
    )
    const shown = rows.map(([, message = '', , text = '']) => OTHERWISE[name]?.[message] ?? text)
    expect(rows.map(([id, , cell = '']) => [id, cell])).toEqual(
      shown.map((text, index) => [String(index + 1).padStart(3, '0'), text]),
    )
    expect(rows.length).toBe(38 - broken.length)
  })

  test('openpyxl, below a title and behind a cover', async () => {
    const faults = await readFaults(writeSet(folder, readFileSync(fixture('openpyxl.xlsx')), 'may.xlsx'))
    expect(faults).toEqual([expect.stringMatching(/^may\.xlsx#Questions:39: .*: 3, the first is C39;/)])
  })
})

test.each(rowsOf<[file: string, questions: string[], said: string[]]>('other-writers.ndjson'))(
  '%s is read as it is displayed, and what cannot be is named',
  async (file, questions, said) => {
    const [, name = file] = /^(.+\.xlsx)/.exec(file) ?? []
    const reading = await readQuestionSets([fixture(name) + file.slice(name.length)])
    const set = reading.kind === 'valid' ? questionsOf(reading.set) : []
    expect(set.map(({ message, cells }) => [message, ...Object.values(cells)].join('|'))).toEqual(questions)
    const messages = reading.kind === 'valid' ? reading.set.warnings : reading.faults.map(formatFault)
    expect(messages.map((message) => message.replace(/^.*\.xlsx#(?=\w+[:.])/, ''))).toEqual(said)
  },
)

test('a text of a merged cell counts in every row, rich texts are whole, hidden rows are read', async () => {
  const set = await readValid(fixture('conversations.xlsx'))
  expect(questionsOf(set).map(({ thread, message, tags }) => [thread, message, tags.join(';')])).toEqual([
    ['vpn', 'How do I reach the VPN?', 'network'],
    ['vpn', 'And then?', 'network'],
    ['vpn', 'From abroad?', ''],
    ['mail', 'Where is my mail?', 'mail'],
    [expect.stringMatching(/^q-/), 'Hidden?', ''],
  ])
  expect(set.warnings).toEqual([])
  expect(set.files[0]).toMatchObject({ encoding: 'xlsx', delimiter: '', sheet: 'Threads', rows: 5 })
})

const TWO = {
  Notes: textRow('Nothing here'),
  First: textRow('Title of the sheet') + textRow('id', 'message') + textRow('a', 'One?'),
  Second: textRow('message') + textRow('Two?'),
}

/** Its first sheet is hidden. */
const HIDDEN = {
  'xl/workbook.xml':
    '<workbook xmlns:r="r"><sheets><sheet name="First" r:id="r1" state="hidden"/><sheet name="Second" r:id="r2"/></sheets></workbook>',
}

test.each([
  ['the first with a header', 'two.xlsx', 'One?'],
  ['by its name', 'two.xlsx#Second', 'Two?'],
  ['by its name in other letters', 'two.xlsx#SECOND', 'Two?'],
  ['the first that is not hidden', 'hidden.xlsx', 'Two?'],
  ['a hidden one by its name', 'hidden.xlsx#First', 'One?'],
])('a sheet is chosen: %s', async (_, path, message) => {
  writeSet(folder, workbookOf(TWO), 'two.xlsx')
  writeSet(folder, workbookOf(TWO, HIDDEN), 'hidden.xlsx')
  expect(messagesOf(await readValid(join(folder, path)))).toEqual([message])
})

describe('what a file of CSV does, a workbook does:', () => {
  test('an id that another file has, too, names the sheet and the row', async () => {
    const path = writeSet(folder, workbookOf(TWO), 'two.xlsx')
    const reading = await readQuestionSets([path, writeSet(folder, 'id,message\na,Else?\n')])
    const message = `the id "a" is already in ${path}#First:3; give each question its own id, or clear the cell`
    expect(reading).toMatchObject({ faults: [{ message }] })
  })

  test('a ledger, behind a cover and with cells of dates', async () => {
    const calls = textRow('conversationId') + textRow('c1')
    const ledger = workbookOf({ Cover: textRow('Usage of May'), Calls: calls })
    expect(await readLedger(writeSet(folder, ledger, 'l.xlsx'))).toMatchObject({
      entries: [{ conversationId: 'c1', count: 1 }],
    })
    const time = textRow('time') + '<row><c><v>46346.5</v></c></row>'
    const dated = workbookOf({ Calls: time }, styledAs(22))
    expect(await readLedger(writeSet(folder, dated, 'd.xlsx'))).toMatchObject({
      entries: [{ at: Date.UTC(2026, 10, 20, 12) }],
    })
  })

  test('articles, of a sheet by its name, too', async () => {
    const rows = textRow('title', 'body') + textRow('VPN', 'Open the client.')
    const path = writeSet(folder, workbookOf({ S: rows }), 'book.xlsx')
    for (const named of [path, `${path}#S`])
      expect((await readArticles(named)).articles).toMatchObject([{ title: 'VPN' }])
  })
})

describe('results.xlsx, reviewed in openpyxl and saved in LibreOffice,', () => {
  test('is the question set that it was made from', async () => {
    const set = `id,thread,message,tags,expect_contains,Owner
001,vpn,How do I reset my password?,a;b,reset,=HYPERLINK("x")
002,vpn,And then?,a,,'=quoted
003,,"Two\nlines, <b> & ""q"" _x0041_",b,zzz,+49 170 1234567
`
    const withoutLine = async (path: string) =>
      questionsOf(await readValid(path)).map((question) => ({ ...question, line: 0 }))
    expect(await withoutLine(fixture('edited.xlsx'))).toEqual(await withoutLine(writeSet(folder, set)))
  })

  test('holds the reviews', async () => {
    const { reviews, faults } = await readReviews(fixture('edited.xlsx'))
    expect(faults).toEqual([])
    expect(reviews.map(({ questionId, review, note }) => [questionId, review, note])).toEqual([
      ['001', 'good', ''],
      ['003', 'poor', 'names no article'],
    ])
  })
})

test('reviews are read from every sheet that has them', async () => {
  const sheet = (id: string): string =>
    textRow('id', 'candidate_answer', 'review') + textRow(id, 'an answer', 'good')
  const book = workbookOf({ 'Changes 1': sheet('a'), Notes: textRow('none'), 'Changes 2': sheet('b') })
  const { reviews } = await readReviews(writeSet(folder, book, 'compared.xlsx'))
  expect(reviews.map(({ questionId }) => questionId)).toEqual(['a', 'b'])
})

test('a question that did not fit into a cell is a fault', async () => {
  const book = workbookOf({ S: textRow('message') + textRow(`Why?${CUT_MARK}`) })
  expect(await readFaults(writeSet(folder, book, 'cut.xlsx'))).toEqual([
    expect.stringMatching(/^cut\.xlsx#S:2: message ".*" was cut .*; copy it from the CSV file$/),
  ])
})

/** Every cell has this built-in format. */
const styledAs = (format: number): Record<string, string> => ({
  'xl/_rels/workbook.xml.rels':
    '<Relationships><Relationship Id="r0" Type="x/worksheet" Target="worksheets/sheet0.xml"/><Relationship Id="r9" Type="x/styles" Target="/xl/styles.xml"/></Relationships>',
  'xl/styles.xml': `<styleSheet><cellXfs><xf numFmtId="${format}"/></cellXfs></styleSheet>`,
})

describe('XML of other programs is read:', () => {
  test.each(rowsOf<[string, rows: string, message: string]>('xml-of-others.ndjson'))(
    '%s',
    async (_, rows, message) => {
      const xml = `<x:worksheet xmlns:x="x"><x:sheetData>${rows}</x:sheetData></x:worksheet>`
      const path = writeSet(folder, workbookOf({ S: '' }, { 'xl/worksheets/sheet0.xml': xml }), 'o.xlsx')
      expect(messagesOf(await readValid(path))).toEqual([message])
    },
  )

  test('dates that count from 1904', async () => {
    const parts = {
      ...styledAs(14),
      'xl/workbook.xml':
        '<workbook xmlns:r="r"><workbookPr date1904="1"/><sheets><sheet name="S" r:id="r0"/></sheets></workbook>',
    }
    const rows = `${textRow('message')}<row><c><v>44884</v></c></row>`
    const path = writeSet(folder, workbookOf({ S: rows }, parts), 'mac.xlsx')
    expect(messagesOf(await readValid(path))).toEqual(['2026-11-20'])
  })
})

const HEADER = textRow('message')
const STRINGS = {
  'xl/_rels/workbook.xml.rels':
    '<Relationships><Relationship Id="r0" Type="x/worksheet" Target="worksheets/sheet0.xml"/><Relationship Id="r9" Type="x/sharedStrings" Target="strings.xml"/></Relationships>',
  'xl/strings.xml': '<sst><si><t>Why?</t></si></sst>',
}
/** A cell of the second row, below a header and beside a question. */
const cell = (xml: string): string =>
  `${textRow('message', 'x')}<row r="2"><c t="inlineStr"><is><t>Why?</t></is></c>${xml}</row>`

const PARTS: Readonly<Record<string, Record<string, string>>> = {
  'shared texts': STRINGS,
  'format 14': styledAs(14),
}

test.each(
  rowsOf<[what: string, cell: string, text: string | null, fault?: string, parts?: string]>(
    'workbook-cells.ndjson',
  ),
)('%s gives its text, or a fault with its cell', async (_, xml, text, fault = '', parts = '') => {
  const path = writeSet(folder, workbookOf({ S: cell(xml) }, PARTS[parts]), 'cell.xlsx')
  if (text === null) return expect(await readFaults(path)).toEqual([expect.stringContaining(fault)])
  expect(questionsOf(await readValid(path))[0]?.cells).toEqual({ x: text })
})

test('parts have names in any case, and merges may stand in single quotes', async () => {
  const parts = {
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="r0" Type="x/worksheet" Target="Worksheets/SHEET0.xml"/></Relationships>',
    'xl/worksheets/sheet0.xml': `<worksheet><sheetData>${textRow('thread', 'message')}${textRow('a', 'One?')}${textRow('', 'Two?')}</sheetData><mergeCells><mergeCell ref='A2:A3'/></mergeCells></worksheet>`,
  }
  const set = await readValid(writeSet(folder, workbookOf({ S: '' }, parts), 'case.xlsx'))
  expect(questionsOf(set).map(({ thread }) => thread)).toEqual(['a', 'a'])
})

const damaged = (reason: string): string =>
  `odd.xlsx: the workbook is damaged (${reason}); open it in Excel or LibreOffice, and save it again`
const cellIn = (name: string): string => `<row><c r="${name}" t="str"><v>x</v></c></row>`

test.each([
  [cellIn('XFE2'), damaged('row 2 has a cell in no column')],
  [cellIn('$2'), damaged('row 2 has a cell in no column')],
  ['<row r="two"/>', damaged('a row has no number')],
])('a sheet with %.50s is rejected', async (rows, fault) => {
  expect(await readFaults(writeSet(folder, workbookOf({ S: HEADER + rows }), 'odd.xlsx'))).toContain(fault)
})

test('a part that unpacks to more than it declares is damaged', async () => {
  const book = workbookOf({ S: HEADER + '<row/>'.repeat(1000) })
  const path = writeSet(folder, declareSize(book, 'xl/worksheets/sheet0.xml', 100), 'odd.xlsx')
  expect(await readFaults(path)).toEqual([damaged('too many bytes in the stream')])
})
