// Copilot Studio's test set: a question, the response that is expected, and in older ones the method it is compared by.
import { COPILOT_COLUMNS, writeTested } from './copilot-methods.ts'
import { cellAt, ForeignHeader } from './foreign-header.ts'
import { column, type Importer } from './importer.ts'

const TITLE = 'a Copilot Studio test set'
const METHOD = ['Testing method', 'Test method']

export const copilotTestSet: Importer = {
  name: 'copilot-test-set',
  recognises: (header) =>
    new ForeignHeader(header).isWhole(['question', 'expectedResponse'], [...METHOD, 'Keywords']),
  read: (header) => {
    const known = new ForeignHeader(header)
    const faults = known.findFaults(TITLE, ['question'], COPILOT_COLUMNS)
    if (faults.length > 0) return { kind: 'faulty', faults }
    const [question, expected, keywords, method] = [
      known.find('question'),
      known.find('expectedResponse'),
      known.find('Keywords'),
      known.find(...METHOD),
    ] as const
    const others = known.others([question, expected, keywords, method], COPILOT_COLUMNS)
    return {
      kind: 'import',
      title: TITLE,
      columns: [...COPILOT_COLUMNS.map(column), ...others.map(({ column: other }) => other)],
      start: ({ emit, account }) => ({
        take: ({ cells, line }) => {
          const tested = {
            question: cellAt(cells, question),
            expected: cellAt(cells, expected),
            keywords: cellAt(cells, keywords),
            methods: [cellAt(cells, method)].filter((name) => name !== ''),
          }
          emit({
            line,
            cells: [...writeTested(tested, account, line), ...others.map(({ index }) => cells[index] ?? '')],
          })
        },
        end: () => undefined,
      }),
    }
  },
}
