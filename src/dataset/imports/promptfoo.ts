// Each column of promptfoo is a variable, one of which is the question; `__` columns hold expectations.
import { columnKey, COLUMNS, findColumn } from '../columns.ts'
import { escapePhrase, escapeRegex, type CellReader, type Format } from './format.ts'

const SPECIAL =
  /^__(?:expected\w*|prefix|suffix|description|metric|threshold|provideroutput|metadata(?::.*)?|config:.*)$/i
const TYPO = /^_(?!_)(?:expected|prefix|suffix|description|metric|threshold|metadata|config)/i

/** Finds a question column by a usual name, else the only variable, else one with an alias of `message`. */
function findQuestion(headers: readonly string[]): string | undefined {
  const plain = headers.filter((name) => !SPECIAL.test(name) && !TYPO.test(name))
  const named = (names: readonly string[]): string | undefined =>
    names
      .map((name) => plain.find((header) => columnKey(header) === name))
      .find((header) => header !== undefined)
  const variables = plain.filter((name) => findColumn(name)?.isOwn !== true)
  const only = variables.length === 1 ? variables[0] : undefined
  return named(['message', 'question', 'prompt', 'query']) ?? only ?? named(COLUMNS.message)
}

/** An assertion is written as `(not-)?type((n))?:value`. */
const MAPPED = new RegExp(
  '^(?<not>not-)?(?<type>equals|i?contains(?:-any|-all)?|regex|starts-with|latency)' +
    '(?:\\((?<limit>[\\d.]+)\\))?(?::(?<written>[\\s\\S]*))?$',
)
/** An assertion by code, by models or about formats is written like a type. */
const TYPE = /^(?:not-)?(?!https?:)((?:is|contains)-[a-z-]+$|[a-z][a-z-]*(?=[:(]))/

/** Reads a cell of `__expected`. Without a type, the whole answer must equal the cell, as in promptfoo. */
const readCheck: CellReader = (cell, out) => {
  const typed = MAPPED.exec(cell)?.groups
  const [, other] = TYPE.exec(cell) ?? []
  if (typed === undefined && other !== undefined)
    return out.lost(other, 'the harness has no such check; code is never executed')
  const { not, type = 'equals', limit, written = '' } = typed ?? { written: cell }
  const value = written.trim()
  if (type === 'latency') {
    const ms = limit ?? value
    if (not === undefined && Number(ms) > 0) return out.add('max_latency_ms', ms)
    return out.lost('latency without a limit', 'write one, as in latency(2000)')
  }
  const items = /-(?:any|all)$/.test(type) ? splitItems(value) : [value]
  const texts = items.filter((item) => item !== '')
  if (texts.length === 0) return out.lost('expectation without a value', 'it would pass with any answer')
  if (typed === undefined)
    out.changed(
      'without a type',
      'compared with the whole answer; write contains: before a text that the answer must contain',
    )
  else if (!type.startsWith('i')) out.changed(type, 'promptfoo compares case here, the harness does not')
  // "All of" and "none of" several texts are one expectation for each text.
  const isEach = texts.length === 1 || type.endsWith(not === undefined ? '-all' : '-any')
  if (type.includes('contains') && isEach)
    for (const text of texts)
      out.add(not === undefined ? 'expect_contains' : 'expect_not_contains', escapePhrase(text))
  else {
    const pattern = buildPattern(type, texts)
    out.add('expect_regex', not === undefined ? pattern : `^(?![\\s\\S]*(?:${pattern}))`)
  }
}

/** Items are separated by commas; one in quotes may contain commas, and `""` for a quote. */
const splitItems = (value: string): string[] =>
  Array.from(value.matchAll(/\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^,]*))(?:,|$)/g), ([, quoted, plain = '']) =>
    (quoted?.replaceAll('""', '"') ?? plain).trim(),
  )

function buildPattern(type: string, texts: readonly string[]): string {
  const [text = ''] = texts
  if (type === 'regex') return text
  if (type === 'equals') return `^${escapeRegex(text)}$`
  if (type === 'starts-with') return `^${escapeRegex(text)}`
  if (type.endsWith('-any')) return texts.map(escapeRegex).join('|')
  return `^${texts.map((item) => `(?=[\\s\\S]*${escapeRegex(item)})`).join('')}`
}

export const promptfoo: Format = {
  name: 'promptfoo',
  title: 'a promptfoo set',
  recognises: (_, headers) => headers.some((name) => SPECIAL.test(name) || TYPO.test(name)),
  columns: (headers) => [
    [
      findQuestion(headers) ?? '',
      (cell, out, cellOf) => {
        out.add('message', `${cellOf('__prefix')}${cell}${cellOf('__suffix')}`)
        if (cell.includes('{{')) out.changed('question with {{ }}', 'sent as written')
      },
    ],
    [/^__expected\w*$/i, readCheck],
    [
      // Tags separated by commas; `\,` is a comma.
      /^__metadata:tags\[\]$/i,
      (cell, out) =>
        cell.split(/(?<!\\),/).forEach((tag) => out.add('tags', tag.replaceAll(String.raw`\,`, ','))),
    ],
    [new RegExp(`^__metadata:(?:tags|${COLUMNS.tags.join('|')})$`, 'i'), 'tags'],
    [/^__metadata:conversation[ _]?id$/i, 'thread'],
    [/^__(?:prefix|suffix)$/i, 'read elsewhere'],
    [/^__metric$/i, { lost: 'the harness has no names for checks' }],
    [/^__threshold$/i, { lost: 'every check must pass here' }],
    [/^__config:/i, { lost: 'write the time limit as latency(2000)' }],
    [
      TYPO,
      {
        lost:
          'a column with one underscore is a variable, as in promptfoo; two underscores make it an ' +
          'expectation',
      },
    ],
  ],
}
