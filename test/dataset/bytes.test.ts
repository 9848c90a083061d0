// Bytes to text: proven against the standard's tables and Node's own decoder.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Utf8Check } from '../../src/dataset/utf8.ts'
import { decodeWindows1252 } from '../../src/dataset/windows-1252.ts'
import { anySign } from '../support/any-sign.ts'
import { HIGH_CODE_POINTS } from './windows-1252-bytes.ts'

test('Windows-1252 by the WHATWG table', () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
  const points = Array.from(decodeWindows1252(bytes), (character) => character.codePointAt(0))
  expect(points).toEqual(Array.from(bytes, (byte) => HIGH_CODE_POINTS[byte - 0x80] ?? byte))
})

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

function check(bytes: Uint8Array, cut: number): Utf8Check {
  const checking = new Utf8Check()
  checking.write(bytes.subarray(0, cut))
  checking.write(bytes.subarray(cut))
  checking.end()
  return checking
}

const nearUtf8 = fc.oneof(
  fc.uint8Array({ maxLength: 12 }),
  fc
    .array(fc.constantFrom(0x41, 0x80, 0xbf, 0xc2, 0xe0, 0xa0, 0xed, 0x9f, 0xf0, 0x90, 0xf4, 0x8f), {
      maxLength: 8,
    })
    .map((bytes) => Uint8Array.from(bytes)),
  fc.string({ unit: anySign, maxLength: 8 }).map((text) => Buffer.from(text)),
)

test('law: a file is UTF-8 where the decoder says so, however it is cut', () => {
  fc.assert(
    fc.property(nearUtf8, fc.nat({ max: 12 }), (bytes, cut) => {
      expect(check(bytes, cut).brokenLine === undefined).toBe(isUtf8(bytes))
    }),
    { numRuns: 3000 },
  )
})

test.each([
  ['a\nb\n\xe9', 3],
  ['a\r\nb\r\n\xe9', 3],
  ['a\rb\r\xe9', 3],
  ['\xe9', 1],
  ['a\n\xc3', 2],
  ['é\n\xc3\xa9\n\xe9\xe9', 1],
])('the line of the first byte that is not UTF-8: %j', (text, line) => {
  expect(check(Buffer.from(text, 'latin1'), 3).brokenLine).toBe(line)
})
