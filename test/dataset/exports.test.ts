// Protects what a set of other tools, of chats and of spreadsheets is read as, and what is said of it: columns, tags,
// JSON, who speaks, headers that stand elsewhere, broken and invisible letters, and advice.
import { expect, test } from 'vitest'
import { formatFault } from '../../src/dataset/messages.ts'
import { readQuestionSets } from '../../src/dataset/read.ts'
import { readRows } from '../support/rows.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { questionsOf, writeSet } from './reading-files.ts'

const folder = temporaryFolder()

test.each(
  readRows<[what: string, text: string, column: string[], questions: string[], said: string[]]>(
    new URL('exports.ndjson', import.meta.url),
  ),
)('%s: %j', async (_, text, column, questions, said) => {
  const reading = await readQuestionSets([writeSet(folder, text, 'export.csv')], { column })
  const set = reading.kind === 'valid' ? questionsOf(reading.set) : []
  const shown = set.map(({ message, tags, cells }) =>
    [message, tags.join(';'), ...Object.entries(cells).map((pair) => pair.join('='))].join('|'),
  )
  expect(shown).toEqual(questions)
  const messages = reading.kind === 'valid' ? reading.set.warnings : reading.faults.map(formatFault)
  expect(messages).toEqual(said.map((part) => expect.stringContaining(part)))
})
