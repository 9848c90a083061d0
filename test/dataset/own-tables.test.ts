// Tables of ours that are no question sets: told from those that are, and asked all the same by who says so.
import { expect, test } from 'vitest'
import { readQuestionSets } from '../../src/dataset/read.ts'
import { COMPARISON_COLUMNS } from '../../src/domain/comparison/comparison-columns.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { messagesOf, readSound, writeSet } from './reading-files.ts'

const folder = temporaryFolder()

test("a comparison's table is asked where it is said to be a set of our own form", async () => {
  const path = writeSet(folder, `${COMPARISON_COLUMNS.join(',')}\nq1,q1,1,How?${','.repeat(23)}\n`)
  const reading = await readQuestionSets([path], { format: 'native' })
  expect(reading.kind === 'sound' && messagesOf(reading.set)).toEqual(['How?'])
})

test('a set that has some columns of those tables is one', async () => {
  const columns = ['id', 'thread', 'turn', 'message', 'presence', 'change', 'similarity', 'tags', 'review']
  const path = writeSet(folder, `${columns.join(',')}\nq1,q1,1,How?,,,,,\n`)
  expect(messagesOf(await readSound(path))).toEqual(['How?'])
})
