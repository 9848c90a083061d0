// Rows that cannot be read: quotes, cells too many or too large: each with exactly what is said of it.
import { testBrokenSets } from './broken-sets.ts'

testBrokenSets('records', [
  {
    name: 'nameless column',
    content: 'message,,tags\nhello,1,x\nbye,2,y\n',
    faults: [
      'set.csv:2: cell 2 ("1") stands under no column name; name the column in the header, or empty its cells',
    ],
  },
  {
    name: 'index column of a data frame',
    content: ',message\n0,hello\n1,bye\n',
    faults: [
      'set.csv:2: cell 1 ("0") stands under no column name; name the column in the header, or empty its cells',
    ],
  },
  {
    name: 'too many cells',
    content: 'message,tags\nhello, you,x\n',
    faults: [
      'set.csv:2: the row has 3 cells where the header names 2 (the last is "x"); put quotes around a cell that holds the separator, or name the column',
    ],
  },
  {
    name: 'unclosed quote at the end',
    content: 'message,tags\nfine,x\n"not closed,y\nlost,z\n',
    faults: [
      'set.csv:3: a quote opens a cell here and is never closed, so no row after it was read; close it, or write "" for a quote inside a quoted cell',
    ],
  },
  {
    name: 'unclosed quote in a later cell',
    content: 'message,tags,note\n"two\nlines",x,"not closed\nlost,y,z\n',
    faults: [
      'set.csv:3: a quote opens a cell here and is never closed, so no row after it was read; close it, or write "" for a quote inside a quoted cell',
    ],
  },
  {
    name: 'unclosed in header',
    content: '"message,tags\nhello,x\n',
    faults: [
      'set.csv:1: a quote opens a cell here and is never closed, so no row after it was read; close it, or write "" for a quote inside a quoted cell',
    ],
  },
  {
    name: 'unclosed, closed by the next',
    content: 'message,tags\n"not closed,x\n"closed, here",y\n',
    faults: [
      'set.csv:2: cell 1 goes on after its closing quote; write "" for a quote inside a quoted cell, and look for one that was never closed',
    ],
  },
  {
    name: 'quotes not doubled',
    content: 'message,tags\n"She said "no, thanks" to me",x\n',
    faults: [
      'set.csv:2: cell 1 goes on after its closing quote; write "" for a quote inside a quoted cell, and look for one that was never closed',
    ],
  },
  {
    name: 'text after quote',
    content: 'message,tags\n"quoted" not,x\n',
    faults: [
      'set.csv:2: cell 1 goes on after its closing quote; write "" for a quote inside a quoted cell, and look for one that was never closed',
    ],
  },
  {
    name: 'header text after quote',
    content: '"message" x,tags\nhello,x\n',
    faults: [
      'set.csv:1: header 1 goes on after its closing quote; write "" for a quote inside a quoted cell',
    ],
  },
  {
    name: '300 KB cell',
    content: `message,tags\n${'x'.repeat(300 * 1024)},y\n`,
    faults: [
      'set.csv:2: the cell under "message" holds 300 KB, and 256 KB is the most; shorten it, or look for a quote that was never closed',
    ],
  },
  {
    name: '300 KB nameless',
    content: `message\nok,${'x'.repeat(300 * 1024)}\n`,
    faults: [
      'set.csv:2: the cell under "message" holds 301 KB, and 256 KB is the most; shorten it, or look for a quote that was never closed',
    ],
  },
  {
    name: '300 KB multi-byte',
    content: `message,tags\n${'ü'.repeat(150 * 1024)},y\n`,
    faults: [
      'set.csv:2: the cell under "message" holds 300 KB, and 256 KB is the most; shorten it, or look for a quote that was never closed',
    ],
  },
  {
    name: 'endless quote',
    content: `message,tags\nfine,x\n"${'line of text\n'.repeat(400_000)}`,
    faults: [
      'set.csv:3: a quote opens a cell here and is never closed, so no row after it was read; close it, or write "" for a quote inside a quoted cell',
    ],
  },
])
