// Protects the import of other tools' sets: how cells are mapped, and the account of what is mapped and lost.
// scenarios/invalid.txt covers faulty sets.
import { describe, expect, test } from 'vitest'
import type { Expectations } from '../../../src/domain/question.ts'
import { readRows } from '../../support/rows.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { csvOf, questionsOf, readValid, warningsOf, writeSet } from '../reading-files.ts'

const folder = temporaryFolder()
const readText = async (text: string) => readValid(writeSet(folder, text))
const read = async (...rows: string[][]) => readText(csvOf(rows))

describe('promptfoo', () => {
  test.each(
    readRows<[check: string, expected: Expectations]>(new URL('promptfoo-checks.ndjson', import.meta.url)),
  )('the check %s becomes an expectation', async (cell, expected) => {
    expect(questionsOf(await read(['question', '__expected'], ['x', cell]))[0]?.expect).toEqual(expected)
  })

  test('all checks of a row apply, with the shortest latency', async () => {
    const set = await read(
      ['question', '__expected1', '__expected2', '__expected3', '__expected4'],
      ['x', 'starts-with:Ja', 'not-regex:nein', 'latency(9)', 'latency(5)'],
    )
    const { regex = '', maxLatencyMs } = questionsOf(set)[0]?.expect ?? {}
    const matches = ['Ja, gern', 'Ja, nein', 'So: Ja'].map((text) => new RegExp(regex, 'iu').test(text))
    expect([...matches, maxLatencyMs]).toEqual([true, false, false, 5])
  })

  test('reads prefix, tags, conversation and other metadata; our own column names keep their meaning', async () => {
    const header =
      'id,question,__prefix,__metadata:topic,__metadata:tags[],__metadata:conversationId,__metadata:team,lang,expect_source'
    const cells = ['q1', 'How?', 'Please: ', 'a', String.raw`b\,c, d`, 't', 'net', 'en', 'KB']
    expect(questionsOf(await read(header.split(','), cells))[0]).toMatchObject({
      id: 'q1',
      thread: 't',
      message: 'Please: How?',
      tags: ['a', 'b,c', 'd'],
      expect: { source: { not: false, value: 'KB' } },
      cells: { team: 'net', lang: 'en' },
    })
  })
})

/** Files with their format, the first line of their account, and their questions. */
test.each(
  readRows<[string, format: string, account: string, questions: object[]]>(
    new URL('imports.ndjson', import.meta.url),
  ),
)('imports %s as %s', async (name, _, account, questions) => {
  const set = await readValid(`${import.meta.dirname}/fixtures/${name}`)
  expect(warningsOf(set)[0]).toBe(`${name}: read as ${account}`)
  for (const [place, expected] of questions.entries()) {
    expect(questionsOf(set)[place]).toMatchObject(expected)
    if (!('expect' in expected)) expect(questionsOf(set)[place]).not.toHaveProperty('expect')
  }
})
