// A set that does not fit into memory is the same set: rows that went to the disk make the same threads.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test, vi } from 'vitest'
import { openQuestionSets, readQuestionSets, type OpenSet } from '../../src/dataset/read.ts'

const folder = mkdtempSync(join(tmpdir(), 'assist-harness-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function open(paths: readonly string[], mostHeld: number): Promise<OpenSet> {
  const opening = await openQuestionSets(paths, {}, { mostHeld })
  if (opening.kind === 'faulty') throw new Error(opening.faults[0]?.message)
  return opening.set
}

const name = fc.constantFrom('', '', 'a', 'b', 'c', 'q-1')
const row = fc.record({
  thread: name,
  message: fc.constantFrom('x', 'y', 'How, "so"?'),
  tags: fc.constantFrom('', 't;u'),
})

test('law: threads are the same whether their rows are held or not, whole and turn by turn', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(row, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 2 }),
      fc.nat(4),
      async (files, mostHeld) => {
        const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`
        const paths = files.map((rows, number) => {
          const path = join(folder, `${number}.csv`)
          const lines = rows.map(({ thread, message, tags }) => [thread, message, tags].map(quote).join(','))
          writeFileSync(path, `thread,message,tags\n${lines.join('\n')}\n`)
          return path
        })
        const held = await readQuestionSets(paths)
        const set = await open(paths, mostHeld)
        if (held.kind === 'faulty') throw new Error('faulty')
        expect([...set.threads]).toEqual(held.set.threads)
        for (const [number, thread] of held.set.threads.entries()) {
          for (const [place, question] of thread.turns.entries())
            expect(set.threads.turnAt(number, place)).toEqual(question)
          expect(set.threads.turnAt(number, thread.turns.length)).toBeUndefined()
        }
        const some = ({ name: one }: { readonly name: string }, number: number): boolean =>
          one !== 'a' && number % 3 !== 1
        const chosen = set.threads.filter(some).filter((_, number) => number !== 1)
        const expected = held.set.threads.filter(some).filter((_, number) => number !== 1)
        expect([...chosen]).toEqual(expected)
        expect(chosen.turnAt(1, 0)).toEqual(expected[1]?.turns[0])
        set.close()
      },
    ),
    { numRuns: 60 },
  )
})

test('what is to be hidden is hidden before a row is kept', async () => {
  const path = join(folder, 'refs.csv')
  writeFileSync(path, 'message,end_user_ref\nx,user-1\ny,\n')
  const opening = await openQuestionSets(
    [path],
    {},
    {
      mostHeld: 0,
      hide: (draft) => ({ ...draft, endUserRef: 'hidden', cells: {} }),
    },
  )
  if (opening.kind === 'faulty') throw new Error('faulty')
  expect(JSON.stringify([...opening.set.threads])).not.toContain('user-1')
  opening.set.close()
})

test('a set that is held whole takes no way round over the temporary folder', async () => {
  const path = join(folder, 'whole.csv')
  writeFileSync(
    path,
    `message\n${Array.from({ length: 11_000 }, (_, number) => `Question ${number}?`).join('\n')}\n`,
  )
  vi.stubEnv('TMPDIR', join(folder, 'gone'))
  try {
    const reading = await readQuestionSets([path])
    expect(reading).toMatchObject({ kind: 'sound', set: { threads: { length: 11_000 } } })
  } finally {
    vi.unstubAllEnvs()
  }
})
