// The real sets beside the project, where they are there.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { surveyQuestionSets } from '../../src/dataset/survey.ts'
import { questionsOf, readSound } from './reading-files.ts'

const locate = (name: string): string =>
  fileURLToPath(new URL(`../../../shared/data/${name}`, import.meta.url))
const conversations = locate('trec-cast-2019.csv')
const questions = locate('banking77-test.csv')

function isMissing(path: string): boolean {
  const missing = !existsSync(path)
  if (missing) console.log(`skipped: ${path} is not there`)
  return missing
}

test.skipIf(isMissing(conversations))('TREC CAsT 2019: 50 threads, 479 turns', async () => {
  const set = await readSound(conversations)
  expect(set.warnings).toEqual([])
  expect(set.threads.length).toBe(50)
  expect(set.threads[0]?.name).toBe('cast-31')
  expect(set.threads[0]?.turns[3]).toMatchObject({
    turn: 4,
    message: 'What are its symptoms?',
    tags: ['head and neck cancer'],
  })
  expect(questionsOf(set).map(({ line }) => line)).toEqual(
    Array.from({ length: 479 }, (_, index) => index + 2),
  )
})

test.skipIf(isMissing(questions))('BANKING77: 3,080 questions of 77 intents', async () => {
  const set = await readSound(questions)
  expect(set.warnings).toEqual([])
  expect(set.threads.length).toBe(3080)
  expect(new Set(questionsOf(set).map(({ id }) => id)).size).toBe(3080)
  const surveying = await surveyQuestionSets([questions])
  expect(surveying.kind === 'sound' && Object.keys(surveying.survey.tags).length).toBe(77)
})
