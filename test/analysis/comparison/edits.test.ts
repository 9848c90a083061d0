// Protects what a comparison says of edited articles: an old fact is one that the baseline's answer gave, and which edits reached none.
import { expect, test } from 'vitest'
import { findEdits } from '../../../src/analysis/comparing/edits.ts'
import { rowOf, sideOf } from '../../../src/analysis/comparing/rows.ts'
import type { Row } from '../../../src/domain/changes.ts'
import { makeArticle } from '../../articles/make-article.ts'
import { makeReply, makeTurn } from '../../support/recorded.ts'

const SOURCES = ['KNOWLEDGE_BASE']
const sideOfAnswer = (answer: string) =>
  sideOf([makeTurn({ result: makeReply('KNOWLEDGE_BASE', answer) })], SOURCES)
const opensAfter = (value: string): string => `A locked account opens by itself again after ${value}.`
const article = makeArticle('locked.md', 'Locked account', opensAfter('30 minutes'))
const recorded = (digest: string) => [{ article: article.id, title: article.title, digest, questions: [] }]
const editsOf = (row: Row) =>
  findEdits([row], { before: recorded('old'), now: recorded(article.digest) }, [article], SOURCES)

test.each([
  ['the old value', '15 minutes', '15 minutes', ['15 minutes']],
  ['a new value that ends like the old one', '15 minutes', '5 minutes', []],
])('an answer with %s', (_, before, now, stale) => {
  const [baseline, candidate] = [before, now].map((value) => sideOfAnswer(opensAfter(value)))
  const { stale: found } = editsOf(rowOf(baseline, candidate, false, undefined))
  expect(found.map(({ fact }) => fact)).toEqual(stale)
})

test('an edit that changed no answer is told from one that only a new question reached', () => {
  const side = sideOfAnswer(opensAfter('30 minutes'))
  const rows = [rowOf(side, side, false, undefined), rowOf(undefined, side, false, undefined)]
  expect(rows.map((row) => editsOf(row).edited[0]?.answers)).toEqual([0, null])
})
