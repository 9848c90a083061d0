// The reviews of a run folder over its reports: what people wrote stays, what the set says stands until then.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TurnRecord } from '../../src/domain/turn.ts'
import { readFolderReviews, writeReviews, type FolderReviews } from '../../src/library/reviews.ts'
import { runFolder, type RunFolder } from '../../src/library/run-folder.ts'
import { renderResultsCsv } from '../../src/report/results-csv.ts'
import { makeQuestion } from '../support/questions.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { makeReply, makeTurn } from '../support/turns.ts'

const root = temporaryFolder()
const newFolder = (): RunFolder => runFolder(mkdtempSync(join(root, 'run-')))

const free = makeQuestion('a', 'a', 1, { review: 'see law', note: 'from the set' })
const worded = makeQuestion('b', 'b', 1, { review: 'good' })
const turns = [
  makeTurn({ question: free, result: makeReply('X', 'It costs 5 euros.') }),
  makeTurn({ question: worded, result: makeReply('X', 'It costs 5 euros.') }),
  makeTurn({ question: worded, repeat: 2, result: makeReply('X', 'For 5 euros it costs.') }),
  makeTurn({ question: makeQuestion('c', 'c', 1), outcome: 'timeout', result: undefined }),
]
const questions = turns.map(({ question }) => question)
type Cells = readonly [review: string, note: string]

/** What `report` does with reviews; returns the cells it writes. */
async function report(folder: RunFolder): Promise<Cells[]> {
  const reviews = await readFolderReviews(folder, questions, [])
  write(folder, (turn) => reviews.cellsOf(turn))
  if (reviews.log !== undefined) writeReviews(folder, reviews.log)
  return cellsOf(reviews)
}

const cellsOf = (reviews: FolderReviews): Cells[] =>
  turns.map((turn) => {
    const { review, note } = reviews.cellsOf(turn)
    return [review, note]
  })

function write(folder: RunFolder, cells: (turn: TurnRecord) => { review: string; note: string }): void {
  const graded = turns.map((turn) => ({ turn, grade: { kind: 'none' } as const }))
  writeFileSync(folder.results, [...renderResultsCsv(graded, [], [], { excel: undefined }, cells)].join(''))
}

/** As an editor does: only cells with content are written over. */
function edit(folder: RunFolder, before: readonly Cells[], edits: readonly Cells[]): void {
  const cells = new Map(
    turns.map((turn, at) => {
      const [review = '', note = ''] = before[at] ?? []
      const [newReview = '', newNote = ''] = edits[at] ?? []
      return [turn, { review: newReview || review, note: newNote || note }]
    }),
  )
  write(folder, (turn) => cells.get(turn) ?? { review: '', note: '' })
}

test('nothing that a person wrote is lost, however often reports are written between', async () => {
  const cell = fc.tuple(
    fc.constantFrom('', 'good', 'acceptable', 'poor'),
    fc.constantFrom('', 'n', '=1+1', "'quoted", 'two\nlines', '- "x"; y'),
  )
  const round = fc.tuple(cell, cell, fc.constant<Cells>(['', '']), cell)
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 3 }), fc.nat(2), async (rounds, reports) => {
      const folder = newFolder()
      let shown = await report(folder)
      for (const edits of rounds) {
        edit(folder, shown, edits)
        for (let count = 0; count <= reports; count += 1) {
          shown = await report(folder)
          for (const [at, [review, note]] of edits.entries()) {
            // Of a turn without an answer a word stands, too: somebody wrote it.
            if (review !== '') expect(shown[at]?.[0]).toBe(review)
            if (note !== '') expect(shown[at]?.[1]).toBe(note)
          }
        }
      }
    }),
    { numRuns: 40 },
  )
})
