// Records gathered and written in one go: what is in the file by when, and what a failure does.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { JournalRecord } from '../../src/domain/journal.ts'
import { gatherWrites } from '../../src/journal/gather-writes.ts'
import { openJournal, type JournalWriter } from '../../src/journal/write.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()

const intent = (attempt: number): JournalRecord => ({
  kind: 'intent',
  at: attempt,
  attempt,
  question: 0,
  repeat: 1,
  conversation: 1,
  conversationId: null,
})
const attemptsIn = (path: string): number[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { attempt: number }).attempt)
const turnOfTheLoop = async (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

test('what was appended is in the file, in order, once a commit has resolved', async () => {
  const path = join(folder, 'commit.ndjson')
  const journal = gatherWrites(openJournal(path, undefined))
  for (const attempt of [1, 2, 3]) journal.append(intent(attempt))
  expect(attemptsIn(path)).toEqual([])
  await journal.commit()
  expect(attemptsIn(path)).toEqual([1, 2, 3])
  journal.append(intent(4))
  await journal.close()
  expect(attemptsIn(path)).toEqual([1, 2, 3, 4])
})

test('without a commit, once the event loop has come round; many records do not pile up', async () => {
  const path = join(folder, 'round.ndjson')
  const journal = gatherWrites(openJournal(path, undefined))
  journal.append(intent(1))
  await turnOfTheLoop()
  expect(attemptsIn(path)).toEqual([1])
  for (let attempt = 2; attempt <= 601; attempt += 1) journal.append(intent(attempt))
  expect(attemptsIn(path).length).toBeGreaterThan(500)
  await journal.close()
  expect(attemptsIn(path)).toEqual(Array.from({ length: 601 }, (_, i) => i + 1))
})

test('a write that failed, even between two commits, fails every commit after it', async () => {
  const disk: JournalWriter = {
    append: () => undefined,
    appendAll: () => {
      throw new Error('full')
    },
    commit: async () => undefined,
    close: async () => undefined,
  }
  const journal = gatherWrites(disk)
  journal.append(intent(1))
  await turnOfTheLoop()
  await expect(journal.commit()).rejects.toThrow('full')
  journal.append(intent(2))
  await expect(journal.commit()).rejects.toThrow('full')
})
