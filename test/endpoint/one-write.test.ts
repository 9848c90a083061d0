// Whatever is written while a socket is corked arrives byte by byte as it was, in pieces of any kind and length.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeAsOne } from '../../src/endpoint/one-write.ts'

async function arrived(write: (socket: Socket) => void): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    const accepted = once(server, 'connection') as Promise<[Socket]>
    await once(socket, 'connect')
    const [peer] = await accepted
    const chunks: Buffer[] = []
    peer.on('data', (chunk: Buffer) => chunks.push(chunk))
    writeAsOne(socket)
    write(socket)
    socket.end()
    await once(peer, 'end')
    peer.destroy()
    return Buffer.concat(chunks)
  } finally {
    server.close()
  }
}

const length = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 16_000, max: 70_000 }))
const piece = fc.record({
  kind: fc.constantFrom('latin1' as const, 'utf8' as const, 'bytes' as const),
  length,
  from: fc.nat(0xff),
})

test('corked pieces arrive as they were', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 4 }), async (pieces) => {
      const made = pieces.map(({ kind, length: letters, from }) => {
        const codes = Array.from({ length: letters }, (_, place) => (from + place) & 0xff)
        const text = String.fromCharCode(...codes)
        return kind === 'bytes' ? Buffer.from(codes) : { text, encoding: kind }
      })
      const bytes = await arrived((socket) => {
        socket.cork()
        for (const one of made) {
          if (Buffer.isBuffer(one)) socket.write(one)
          else socket.write(one.text, one.encoding)
        }
        socket.uncork()
      })
      const expected = made.map((one) => (Buffer.isBuffer(one) ? one : Buffer.from(one.text, one.encoding)))
      expect(bytes.equals(Buffer.concat(expected))).toBe(true)
    }),
    { numRuns: 40 },
  )
})

test('head and body of a request are one write', async () => {
  /* oxlint-disable no-underscore-dangle -- Node's streams name so what they write through. */
  const writes: unknown[] = []
  await arrived((socket) => {
    const write = socket._write.bind(socket)
    socket._write = (chunk: unknown, encoding, done) => {
      writes.push(chunk)
      write(chunk, encoding, done)
    }
    socket.cork()
    socket.write('POST / HTTP/1.1\r\n\r\n', 'latin1')
    socket.write(Buffer.from('é'))
    socket.uncork()
  })
  expect(writes).toEqual(['POST / HTTP/1.1\r\n\r\nÃ©'])
})
