// What sockets read stands where it was put, however many read after it.
import { describe, expect, test } from 'vitest'
import { readIntoOne } from '../../src/endpoint/read-into-one.ts'

describe('one piece of memory for all sockets', () => {
  test('what was read stays as it was while others read, short or long', () => {
    const { onread } = readIntoOne()
    const kept: { readonly chunk: Buffer; readonly byte: number; readonly length: number }[] = []
    // More than one pool of short ones, and long ones between them.
    for (let read = 0; read < 300; read += 1) {
      const [byte, length] = [read % 251, read % 7 === 0 ? 5000 + read : 1 + ((read * 37) % 4096)]
      onread.buffer.fill(byte, 0, length)
      const push = (chunk: Buffer | null): boolean => {
        if (chunk !== null) kept.push({ chunk, byte, length })
        return true
      }
      expect(onread.callback.call({ push }, length, onread.buffer)).toBe(true)
    }
    expect(kept.length).toBe(300)
    for (const { chunk, byte, length } of kept)
      expect(chunk.equals(Buffer.alloc(length, byte)), `${length} bytes of ${byte}`).toBe(true)
  })

  test('a reader that wants no more says so', () => {
    const { onread } = readIntoOne()
    expect(onread.callback.call({ push: () => false }, 10, onread.buffer)).toBe(false)
  })
})
