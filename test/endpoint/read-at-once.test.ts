// Chunks that skip the stream's buffer: the same bytes in the same order, whoever reads, pauses or comes late.
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readAtOnce } from '../../src/endpoint/read-at-once.ts'

/** A stream that is pushed to from outside, as a socket is. */
function openStream(): Readable {
  const stream = new Readable({ read: () => undefined })
  readAtOnce(stream)
  return stream
}

/** Reads as undici does: until there is nothing more, or it is to pause. */
function readAll(stream: Readable, take: (chunk: Buffer) => void, isPaused = (): boolean => false): void {
  while (!isPaused()) {
    const chunk = stream.read() as Buffer | null
    if (chunk === null) return
    take(chunk)
  }
}

describe('a chunk', () => {
  test('is read before the call that brought it returns', () => {
    const stream = openStream()
    const seen: string[] = []
    stream.on('readable', () => readAll(stream, (chunk) => seen.push(chunk.toString())))
    expect(stream.push(Buffer.from('one'))).toBe(true)
    expect(seen).toEqual(['one'])
    expect(stream.readableLength).toBe(0)
  })

  test('that nobody reads is kept for whoever comes later', async () => {
    const stream = openStream()
    stream.push(Buffer.from('one'))
    stream.push(Buffer.from('two'))
    expect(stream.readableLength).toBe(6)
    const seen: string[] = []
    stream.on('readable', () => readAll(stream, (chunk) => seen.push(chunk.toString())))
    await setImmediate()
    expect(seen.join('')).toBe('onetwo')
  })

  test('may be read in parts', () => {
    const stream = openStream()
    const seen: unknown[] = []
    stream.on('readable', () => seen.push(String(stream.read(2)), String(stream.read(1))))
    stream.push(Buffer.from('one'))
    expect(seen).toEqual(['on', 'e'])
  })

  test('of a socket that is broken is not told', () => {
    const stream = openStream()
    let told = 0
    stream.on('readable', () => (told += 1))
    stream.on('error', () => undefined)
    stream.destroy(new Error('broken'))
    stream.push(Buffer.from('one'))
    expect(told).toBe(0)
  })

  test('whose reader throws is told once, and what follows is read', () => {
    const stream = openStream()
    const seen: string[] = []
    stream.on('readable', () =>
      readAll(stream, (chunk) => {
        seen.push(chunk.toString())
        if (seen.length === 1) throw new Error('no')
      }),
    )
    expect(() => stream.push(Buffer.from('one'))).toThrow('no')
    stream.push(Buffer.from('two'))
    expect(seen).toEqual(['one', 'two'])
  })
})

test('all bytes come in order, and then the end, however the reader pauses', async () => {
  const step = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 9 }).map((bytes) => ({ kind: 'push', bytes }) as const),
    fc.constant({ kind: 'pause' } as const),
    fc.constant({ kind: 'goOn' } as const),
    fc.constant({ kind: 'turn' } as const),
    fc.constant({ kind: 'unshift' } as const),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const stream = openStream()
      const [sent, seen]: [number[], number[]] = [[], []]
      let [isPaused, putsBack] = [false, false]
      const read = (): void =>
        readAll(
          stream,
          (chunk) => {
            // As undici does where an answer stops in the middle of a chunk.
            const taken = putsBack && chunk.length > 1 ? chunk.subarray(0, 1) : chunk
            isPaused ||= putsBack
            putsBack = false
            if (taken !== chunk) stream.unshift(chunk.subarray(1))
            seen.push(...taken)
          },
          () => isPaused,
        )
      stream.on('readable', read)
      const ended = new Promise<void>((resolve) => {
        stream.on('end', resolve)
      })
      for (const one of steps)
        if (one.kind === 'push') {
          sent.push(...one.bytes)
          stream.push(Buffer.from(one.bytes))
        } else if (one.kind === 'pause') isPaused = true
        else if (one.kind === 'unshift') putsBack = true
        else if (one.kind === 'turn') await setImmediate()
        else {
          isPaused = false
          read()
        }
      isPaused = putsBack = false
      read()
      stream.push(null)
      read()
      await ended
      expect(seen).toEqual(sent)
    }),
  )
})
