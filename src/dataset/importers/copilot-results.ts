// Copilot Studio's export of results: its questions again; the answers of then are carried along, as a baseline.
import { columnKey } from '../columns.ts'
import type { Reason } from './importer.ts'
import { COPILOT_COLUMNS, writeTested } from './copilot-methods.ts'
import { cellAt, ForeignHeader } from './foreign-header.ts'
import { column, ordinary, type Importer } from './importer.ts'

const TITLE = 'an export of Copilot Studio results'
const NEEDED = ['question', 'expectedResponse', 'actualResponse']

/** The question's own cell in which the answer of the export stands. */
export const BASELINE_ANSWER = 'actualResponse'

/** Blocks of four columns, `_1`, `_2` and on. */
const isNumbered = (header: string): boolean =>
  /^(?:testmethodtype|result|passingscore|explanation)\d+$/.test(columnKey(header))
const METHOD = /^testmethodtype\d+$/
const RESULT = /^result\d+$/
const SCORE = /^passingscore\d+$/
const EXPLANATION = /^explanation\d+$/

const VERDICTS: Reason = {
  what: 'verdict',
  why: 'it was passed on the answer of then; the harness passes its own',
}
const SCORES: Reason = {
  what: 'passing score',
  why: 'it is on the scale of a model or of vectors; a reference answer passes from 0.5 on here',
}
const EXPLANATIONS: Reason = { what: 'explanation', why: 'it belongs to the verdict of then' }

export const copilotResults: Importer = {
  name: 'copilot-results',
  recognises: (header) =>
    new ForeignHeader(header).isWhole(NEEDED, [...header.filter(isNumbered), 'conversationId']) &&
    header.some((name) => METHOD.test(columnKey(name))),
  read: (header) => {
    const known = new ForeignHeader(header)
    const faults = known.findFaults(TITLE, ['question', BASELINE_ANSWER], COPILOT_COLUMNS)
    if (faults.length > 0) return { kind: 'faulty', faults }
    const [question, expected, answer] = NEEDED.map((name) => known.find(name)) as [number, number, number]
    const placesOf = (pattern: RegExp): number[] =>
      header.flatMap((name, index) => (pattern.test(columnKey(name)) ? [index] : []))
    const methods = placesOf(METHOD)
    const lost = [
      [placesOf(RESULT), VERDICTS],
      [placesOf(SCORE), SCORES],
      [placesOf(EXPLANATION), EXPLANATIONS],
    ] as const
    const others = known.others(
      [question, expected, answer, ...methods, ...lost.flatMap(([places]) => places)],
      COPILOT_COLUMNS,
    )
    return {
      kind: 'import',
      title: TITLE,
      columns: [
        ...COPILOT_COLUMNS.map(column),
        ordinary(BASELINE_ANSWER),
        ...others.map(({ column: other }) => other),
      ],
      start: ({ emit, account }) => ({
        take: ({ cells, line }) => {
          for (const [places, reason] of lost)
            for (const index of places) if (cellAt(cells, index) !== '') account.lost(reason, line)
          if (cellAt(cells, answer) !== '') account.mapped('answer kept in the column actualResponse')
          const tested = {
            question: cellAt(cells, question),
            expected: cellAt(cells, expected),
            keywords: '',
            methods: methods.map((index) => cellAt(cells, index)).filter((name) => name !== ''),
          }
          emit({
            line,
            cells: [
              ...writeTested(tested, account, line),
              cells[answer] ?? '',
              ...others.map(({ index }) => cells[index] ?? ''),
            ],
          })
        },
        end: () => undefined,
      }),
    }
  },
}
