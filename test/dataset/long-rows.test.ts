// A `results.csv` that is asked again, with answers longer than anything a set holds.
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary.ts'
import { askedIn, readFaults, readSound, writeSet } from './reading-files.ts'
import { answered, results } from './results-tables.ts'

const folder = temporaryFolder()

describe('answers of any length', () => {
  const asked = { ...answered, id: 'q1', thread: 'q1', turn: '1', message: 'How?' }
  const next = { ...answered, id: 'q2', thread: 'q2', turn: '1', message: 'Why?' }
  const KILOBYTE = 1024

  test.each([
    ['over what a cell of a set may hold', 300 * KILOBYTE],
    ['over what a row of a set may', 8192 * KILOBYTE],
  ])('are dropped with the others: %s', async (_, bytes) => {
    const answer = 'Say "x",\n'.repeat(bytes / 8)
    const set = await readSound(writeSet(folder, results([{ ...asked, answer }, next])))
    expect(askedIn(set).map(({ message, cells }) => [message, cells])).toEqual([
      ['How?', {}],
      ['Why?', {}],
    ])
  })

  test('are no leave for the questions and the set’s own columns', async () => {
    const long = 'x'.repeat(300 * KILOBYTE)
    const rows = [
      { ...asked, answer: long, message: long, own: [''] },
      { ...next, answer: long, own: [long] },
    ]
    expect(await readFaults(folder, writeSet(folder, results(rows, ['Owner'])))).toEqual([
      'set.csv:2: cell 5 holds over 256 KB; shorten it, or look for a quote that was never closed',
      'set.csv:3: cell 25 holds over 256 KB; shorten it, or look for a quote that was never closed',
    ])
  })

  test('do not hide a quote that is never closed', async () => {
    const open = `${results([asked])}\nq2,q2,1,1,"Why?,An answer\n`
    expect(await readFaults(folder, writeSet(folder, `${open}${'of a line\n'.repeat(500_000)}`))).toEqual([
      'set.csv:3: a quote opens a cell here and is never closed, so no row after it was read; close it, or write "" for a quote inside a quoted cell',
    ])
  })
})
