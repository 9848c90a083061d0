// What `validate --write` writes: read again it gives the same questions.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FormatChoice } from '../../src/dataset/formats.ts'
import { writeOwnForm } from '../../src/dataset/own-form.ts'
import { readQuestionSets, type QuestionSet } from '../../src/dataset/read.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { fixture } from './importers/importing.ts'
import { askedIn, questionsOf, readSound, writeSet, type Asked } from './reading-files.ts'

const folder = temporaryFolder()

interface Written {
  readonly text: string
  readonly notes: readonly string[]
  readonly set: QuestionSet
}

async function writeAgain(set: QuestionSet): Promise<Written> {
  const notes: string[] = []
  const questions = set.threads
    .flatMap(({ turns }) => turns)
    .sort((some, other) => some.file - other.file || some.line - other.line)
  const text = [...writeOwnForm({ ...set, questions }, (note) => notes.push(note))].join('')
  const path = join(folder, 'own-form.csv')
  writeFileSync(path, text)
  return { text, notes, set: await readSound(path) }
}

const read = async (paths: readonly string[], choice: FormatChoice = {}): Promise<QuestionSet> => {
  const reading = await readQuestionSets(paths, choice)
  if (reading.kind === 'sound') return reading.set
  throw new Error(reading.faults.map(({ message }) => message).join('\n'))
}

/** An empty cell and none are the same in results: what one file of several lacks is empty in the joined one. */
const filled = (asked: readonly Asked[]): Asked[] =>
  asked.map((one) => ({
    ...one,
    cells: Object.fromEntries(Object.entries(one.cells).filter(([, cell]) => cell !== '')),
  }))

const sign = fc.constantFrom('"', ',', ';', '\t', '\n', '|', '\\', "'", '=', '-', ' ', 'é', '😀', 'word')
const text = fc.array(sign, { maxLength: 6 }).map((parts) => parts.join(''))
const word = text.filter((one) => one.trim() !== '')
const OWN = [
  'Category',
  'question',
  'Expected',
  'answer',
  '=own',
  'a,b',
  '__expected',
  '_expected',
  'constructor',
  'session',
]

const row = fc.record({
  thread: fc.constantFrom('', '', 'a', 'b', ' c ', '=d'),
  message: word,
  tags: fc.constantFrom('', 'a;b', ' x ; x', '=t'),
  contains: fc
    .array(
      word.map((one) => one.replaceAll(/[\\|]/g, String.raw`\$&`)),
      { maxLength: 2 },
    )
    .map((all) => all.join('|')),
  regex: fc.constantFrom('', String.raw`^a\|b$`, 'x,"y"', '(?!\n)'),
  similar: fc.constantFrom('', '0,7', '1'),
  must: fc.constantFrom('', 'x', 'no'),
  note: text,
  own: text,
})

test('law: what is written is read again as the same questions, cell by cell', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(...OWN),
      fc.boolean(),
      async (rows, own, hasIds) => {
        const header = [
          'thread',
          'message',
          'tags',
          'expect_contains',
          'expect_regex',
          'expect_answer',
          'min_similarity',
          'must_pass',
          'note',
          own,
        ]
        // A header of promptfoo's own in a set of ours: only where all of our names stand is it ours.
        const ids = hasIds || own.startsWith('_') ? ['id', 'turn'] : []
        const lines = rows.map((one, place) => [
          one.thread,
          one.message,
          one.tags,
          one.contains,
          one.regex,
          one.own,
          one.similar,
          one.must,
          one.note,
          one.own,
          ...(ids.length > 0 ? [`id ${place}`, ''] : []),
        ])
        const csv = stringify([[...header, ...ids], ...lines], { quoted: true })
        const set = await readSound(writeSet(folder, csv, 'law-own-form.csv'))
        const again = await writeAgain(set)
        expect(askedIn(again.set)).toEqual(askedIn(set))
        expect(again.set.warnings.filter((warning) => warning.includes('read as'))).toEqual([])
      },
    ),
    { numRuns: 300 },
  )
})

test('law: promptfoo and Botium, whatever is in their cells', async () => {
  const checks = fc.oneof(
    word,
    word.map((one) => `contains:${one}`),
    word.map((one) => `contains-any:${one},b`),
    word.map((one) => `not-equals:${one}`),
    word.map((one) => `not-contains-all:a,${one}`),
  )
  const files = fc.oneof(
    fc
      .array(fc.tuple(word, checks, checks, text, text), { minLength: 1, maxLength: 4 })
      .map((rows) => [['question', '__expected1', '__expected2', '__metadata:tags[]', '_expected'], ...rows]),
    fc
      .array(fc.tuple(fc.constantFrom('a', 'b '), fc.constantFrom('me', 'bot', 'bot'), word), {
        maxLength: 6,
      })
      .map((rows) => [['conversationId', 'sender', 'text'], ['a', 'me', 'first'], ...rows]),
  )
  await fc.assert(
    fc.asyncProperty(files, async (lines) => {
      const set = await readSound(writeSet(folder, stringify(lines, { quoted: true }), 'law-imported.csv'))
      const again = await writeAgain(set)
      expect(filled(askedIn(again.set))).toEqual(filled(askedIn(set)))
    }),
    { numRuns: 300 },
  )
})

describe('a file of each format is migrated for good', () => {
  test.each([
    'promptfoo.csv',
    'copilot-test-set.csv',
    'copilot-methods.csv',
    'copilot-results.csv',
    'google-cx.csv',
    'botium.csv',
    'zendesk.tsv',
    'agentforce.csv',
    'ibm.csv',
    'infobip.csv',
    'foundry.csv',
    'deepeval.csv',
    'questions.txt',
  ])('%s', async (name) => {
    const set = await read([fixture(name)], { isHeaderless: name === 'questions.txt' })
    const again = await writeAgain(set)
    expect(filled(askedIn(again.set))).toEqual(filled(askedIn(set)))
    expect(again.set.warnings.join('\n')).not.toMatch(/read as|not known/)
    // Once more, it is the same to the byte.
    expect((await writeAgain(again.set)).text).toBe(again.text)
  })
})

test('only columns that are used, in their order, then the set’s own', async () => {
  const path = writeSet(folder, 'owner,must_pass,question,review\n Zoë ,x,"a, b",\n', 'used.csv')
  const { text: written } = await writeAgain(await readSound(path))
  const [question] = questionsOf(await readSound(path))
  expect(written).toBe(
    `thread,turn,id,message,must_pass,owner\n${question?.id},1,${question?.id},"a, b",x,"Zoë "\n`,
  )
})

test('rows keep their order, threads that run into each other and turns out of order included', async () => {
  const path = writeSet(folder, 'thread,turn,message\nb,2,y\na,1,x\nb,1,z\n', 'mixed.csv')
  const { text: written, set } = await writeAgain(await readSound(path))
  expect(written.split('\n').map((line) => line.replace(/,q-\w+/, ''))).toEqual(
    ['thread,turn,id,message', 'b,2,y', 'a,1,x', 'b,1,z', ''].map((line) => line),
  )
  expect(set.threads.map(({ name }) => name)).toEqual(['b', 'a'])
})

test('threads of one name in several files stay apart, and it is said', async () => {
  const first = writeSet(folder, 'thread,message,owner\nvpn,a,x\nvpn (2),b,x\n', 'first.csv')
  const second = writeSet(folder, 'thread,question,site\nvpn,a,y\nvpn,c,y\n', 'second.csv')
  const third = writeSet(folder, 'conversationId,sender,text\nvpn,me,a\n', 'third.csv')
  const set = await read([first, second, third])
  const again = await writeAgain(set)
  expect(again.set.threads.map(({ name, turns }) => [name, turns.map(({ message }) => message)])).toEqual([
    ['vpn', ['a']],
    ['vpn (2)', ['b']],
    ['vpn (3)', ['a', 'c']],
    ['vpn (4)', ['a']],
  ])
  expect(questionsOf(again.set).map(({ id }) => id)).toEqual(questionsOf(set).map(({ id }) => id))
  expect(again.notes).toEqual([
    'thread "vpn" stands in more than one file; one is called "vpn (3)" now',
    'thread "vpn" stands in more than one file; one is called "vpn (4)" now',
  ])
})

test('cells that a spreadsheet could run are written as they are, and said', async () => {
  const { text: written, notes } = await writeAgain(
    await readSound(writeSet(folder, 'id,message\nq1,=1+1\nq2,x\n', 'formula.csv')),
  )
  expect(written).toContain('q1,1,q1,=1+1\n')
  expect(notes).toEqual([
    '1 row has a cell that a spreadsheet could take for a formula (it begins with =, +, - or @); such cells are written as they are',
  ])
})

test('results become a set again', async () => {
  const path = fixture('../../../../reports/sample/results.csv')
  const set = await readSound(path)
  const { text: written, set: again } = await writeAgain(set)
  expect(written).not.toContain('latency_ms')
  expect(filled(askedIn(again))).toEqual(filled(askedIn(set)))
})
