// Rows to threads: who belongs together, in which order, under which names.
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createIdDeriver } from '../../src/dataset/threads.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { questionsOf, readSound, writeSet } from './reading-files.ts'

const folder = temporaryFolder()
const read = async (text: string, name?: string) => readSound(writeSet(folder, text, name))

const outline = async (text: string): Promise<Record<string, string[]>> =>
  Object.fromEntries(
    (await read(text)).threads.map(({ name, turns }) => [
      name,
      turns.map(({ turn, message }) => `${turn} ${message}`),
    ]),
  )

test('rows of one thread need not stand together, and go in the order of their turns', async () => {
  expect(await outline('thread,turn,message\nb,2,w\na,0,x\nb,1,y\na,1,z\n')).toEqual({
    b: ['1 y', '2 w'],
    a: ['1 x', '2 z'],
  })
})

test('without turns, the order of the rows', async () => {
  expect(await outline('thread,message,turn\na,x,\nb,y,1\na,z,\n')).toEqual({ a: ['1 x', '2 z'], b: ['1 y'] })
})

test('turns written as tables with gaps write them', async () => {
  expect(await outline('thread,turn,message\na,2.0,y\na,1.0,x\n')).toEqual({ a: ['1 x', '2 y'] })
})

test('a row without a thread is one of its own, named like its id', async () => {
  expect(await outline('id,thread,message\nq1,,x\nq2,,y\n')).toEqual({ q1: ['1 x'], q2: ['1 y'] })
})

test('a thread keeps its name though a lone question has it for its id', async () => {
  expect(await outline('id,thread,message\n1,,lone\n2,1,x\n3,1,y\n4,1 (2),z\n')).toEqual({
    '1 (3)': ['1 lone'],
    '1': ['1 x', '2 y'],
    '1 (2)': ['1 z'],
  })
})

test('threads of one name in two files are two', async () => {
  const first = writeSet(folder, 'thread,message\na,x\n', 'first.csv')
  const second = writeSet(folder, 'thread,message\na,y\n', 'second.csv')
  const set = await readSound(first, second)
  expect(set.threads.map(({ turns }) => turns.map(({ message, file }) => `${file} ${message}`))).toEqual([
    ['0 x'],
    ['1 y'],
  ])
})

test('the place in the file is the line on which the row begins', async () => {
  const set = await read('\r\nmessage\r\n"two\r\nlines"\r\n\r\n"x"\r\n')
  expect(questionsOf(set).map(({ line }) => line)).toEqual([3, 6])
})

test('a derived id is made of thread, turn, message and occurrence', async () => {
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

test('a written id comes first: the question that would derive it gets another', async () => {
  const derive = createIdDeriver([])
  const question = { thread: '', turn: undefined, message: 'x' }
  const [taken, second] = [derive(question), derive(question)]
  const set = await read(`id,message\n,x\n${taken},y\n`)
  expect(questionsOf(set).map(({ id }) => id)).toEqual([second, taken])
})

test('many equal questions are named in a time that grows with their number alone', () => {
  const derive = createIdDeriver([])
  const names = new Set<string>()
  for (let count = 0; count < 20_000; count += 1)
    names.add(derive({ thread: '', turn: undefined, message: 'x' }))
  expect(names.size).toBe(20_000)
})
