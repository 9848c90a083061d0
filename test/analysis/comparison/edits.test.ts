// Protects what a comparison says of edited articles: an old fact is one that the baseline's answer gave, and which edits reached none.
import { expect, test } from 'vitest'
import { findEdits } from '../../../src/analysis/comparing/edits.ts'
import { rowOf, sideOf } from '../../../src/analysis/comparing/rows.ts'
import { makeArticle } from '../../articles/make-article.ts'
import { makeReply, makeTurn } from '../../support/recorded.ts'

const SOURCES = ['KNOWLEDGE_BASE']

test.each([
  ['the old value', 'after 15 minutes', 'after 15 minutes', ['15 minutes']],
  ['a new value that ends like the old one', 'after 15 minutes', 'after 5 minutes', []],
])('an answer with %s', (_, before, now, stale) => {
  const sentence = (value: string): string => `A locked account opens by itself again ${value}.`
  const sideWith = (value: string) =>
    sideOf([makeTurn({ result: makeReply('KNOWLEDGE_BASE', sentence(value)) })], SOURCES)
  const article = makeArticle('locked.md', 'Locked account', sentence('after 30 minutes'))
  const { id, title, digest } = article
  const recorded = (text: string) => [{ article: id, title, digest: text, questions: [] }]
  const row = rowOf(sideWith(before), sideWith(now), false, undefined)
  const edits = findEdits([row], { before: recorded('old'), now: recorded(digest) }, [article], SOURCES)
  expect(edits.stale.map(({ fact }) => fact)).toEqual(stale)
})

test('an edit that changed no answer is told from one that only a new question reached', () => {
  const side = sideOf(
    [makeTurn({ result: makeReply('KNOWLEDGE_BASE', 'It opens after 30 minutes.') })],
    SOURCES,
  )
  const article = makeArticle('locked.md', 'Locked account', 'It opens after 30 minutes.')
  const recorded = (digest: string) => [{ article: article.id, title: article.title, digest }]
  const versions = { before: recorded('old'), now: recorded(article.digest) }
  const answers = [rowOf(side, side, false, undefined), rowOf(undefined, side, false, undefined)].map(
    (row) => findEdits([row], versions, [article], SOURCES).edited[0]?.answers,
  )
  expect(answers).toEqual([0, null])
})
