// promptfoo's test cases: a column a variable, one of them the question; `__` columns say what is expected.
import { listPlaces } from '../layout.ts'
import { cellAt } from './foreign-header.ts'
import { column, type Importer, type ImportReading } from './importer.ts'
import { writeTags } from './our-cells.ts'
import { PromptfooExpectations } from './promptfoo-expectations.ts'
import { findClashes, findQuestionFaults, findTypos } from './promptfoo-faults.ts'
import { readPromptfooHeader, type PromptfooHeader } from './promptfoo-header.ts'
import type { Account, Reason } from './importer.ts'

const TITLE = 'a promptfoo set'

const MADE = [
  'message',
  'tags',
  'expect_contains',
  'expect_not_contains',
  'expect_regex',
  'max_latency_ms',
] as const

const LOST = {
  __metric: { what: '__metric', why: 'the harness names no single checks' },
  __metadata: {
    what: '__metadata without a key',
    why: 'promptfoo leaves it out, too; name it like __metadata:category',
  },
  __config: { what: '__config', why: 'promptfoo knows the threshold of __expected and __expectedN alone' },
} as const satisfies Record<string, Reason>

const THRESHOLD: Reason = {
  what: '__threshold',
  why: 'promptfoo lets a part of the checks fail; here every one must pass',
}
const CONFIG: Reason = { what: '__config threshold', why: 'only that of a latency means something here' }
const PLACEHOLDER: Reason = {
  what: 'question with {{ }}',
  why: 'promptfoo fills it from other columns; the harness sends it as it is written',
}
const FILE: Reason = {
  what: 'question that names a file://',
  why: 'no file is read; the name itself is the question',
}
const TEMPLATE: Reason = {
  what: 'row with variables beside the question',
  why: 'the prompt they belong in is in promptfooconfig.yaml, not here; the question is sent alone, they are carried along',
}

export const promptfoo: Importer = {
  name: 'promptfoo',
  recognises: (header) =>
    listPlaces(header).some(({ header: name }) =>
      /^(?:__?expected\w*|__(?:prefix|suffix|description|metric|threshold|provideroutput|metadata(?::.*)?|config:.*))$/i.test(
        name,
      ),
    ),
  read: (header): ImportReading => {
    const known = readPromptfooHeader(header, MADE)
    const faults = [...findQuestionFaults(known, TITLE), ...findClashes(known, MADE, TITLE)]
    if (faults.length > 0) return { kind: 'faulty', faults }
    const typos = findTypos(known)
    return {
      kind: 'import',
      title: TITLE,
      columns: [
        ...MADE.map(column),
        ...(known.thread === -1 ? [] : [column('thread')]),
        ...known.carried.map(({ as }) => as),
      ],
      start: ({ emit, account }) => ({
        take: ({ cells, line }) => {
          const made = translate(known, cells, line, account)
          const thread = known.thread === -1 ? [] : [cellAt(cells, known.thread)]
          emit({ line, cells: [...made, ...thread, ...known.carried.map(({ index }) => cells[index] ?? '')] })
        },
        end: () => {
          for (const typo of typos) account.changed(typo, 1)
        },
      }),
    }
  },
}

function translate(
  known: PromptfooHeader,
  cells: readonly string[],
  line: number,
  account: Account,
): string[] {
  const question = cellAt(cells, known.question)
  if (question.includes('{{')) account.changed(PLACEHOLDER, line)
  if (question.startsWith('file://')) account.changed(FILE, line)
  if (known.variables > 0) account.changed(TEMPLATE, line)
  if (/^\s*0*[.,]\d*[1-9]/.test(cells[known.threshold] ?? '')) account.changed(THRESHOLD, line)
  for (const { name, index } of known.lost) if (cellAt(cells, index) !== '') account.lost(LOST[name], line)
  const expectations = new PromptfooExpectations(account, line)
  known.expected
    .filter(({ index }) => cellAt(cells, index) !== '')
    .forEach(({ index }, place) => {
      const config = known.thresholds.get(place)
      const threshold = config === undefined ? Number.NaN : Number.parseFloat(cellAt(cells, config))
      const cell = cellAt(cells, index)
      if (!Number.isNaN(threshold) && !cell.startsWith('latency')) account.lost(CONFIG, line)
      expectations.add(cell, Number.isNaN(threshold) ? undefined : threshold)
    })
  // A fix stands around the question as it was written, white space and all.
  const [before, after] = [cells[known.prefix] ?? '', cells[known.suffix] ?? '']
  if (question !== '' && `${before}${after}`.trim() !== '') account.mapped('__prefix or __suffix')
  const message = question === '' ? '' : `${before}${question}${after}`
  return [message, writeTags(known.tags.flatMap((tag) => readTags(tag, cells))), ...expectations.cells()]
}

function readTags({ index, separator }: PromptfooHeader['tags'][number], cells: readonly string[]): string[] {
  const cell = cellAt(cells, index)
  return (separator === undefined ? [cell] : cell.split(separator))
    .map((tag) => tag.replaceAll(String.raw`\,`, ',').trim())
    .filter((tag) => tag !== '')
}
