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
    content: bytes([0x50, 0x4b, 3, 4, 0x14, 0], 'xl/workbook.xml'),
    faults: [
      'set.csv:1: a NUL byte: the file is no plain text, or UTF-16 without its byte order mark; save it as "CSV UTF-8"',
    ],
  },
  {
    name: 'pdf',
    content: '%PDF-1.7\n',
    faults: ['set.csv:1: this is not a question set: column message is missing (found: "%PDF-1.7")'],
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
