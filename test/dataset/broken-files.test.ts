// Files that are no question set, or none that can be read: each with exactly what is said of it.
import { bytes, testBrokenSets, utf16 } from './broken-sets.ts'

testBrokenSets('files', [
  {
    name: 'empty file',
    content: '',
    faults: ['set.csv: the file is empty; it needs a header row and a question'],
  },
  {
    name: 'byte order mark alone',
    content: bytes([0xef, 0xbb, 0xbf]),
    faults: ['set.csv: the file is empty; it needs a header row and a question'],
  },
  {
    name: 'UTF-16 mark alone',
    content: bytes([0xff, 0xfe]),
    faults: ['set.csv: the file is empty; it needs a header row and a question'],
  },
  {
    name: 'empty lines alone',
    content: '\n\n,,\n',
    faults: ['set.csv: the file holds only empty rows; it needs a header row and a question'],
  },
  {
    name: 'header only',
    content: 'message,tags\n',
    faults: ['set.csv:1: a header, but no question; add a row under it'],
  },
  {
    name: 'header and empty rows',
    content: 'message,tags\r\n,\r\n\r\n',
    faults: ['set.csv:1: a header, but no question; add a row under it'],
  },
  {
    name: 'Excel workbook',
    content: bytes([0x50, 0x4b, 3, 4], 'xl/workbook.xml'),
    faults: [
      'set.csv: this is a workbook (Excel or OpenDocument) or another ZIP file, not CSV; save the workbook as "CSV UTF-8"',
    ],
  },
  {
    name: 'old Excel',
    content: bytes([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]),
    faults: ['set.csv: this is an old Excel workbook (.xls), not CSV; save it as "CSV UTF-8"'],
  },
  {
    name: 'pdf',
    content: '%PDF-1.7\n',
    faults: ['set.csv: this is a PDF, not CSV; export its table as "CSV UTF-8"'],
  },
  {
    name: 'gzip',
    content: bytes([0x1f, 0x8b, 8, 0]),
    faults: ['set.csv: the file is compressed (gzip); unpack it first'],
  },
  {
    name: 'UTF-32',
    content: bytes([0xff, 0xfe, 0, 0, 0x6d, 0, 0, 0]),
    faults: ['set.csv: the file is UTF-32, which is not read; save it as "CSV UTF-8"'],
  },
  {
    name: 'NUL in a cell',
    content: 'message\nfirst\nsec\0ond\n',
    faults: [
      'set.csv:3: a NUL byte: the file is no plain text, or UTF-16 without its byte order mark; save it as "CSV UTF-8"',
    ],
  },
  {
    name: 'UTF-16 without mark',
    content: Buffer.from('message\nhello\n', 'utf16le'),
    faults: [
      'set.csv:1: a NUL byte: the file is no plain text, or UTF-16 without its byte order mark; save it as "CSV UTF-8"',
    ],
  },
  {
    name: 'UTF-16 cut',
    content: bytes([...utf16('message\nhello')], [0x41]),
    faults: ['set.csv: the file is broken UTF-16; save it again, as "CSV UTF-8"'],
  },
  {
    name: 'UTF-16 lone surrogate',
    content: utf16('message\nhi \ud800 there\n'),
    faults: ['set.csv: the file is broken UTF-16; save it again, as "CSV UTF-8"'],
  },
])
