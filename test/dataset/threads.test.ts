// Protects the grouping of rows into threads: their order, names, derived ids and shards.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createIdDeriver, shardOf } from '../../src/dataset/threads.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { questionsOf, readValid, rowsOf, writeSet } from './reading-files.ts'

const folder = temporaryFolder()
const read = async (text: string, name?: string) => readValid(writeSet(folder, text, name))

test.each(rowsOf<[string, string, Record<string, string[]>]>('threads.ndjson'))(
  '%s',
  async (_, text, outline) => {
    const { threads } = await read(text)
    expect(
      Object.fromEntries(
        threads.map(({ turns }) => [turns[0].thread, turns.map(({ turn, message }) => `${turn} ${message}`)]),
      ),
    ).toEqual(outline)
  },
)

test('threads with one name in two files are two threads', async () => {
  const first = writeSet(folder, 'thread,message\na,x\n', 'first.csv')
  const second = writeSet(folder, 'thread,message\na,y\n', 'second.csv')
  const { threads } = await readValid([first, second])
  const places = threads.map(({ turns }) => turns.map(({ message, file }) => `${file} ${message}`))
  expect(places).toEqual([['0 x'], ['1 y']])
})

test('the line of a question is the first line of its row', async () => {
  const set = await read('\r\nmessage\r\n"two\r\nlines"\r\n\r\n"x"\r\n')
  expect(questionsOf(set).map(({ line }) => line)).toEqual([3, 6])
})

describe('a derived id', () => {
  test('is a hash of thread, turn, message and occurrence', async () => {
    const hash = (...parts: (string | number)[]): string =>
      `q-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)}`
    const set = await read('id,thread,turn,message\n,a,1,x\n,,,x\n,,,x\nmine,,,x\n')
    expect(questionsOf(set).map(({ id }) => id)).toEqual([
      hash('a', 1, 'x', 1),
      hash('', '', 'x', 1),
      hash('', '', 'x', 2),
      'mine',
    ])
  })

  test('is another one if the set has the same id', async () => {
    const derive = createIdDeriver([])
    const question = { thread: '', turn: undefined, message: 'x' }
    const [taken, second] = [derive(question), derive(question)]
    const set = await read(`id,message\n,x\n${taken},y\n`)
    expect(questionsOf(set).map(({ id }) => id)).toEqual([second, taken])
  })
})

test('the shard of a thread depends on its id alone', () => {
  // The first four bytes of SHA-256, little-endian: shards must be the same in every version.
  const expected = (id: string, of: number): number =>
    (Buffer.from(createHash('sha256').update(id).digest('hex').slice(0, 8), 'hex').readUInt32LE() % of) + 1
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.integer({ min: 1, max: 40 }), (id, of) => {
      expect(shardOf(id, of)).toBe(expected(id, of))
    }),
  )
})
