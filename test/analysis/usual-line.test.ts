// Protects the usual lines between the causes of gaps: they are those that the shipped question sets give, by
// terms alone and with the vectors of a sentence model (which lie outside of the project: without, that is
// skipped).
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import {
  crossValidate,
  lineOf,
  SURE,
  SURER,
  trialsOf,
  USUAL_LINES,
} from '../../src/analysis/articles/causes.ts'
import { ArticleIndex } from '../../src/articles/index.ts'
import { readArticles } from '../../src/articles/read.ts'
import type { Vectors } from '../../src/articles/vectors.ts'
import { projectRoot } from '../support/program.ts'
import { readVectors, VECTORS, withTitles } from '../support/vectors.ts'

/** Finite where the features separate the questions. */
const WEAK = { strength: 0.1 }

async function drawLine(vectors?: Vectors) {
  const { articles } = await readArticles(join(projectRoot, 'datasets/knowledge-base'))
  const index = new ArticleIndex(articles, { vectors: vectors && withTitles(vectors, articles) })
  const known = new Set(articles.map(({ id }) => id))
  const trials = ['regression.csv', 'follow-ups.csv'].flatMap((set) => {
    const rows: Record<string, string>[] = parse(readFileSync(join(projectRoot, 'datasets', set)), {
      columns: true,
      bom: true,
    })
    const openings = new Map<string, string>()
    return rows.flatMap(({ thread = '', message = '', article = '' }) => {
      const opening = openings.get(thread)
      if (opening === undefined && thread !== '') openings.set(thread, message)
      return known.has(article) ? trialsOf(index, { question: message, opening, article }) : []
    })
  })
  const { intercept, coefficients } = lineOf(trials, WEAK)
  const rounded = (value: number): number => Math.round(100 * value) / 100
  return {
    model: { intercept: rounded(intercept), coefficients: coefficients.map(rounded) },
    measured: crossValidate(trials, WEAK, SURE),
    measuredSurer: crossValidate(trials, WEAK, SURER),
  }
}

test('it is drawn from the shipped sets, but not from quickstart.csv, and measured on them', async () => {
  expect(await drawLine()).toEqual(USUAL_LINES.terms)
})

test.skipIf(!existsSync(VECTORS))(`with vectors, too (skipped without ${VECTORS})`, async () => {
  expect(await drawLine(readVectors())).toEqual(USUAL_LINES.vectors)
})
