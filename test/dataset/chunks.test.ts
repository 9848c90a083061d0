// Files are read in pieces: where a piece ends must not matter, within a character, a CRLF or a quoted cell.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createDecoder, type Encoding } from '../../src/dataset/encoding.ts'
import { PlainText } from '../../src/dataset/plain-text.ts'
import { readRecords, type CsvRecord } from '../../src/dataset/records.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { messagesOf, questionsOf, readSound, writeSet } from './reading-files.ts'

const folder = temporaryFolder()

/** As much as one reading of a file gives. */
const PIECE = 262_144

describe('a piece of the file ends', () => {
  const encode: Record<string, (text: string) => Buffer> = {
    'UTF-8': (text) => Buffer.from(text),
    'UTF-16 LE': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
    'UTF-16 BE': (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  }
  const middle = 'id-1,"a 😀 b ""c""\r\nd ü €",x\r\nid-2,plain,y\r\n'
  for (const [encoding, write] of Object.entries(encode))
    test(`anywhere in a record, ${encoding}`, async () => {
      for (let shift = 0; shift <= write(middle).length; shift += 1) {
        const before = PIECE - shift - write('id,message,owner\r\n,"",\r\n').length
        const filler = 'f'.repeat(Math.floor(before / (write('a').length - write('').length)))
        // Cells over 256 KB are refused: the filler stands in two.
        const half = Math.floor(filler.length / 2)
        const text = `id,message,owner\r\n,"${filler.slice(0, half)}",${filler.slice(half)}\r\n${middle}`
        const set = await readSound(writeSet(folder, write(text)))
        expect(messagesOf(set).slice(1)).toEqual(['a 😀 b "c"\nd ü €', 'plain'])
        expect(questionsOf(set).map(({ line }) => line)).toEqual([2, 3, 5])
      }
    })
})

async function readPieces(bytes: Buffer, cuts: readonly number[], encoding: Encoding): Promise<CsvRecord[]> {
  const decoder = createDecoder(encoding)
  const plain = new PlainText()
  const texts = async function* (): AsyncGenerator<string> {
    const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
    for (const [index, end] of places.entries())
      yield plain.write(decoder.write(bytes.subarray(places[index - 1] ?? 0, end)))
    yield plain.write(decoder.end())
    yield plain.end()
  }
  const records: CsvRecord[] = []
  await readRecords(texts(), ',', (record) => records.push(record))
  return records
}

const pieces = fc.array(
  fc.constantFrom('"', '""', ',', '\r', '\n', '\r\n', ' ', '\u00a0', 'a', 'é', '€', '😀'),
  {
    maxLength: 40,
  },
)

test('law: the records are the same, however the bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      pieces.map((parts) => parts.join('')),
      fc.array(fc.nat(), { maxLength: 8 }),
      fc.constantFrom<Encoding>('utf-8', 'utf-16le'),
      async (text, cuts, encoding) => {
        const bytes = Buffer.from(text, encoding === 'utf-8' ? 'utf8' : 'utf16le')
        expect(await readPieces(bytes, cuts, encoding)).toEqual(await readPieces(bytes, [], encoding))
      },
    ),
    { numRuns: 500 },
  )
})

test('law: a record begins on the line after those of the records before', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.array(fc.constantFrom('a', 'two\nlines', 'three\r\n\rlines', ''), { minLength: 2, maxLength: 3 }),
      ),
      fc.constantFrom('\n', '\r\n', '\r'),
      async (rows, lineEnd) => {
        const lines = rows.map((cells) => cells.map((cell) => `"${cell}"`).join(','))
        const records = await readPieces(
          Buffer.from(lines.map((line) => line + lineEnd).join('')),
          [],
          'utf-8',
        )
        let line = 1
        for (const [index, text] of lines.entries()) {
          expect(records[index]?.line).toBe(line)
          line += (text.match(/\r\n?|\n/g) ?? []).length + 1
        }
      },
    ),
  )
})
