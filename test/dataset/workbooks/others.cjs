// Makes the workbooks `exceljs-*.xlsx` and `sheetjs-*.xlsx`: `npm install exceljs@4.4.0 xlsx@0.18.5` elsewhere,
// then `NODE_PATH=<there>/node_modules node others.cjs`. LibreOffice saved `libreoffice-sheets.xlsx` from
// exceljs-sheets.xlsx, Gnumeric (`ssconvert`) `gnumeric-1904.xlsx` from exceljs-1904.xlsx.
const ExcelJS = require('exceljs')
const XLSX = require('xlsx')

async function withExceljs() {
  const mac = new ExcelJS.Workbook()
  mac.properties.date1904 = true
  const sheet = mac.addWorksheet('Fragen')
  sheet.addRow(['message', 'wait', 'due', 'at'])
  const at = new Date(Date.UTC(2026, 10, 20, 9, 5))
  const row = sheet.addRow(['How long?', 1.5, new Date(Date.UTC(2026, 10, 20)), at])
  for (const [cell, format] of [
    [2, '[h]:mm'],
    [3, 'dd.mm.yyyy'],
    [4, 'hh:mm'],
  ])
    row.getCell(cell).numFmt = format
  await mac.xlsx.writeFile('exceljs-1904.xlsx')

  const formulas = new ExcelJS.Workbook()
  const odd = formulas.addWorksheet('S')
  odd.addRow(['message', 'expect_contains', 'n'])
  odd.addRow(['One?', { formula: 'A2' }, 1])
  odd.addRow(['Two?', { formula: 'CONCATENATE("a","b")', result: 'ab' }, NaN])
  odd.addRow(['Three?', { formula: '""', result: '' }, Infinity])
  await formulas.xlsx.writeFile('exceljs-formulas.xlsx')

  const several = new ExcelJS.Workbook()
  const notes = several.addWorksheet('Read me')
  notes.addRows([['How to fill in this workbook'], ['Column', 'Meaning'], ['message', 'the question to ask']])
  notes.addRows([
    ['tags', 'one word'],
    ['expected answer', 'optional'],
  ])
  const hr = several.addWorksheet('HR')
  hr.addRows([['Question', 'Tags'], ['How many days?', 'leave'], ['And then?']])
  hr.mergeCells('B2:B3')
  several.addWorksheet('IT desk').addRows([
    ['Question', 'Tags'],
    ['Where is the VPN?', 'vpn'],
  ])
  const old = several.addWorksheet('Old', { state: 'hidden' })
  old.addRows([['message'], ['Old?']])
  const yellow = { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FFFFFF00' } }
  for (let line = 1; line <= 20; line += 1) hr.getCell(line, 16384).fill = yellow
  await several.xlsx.writeFile('exceljs-sheets.xlsx')
}

function withSheetJs() {
  const dates = XLSX.utils.aoa_to_sheet(
    [
      ['message', 'due', 'n'],
      ['How?', new Date(Date.UTC(2026, 10, 20, 9, 5)), 1],
    ],
    { cellDates: true, UTC: true },
  )
  dates.B2.z = 'yyyy-mm-dd hh:mm'
  const book = { SheetNames: ['Dates'], Sheets: { Dates: dates } }
  XLSX.writeFile(book, 'sheetjs-dates.xlsx', { cellDates: true, compression: true })

  const odd = XLSX.utils.aoa_to_sheet([['message', 'expect_contains', 'wait'], ['One?'], ['Two?']])
  Object.assign(odd, { B2: { t: 's', f: 'A2' }, B3: { t: 'n', f: '1+1' } })
  Object.assign(odd, { C2: { t: 'n', v: 0.0625, z: '[h]:mm' }, C3: { t: 'n', v: NaN } })
  const Workbook = { WBProps: { date1904: true } }
  const formulas = { SheetNames: ['S'], Sheets: { S: odd }, Workbook }
  XLSX.writeFile(formulas, 'sheetjs-formulas.xlsx', { bookSST: true, compression: true })
}

withSheetJs()
void withExceljs()
