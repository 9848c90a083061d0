// When written is safe: group commit, and the room kept back for a full disk.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createGroupCommit } from '../../src/journal/group-commit.ts'
import { openJournal } from '../../src/journal/write.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** Syncs that end when the test says so. */
function makeDisk() {
  const ends: ((error?: Error) => void)[] = []
  const sync = async (): Promise<void> =>
    new Promise((resolve, reject) => {
      ends.push((error) => (error === undefined ? resolve() : reject(error)))
    })
  return { ends, sync }
}
const settled = async (promise: Promise<void>): Promise<boolean> => {
  const pending = Symbol('pending')
  const first = await Promise.race([
    promise.then(() => true),
    new Promise((resolve) => {
      setImmediate(resolve, pending)
    }),
  ])
  return first !== pending
}

describe('group commit', () => {
  test('does not let a sync that began before count, and shares the next one', async () => {
    const { ends, sync } = makeDisk()
    const group = createGroupCommit(sync)
    const first = group.commit()
    const late = [group.commit(), group.commit(), group.commit()]
    expect(ends).toHaveLength(1)
    ends[0]?.()
    await first
    expect(await settled(late[0] ?? first)).toBe(false)
    expect(ends).toHaveLength(2)
    ends[1]?.()
    await Promise.all(late)
    expect(ends).toHaveLength(2)
  })

  test('tells each of them of a failure, and tries again for the next', async () => {
    const { ends, sync } = makeDisk()
    const group = createGroupCommit(sync)
    const first = group.commit()
    const second = group.commit()
    ends[0]?.(new Error('EIO'))
    await expect(first).rejects.toThrow('EIO')
    await settled(second)
    ends[1]?.()
    await expect(second).resolves.toBeUndefined()
  })
})

describe('a journal', () => {
  const folder = temporaryFolder()

  test('keeps room back while it is open, and gives it back', async () => {
    const path = join(folder, 'a.ndjson')
    const writer = openJournal(path, undefined)
    expect(readFileSync(`${path}.reserve`)).toHaveLength(2 ** 20)
    await writer.close()
    expect(existsSync(`${path}.reserve`)).toBe(false)
  })

  test.each(['process', 'power'] as const)('commits what was appended (%s)', async (durability) => {
    const path = join(folder, `${durability}.ndjson`)
    const writer = openJournal(path, undefined, durability)
    const record = { kind: 'sitting', at: 1, sitting: 1, harnessVersion: '1' } as const
    const commits = Array.from({ length: 50 }, async () => {
      writer.append(record)
      await writer.commit()
    })
    await Promise.all(commits)
    await writer.close()
    expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(50)
  })
})
