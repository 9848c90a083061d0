// Protects the reading of any bytes as a question set.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readQuestionSets } from '../../src/dataset/read.ts'
import { surveyOf } from '../../src/dataset/survey.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { questionsOf, writeSet } from './reading-files.ts'

const folder = temporaryFolder()

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.uint8Array({ maxLength: 100 }).map((tail) => Uint8Array.from([0xff, 0xfe, ...tail])),
  fc.uint8Array({ maxLength: 100 }).map((tail) => Buffer.concat([Buffer.from('message,turn,tags\n'), tail])),
  fc
    .array(
      fc.constantFrom('message', 'thread', 'turn', 'id', ',', ';', '"', '\n', '\r', '1', '0', '\0', ' ', 'é'),
      {
        maxLength: 60,
      },
    )
    .map((parts) => Buffer.from(parts.join(''))),
)

test('any bytes give a set or faults, and the survey agrees', async () => {
  await fc.assert(
    fc.asyncProperty(bytes, async (content) => {
      const path = writeSet(folder, content, 'any.csv')
      const reading = await readQuestionSets([path])
      if (reading.kind === 'faulty') expect(reading.faults.length).toBeGreaterThan(0)
      else {
        const questions = questionsOf(reading.set)
        expect(questions.length).toBeGreaterThan(0)
        expect(surveyOf(reading.set)).toMatchObject({
          turns: questions.length,
          threads: reading.set.threads.length,
        })
      }
    }),
    { numRuns: 500 },
  )
})
