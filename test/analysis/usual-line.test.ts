// Protects the usual line between the causes of gaps: it is the one that the shipped question sets give.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { crossValidate, lineOf, SURE, SURER, trialsOf, USUAL_LINE } from '../../src/analysis/gaps/causes.ts'
import { ArticleIndex } from '../../src/articles/index.ts'
import { readArticles } from '../../src/articles/read.ts'
import { projectRoot } from '../support/program.ts'

/** Finite where the features separate the questions. */
const WEAK = { strength: 0.1 }

test('it is drawn from the shipped sets, but not from quickstart.csv, and measured on them', async () => {
  const { articles } = await readArticles(join(projectRoot, 'datasets/knowledge-base'))
  const index = new ArticleIndex(articles)
  const ids = new Map(articles.map(({ id }) => [id.replace(/\.md$/, ''), id]))
  const trials = ['regression.csv', 'follow-ups.csv'].flatMap((set) => {
    const rows: Record<string, string>[] = parse(readFileSync(join(projectRoot, 'datasets', set)), {
      columns: true,
      bom: true,
    })
    const openings = new Map<string, string>()
    return rows.flatMap(({ thread = '', message = '', article = '' }) => {
      const opening = openings.get(thread)
      if (opening === undefined && thread !== '') openings.set(thread, message)
      const id = ids.get(article)
      return id === undefined ? [] : trialsOf(index, { question: message, opening, article: id })
    })
  })
  const line = lineOf(trials, WEAK)
  const rounded = (value: number): number => Math.round(100 * value) / 100
  expect({
    model: { intercept: rounded(line.intercept), coefficients: line.coefficients.map(rounded) },
    measured: crossValidate(trials, WEAK, SURE),
    measuredSurer: crossValidate(trials, WEAK, SURER),
  }).toEqual(USUAL_LINE)
})
