// Protects the reading of any spreadsheet's CSV: one set gives the same questions in every encoding,
// separator and line end.
import { createHash } from 'node:crypto'
import { stringify } from 'csv-stringify/sync'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary.ts'
import { questionsOf, readFaults, readValid, writeSet } from './reading-files.ts'

const folder = temporaryFolder()

/** A set with commas, semicolons, quotes, line ends, and letters that exist in Windows-1252. */
const table = [
  ['id', 'thread', 'turn', 'message', 'tags', 'expect_answer', 'Owner'],
  [
    'q1',
    'vpn',
    '1',
    'How do I reach the VPN, from “abroad”?',
    'vpn;travel',
    'Über den Client – or the app',
    'Zoë',
  ],
  ['q2', 'vpn', '2', 'And then?\nIt says:\n"no route; retry"', 'vpn', '', ''],
  ['q3', '', '', '   Was kostet das in €?  ', 'money;Währung', 'Nichts…', 'a;b,c'],
  ['', '', '', 'Tab here: "quoted"', '', '', 'x'],
]

const csv = (delimiter: string, lineEnd = '\n'): string =>
  stringify(table, { delimiter, record_delimiter: '\n' }).replaceAll('\n', lineEnd)
/** The characters of the table that Latin-1 does not have. */
const WINDOWS_1252 = { '€': 0x80, '…': 0x85, '“': 0x93, '”': 0x94, '–': 0x96 } as const
const encodeWindows1252 = (text: string): Buffer =>
  Buffer.from(
    text.replaceAll(/[€…“”–]/g, (sign) =>
      String.fromCodePoint(WINDOWS_1252[sign as keyof typeof WINDOWS_1252]),
    ),
    'latin1',
  )
const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()

const savedFiles: Record<string, string | Buffer> = {
  'UTF-8': csv(','),
  'UTF-8 with byte order mark': `\ufeff${csv(',')}`,
  'UTF-8 with semicolons': csv(';'),
  'UTF-8 with tabs': csv('\t'),
  'UTF-8, CRLF in cells, too': csv(',', '\r\n'),
  'UTF-8, CR': csv(',', '\r'),
  'UTF-8 without the last line end': csv(',').trimEnd(),
  'UTF-8, every cell quoted': stringify(table, { quoted: true, record_delimiter: '\r\n' }),
  'UTF-8 with empty rows and columns': csv(',').replaceAll('\n', '\n').replace('\n', ',,\n,,,,,,,,\n\n'),
  'UTF-16 LE, tabs': Buffer.from(`\ufeff${csv('\t', '\r\n')}`, 'utf16le'),
  'UTF-16 LE, commas': Buffer.from(`\ufeff${csv(',')}`, 'utf16le'),
  'UTF-16 BE, tabs': bigEndian(`\ufeff${csv('\t', '\r\n')}`),
  'Windows-1252 with semicolons': encodeWindows1252(csv(';', '\r\n')),
  'Windows-1252 with commas': encodeWindows1252(csv(',')),
}

/** The derived id of the question without one: from thread, turn, message and occurrence. */
const derived = `q-${createHash('sha256').update('["","","Tab here: \\"quoted\\"",1]').digest('hex').slice(0, 16)}`

const expected = table.slice(1).map(([id, thread, turn, message = '', ...others]) => {
  const name = id === '' ? derived : id
  return [name, thread === '' ? name : thread, Number(turn === '' ? 1 : turn), message.trim(), ...others]
})

test.each(Object.entries(savedFiles))('the set is the same saved as %s', async (name, content) => {
  const set = await readValid(writeSet(folder, content))
  const read = questionsOf(set).map(({ id, thread, turn, message, tags, cells }) => {
    return [id, thread, turn, message, tags.join(';'), cells['expect_answer'], cells['Owner']]
  })
  expect(read).toEqual(expected)
  expect(set.columns).toEqual(['expect_answer', 'Owner'])
  const encoding = name.startsWith('Windows')
    ? 'windows-1252'
    : name.startsWith('UTF-16')
      ? `utf-16${name.slice(7, 9).toLowerCase()}`
      : 'utf-8'
  expect(set.files[0]?.encoding).toBe(encoding)
  expect(set.warnings.length).toBe(encoding === 'windows-1252' ? 1 : 0)
})

test('a file that is not UTF-8 gives a warning', async () => {
  const path = writeSet(folder, encodeWindows1252('message\r\nplain\r\n"two\r\nlines"\r\ncafé\r\n'))
  expect((await readValid(path)).warnings).toEqual([
    `${path}: the file is not UTF-8 and is read as Windows-1252; if letters look wrong, save it as "CSV UTF-8"`,
  ])
})

describe('a few bytes that are not UTF-8', () => {
  const bad = Buffer.from([0x63, 0xe9, 0x0a])
  // More than a megabyte, read in several pieces.
  const filler = `${'filler '.repeat(100)}\n`.repeat(2000)
  const damage =
    'this line is not UTF-8, but the rest of the file is; correct its damaged letters, and save the file as "CSV UTF-8"'

  test.each([
    ['late in a long file', Buffer.concat([Buffer.from(`message\ncafé\n${filler}`), bad]), [2003]],
    ['after a byte order mark', Buffer.concat([Buffer.from('\ufeffmessage\n'), bad, bad]), [2, 3]],
    ['before the only other letter', Buffer.concat([Buffer.from('message\r\n'), bad, Buffer.from('ü')]), [2]],
    ['a cut last character', Buffer.from('message\nüber\ncafé').subarray(0, -1), [3]],
  ])('are faults with their lines: %s', async (_, content, lines) => {
    expect(await readFaults(writeSet(folder, content))).toEqual(
      lines.map((line) => `set.csv:${line}: ${damage}`),
    )
  })

  test('make the file Windows-1252 where they are most of its letters', async () => {
    const content = Buffer.concat([
      Buffer.from('message\n'),
      bad,
      bad,
      Buffer.from('Spa\xdf\x93\n', 'latin1'),
    ])
    expect((await readValid(writeSet(folder, content))).threads[0]?.turns[0].message).toBe('cé')
  })
})

const long = 'long, '.repeat(20_000)
test.each([
  ['a header with commas in quotes', '"question";"tags, or topic";owner\n"a, b";c;d\n', ';', 'a, b'],
  ['more commas than semicolons', 'message;owner\na, b, c, d;e\nf, g, h;i\n', ';', 'a, b, c, d'],
  ['more semicolons than commas', 'message,tags\nwhy?,a;b;c;d\n', ',', 'why?'],
  ['tabs, with commas everywhere', 'id\tmessage\n1\ta, b; c\n', '\t', 'a, b; c'],
  ['one column with commas', 'question\nwell, what now?\n', '', 'well, what now?'],
  ['one column, quoted', '"message"\n"a; b, c"\n', '', 'a; b, c'],
  ['a first row over the sample', `message;owner\n"${long}";x\n`, ';', long.trim()],
  ['a stray quote', 'message;owner\n5" screen;x\n', ';', '5" screen'],
  ['a quote after a space', 'message, owner\n "a, b", x\n', ',', 'a, b'],
])('finds the separator of %s', async (_name, text, delimiter, message) => {
  const set = await readValid(writeSet(folder, text))
  expect(set.files[0]?.delimiter).toBe(delimiter)
  expect(questionsOf(set)[0]?.message).toBe(message)
})
