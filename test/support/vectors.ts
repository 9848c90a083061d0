// Vectors of a real sentence model (all-MiniLM-L6-v2) for the questions, titles and headings of the shipped sets
// and of StackFAQ. They lie outside of the project, beside it or in ASSIST_DATA.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Article } from '../../src/articles/article.ts'
import { unit, type Vectors } from '../../src/articles/vectors.ts'
import { projectRoot } from './program.ts'

export const VECTORS = join(
  process.env['ASSIST_DATA'] ?? join(projectRoot, '../shared/data'),
  'minilm-vectors.jsonl',
)

export function readVectors(path = VECTORS): Vectors {
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  return new Map(
    lines.map((line): [string, Float32Array] => {
      const { text, int8 } = JSON.parse(line) as { text: string; int8: string }
      return [text, unit(Float32Array.from(new Int8Array(Buffer.from(int8, 'base64'))))]
    }),
  )
}

/**
 * Of the shipped articles the file has the headings alone. `Title. Heading` is taken as the heading, a title as
 * the mean of its headings.
 */
export function withTitles(vectors: Vectors, articles: readonly Article[]): Vectors {
  const all = new Map(vectors)
  for (const { title, sections } of articles) {
    const found = sections.flatMap(({ heading }) => {
      const vector = vectors.get(heading)
      if (vector !== undefined) all.set(`${title}. ${heading}`, vector)
      return vector ?? []
    })
    const mean = found.reduce(
      (sum, vector) => sum.map((value, index) => value + (vector[index] ?? 0)),
      new Float32Array(384),
    )
    if (!all.has(title)) all.set(title, unit(mean))
  }
  return all
}
