// promptfoo test cases: each column is a variable, one of which is the question; `__` columns hold expectations.
import { columnKey, COLUMNS, findColumn } from '../columns.ts'
import type { CellReader, Format } from './format.ts'
import { readCheck } from './promptfoo-checks.ts'

/** promptfoo's own columns, which are not variables. */
const SPECIAL =
  /^__(?:expected\w*|prefix|suffix|description|metric|threshold|provideroutput|metadata(?::.*)?|config:.*)$/i
const TYPO = /^_(?!_)(?:expected|prefix|suffix|description|metric|threshold|metadata|config)/i

/** Tags separated by commas; `\,` is a comma. */
const readTags: CellReader = (cell, out) =>
  cell.split(/(?<!\\),/).forEach((tag) => out.add('tags', tag.replaceAll(String.raw`\,`, ',')))

const readQuestion: CellReader = (cell, out, { raw }) => {
  out.add('message', `${raw('__prefix')}${cell}${raw('__suffix')}`)
  if (cell.includes('{{')) out.changed('question with {{ }}', 'sent as written')
}

/** The question column: one with a usual name, else the only variable, else one with an alias of `message`. */
function findQuestion(headers: readonly string[]): string | undefined {
  const plain = headers.filter((name) => !SPECIAL.test(name) && !TYPO.test(name))
  const named = (names: readonly string[]): string | undefined =>
    names.map((name) => plain.find((header) => columnKey(header) === name)).find((one) => one !== undefined)
  const variables = plain.filter((name) => findColumn(name)?.isOwn !== true)
  const only = variables.length === 1 ? variables[0] : undefined
  return named(['message', 'question', 'prompt', 'query']) ?? only ?? named(COLUMNS.message)
}

export const promptfoo: Format = {
  name: 'promptfoo',
  title: 'a promptfoo set',
  recognises: (_, headers) => headers.some((name) => SPECIAL.test(name) || TYPO.test(name)),
  columns: (headers) => [
    [findQuestion(headers) ?? '', readQuestion],
    [/^__expected\w*$/i, readCheck],
    [/^__metadata:tags\[\]$/i, readTags],
    [new RegExp(`^__metadata:(?:tags|${COLUMNS.tags.join('|')})$`, 'i'), 'tags'],
    [/^__metadata:conversation[ _]?id$/i, 'thread'],
    [/^__(?:prefix|suffix)$/i, 'read elsewhere'],
    [/^__metric$/i, { lost: 'the harness has no names for checks' }],
    [/^__threshold$/i, { lost: 'every check must pass here' }],
    [/^__config:/i, { lost: 'write the time limit as latency(2000)' }],
    [
      TYPO,
      {
        lost: 'a column with one underscore is a variable, as in promptfoo; two underscores make it an expectation',
      },
    ],
  ],
}
