// Protects properties of reading, over generated question sets.
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readQuestionSets } from '../../src/dataset/read.ts'
import { surveyOf } from '../../src/dataset/survey.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { messagesOf, questionsOf, readValid, writeSet } from './reading-files.ts'

const folder = temporaryFolder()

const cell = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc
    .array(fc.constantFrom('"', ',', ';', '\t', '\n', '\r\n', ' ', "'", '=', 'ü', '€', 'word'), {
      maxLength: 8,
    })
    .map((parts) => parts.join('')),
)
/** Without NUL, which is rejected, and with folded line ends. */
const text = cell.map((written) => written.replaceAll('\0', '').replaceAll(/\r\n?/g, '\n'))
const message = text.filter(
  (written) => !/^[\p{DI}\p{Z}\p{C}\u2800]*$/u.test(written) && written.isWellFormed(),
)
const own = text.filter((written) => written.isWellFormed())

test('a set written by any spreadsheet is read unchanged', async () => {
  const saving = fc.record({
    delimiter: fc.constantFrom(',', ';', '\t'),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
    encoding: fc.constantFrom('utf8', 'utf8 with mark', 'utf16le', 'utf16be'),
    quoted: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(message, own), { minLength: 1, maxLength: 8 }),
      saving,
      async (rows, save) => {
        const written = stringify([['message', 'owner'], ...rows], {
          delimiter: save.delimiter,
          quoted: save.quoted,
          // A lone CR would end a row, and leading white space would be lost: both are quoted.
          quoted_match: /^\s|\r/,
          record_delimiter: '\n',
        }).replaceAll('\n', save.lineEnd)
        const marked = save.encoding === 'utf8' ? written : `\ufeff${written}`
        const bytes = Buffer.from(marked, save.encoding.startsWith('utf16') ? 'utf16le' : 'utf8')
        const set = await readValid(
          writeSet(folder, save.encoding === 'utf16be' ? bytes.swap16() : bytes, 'same.csv'),
        )
        expect(messagesOf(set)).toEqual(rows.map(([asked]) => asked.trim()))
        expect(questionsOf(set).map(({ cells }) => cells['owner'])).toEqual(rows.map(([, owner]) => owner))
      },
    ),
    { numRuns: 400 },
  )
})

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.uint8Array({ maxLength: 100 }).map((tail) => Uint8Array.from([0xff, 0xfe, ...tail])),
  fc.uint8Array({ maxLength: 100 }).map((tail) => Buffer.concat([Buffer.from('message,turn,tags\n'), tail])),
  fc
    .array(
      fc.constantFrom('message', 'thread', 'turn', 'id', ',', ';', '"', '\n', '\r', '1', '0', '\0', ' ', 'é'),
      {
        maxLength: 60,
      },
    )
    .map((parts) => Buffer.from(parts.join(''))),
)

test('any bytes give a set or faults, and the survey agrees', async () => {
  await fc.assert(
    fc.asyncProperty(bytes, async (content) => {
      const path = writeSet(folder, content, 'any.csv')
      const reading = await readQuestionSets([path])
      if (reading.kind === 'faulty') expect(reading.faults.length).toBeGreaterThan(0)
      else {
        const questions = questionsOf(reading.set)
        expect(questions.length).toBeGreaterThan(0)
        expect(surveyOf(reading.set)).toMatchObject({
          turns: questions.length,
          threads: reading.set.threads.length,
        })
      }
    }),
    { numRuns: 500 },
  )
})
