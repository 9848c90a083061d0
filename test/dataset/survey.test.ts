// What `validate` says of valid sets.
import { expect, test } from 'vitest'
import { surveyQuestionSets } from '../../src/dataset/survey.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { writeSet } from './reading-files.ts'

const folder = temporaryFolder()

test('counts threads, turns, tags and expectations over all files', async () => {
  const first = writeSet(
    folder,
    'thread,message,tags,expect_source,expect_answer,min_similarity,must_pass\n' +
      'a,x,vpn;wifi,KNOWLEDGE_BASE,,0.5,x\na,y,vpn,,text,0.5,no\na,z,,,,,\n,lone,__proto__,!NONE,text,,yes\n',
    'first.csv',
  )
  const second = writeSet(folder, 'question;max_latency_ms\nx;2000\n', 'second.csv')
  const digest = expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string
  expect(await surveyQuestionSets([first, second])).toEqual({
    kind: 'valid',
    survey: {
      files: [
        { path: first, digest, encoding: 'utf-8', delimiter: ',', rows: 4 },
        { path: second, digest, encoding: 'utf-8', delimiter: ';', rows: 1 },
      ],
      threads: 3,
      turns: 5,
      longestThread: 3,
      tags: Object.fromEntries([
        ['vpn', 2],
        ['wifi', 1],
        ['__proto__', 1],
      ]),
      expectations: { expect_source: 2, expect_answer: 2, max_latency_ms: 1 },
      mustPass: 2,
      warnings: [],
    },
  })
})
