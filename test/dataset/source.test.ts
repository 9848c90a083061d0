// Files that change while they are read: what was learnt of them first would no longer be true.
import { appendFileSync, utimesSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openSource } from '../../src/dataset/source.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { writeSet } from './reading-files.ts'

const folder = temporaryFolder()

async function isChangedBy(change: (path: string) => void): Promise<boolean> {
  const path = writeSet(folder, 'message\nhello\n')
  const opening = await openSource(path)
  if (opening.kind === 'refused') throw new Error(opening.message)
  try {
    change(path)
    return await opening.source.isChanged()
  } finally {
    await opening.source.close()
  }
}

test('a file that is left alone', async () => {
  expect(await isChangedBy(() => undefined)).toBe(false)
})

test('a file that grows', async () => {
  expect(await isChangedBy((path) => appendFileSync(path, 'bye\n'))).toBe(true)
})

test('a file of the same size that was written again', async () => {
  expect(await isChangedBy((path) => utimesSync(path, 0, 12_345))).toBe(true)
})

test('can be read twice, and from any byte on', async () => {
  const opening = await openSource(writeSet(folder, 'message\nhello\n'))
  if (opening.kind === 'refused') throw new Error(opening.message)
  const { source } = opening
  const read = async (start?: number): Promise<string> => {
    const parts: string[] = []
    for await (const chunk of source.chunks(start)) parts.push(chunk.toString())
    return parts.join('')
  }
  expect([await read(), await read(), await read(8)]).toEqual([
    'message\nhello\n',
    'message\nhello\n',
    'hello\n',
  ])
  await source.close()
})
