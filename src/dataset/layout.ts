// Maps the header of a question set to columns.
import { ARTICLE_COLUMNS, isResultColumn, RESULT_COLUMNS, SANDBOX_COLUMN } from '../domain/result-columns.ts'
import {
  COLUMNS,
  COLUMN_NAMES,
  columnKey,
  findColumn,
  findForeign,
  isCarried,
  isLikeExpectation,
  suggest,
  type ColumnName,
} from './columns.ts'
import { excerpt, excerptList } from './messages.ts'
import { findRole } from './roles.ts'

export interface HeaderCell {
  readonly name: string
  readonly index: number
}

export interface Layout {
  /** Only tags may have several positions. */
  readonly own: ReadonlyMap<ColumnName, readonly HeaderCell[]>
  /** They are copied to the results in this order: known columns by name, others as written. */
  readonly carried: readonly HeaderCell[]
  /** Each column is read as this one, in order; null for an ordinary one. */
  readonly columns: readonly { readonly index: number; readonly column: ColumnName | null }[]
  /** Each says which ordinary column may be meant as another. */
  readonly notes: readonly string[]
  /** It is -1 if the `repeat` column was deleted; undefined unless the file is a `results.csv`. */
  readonly repeat?: number
}

export const listPositions = (header: readonly string[]): HeaderCell[] =>
  header.map((cell, index) => ({ name: cell.trim(), index })).filter(({ name }) => name !== '')

/** Reads a native set or a run's results, or the faults of the header. `sample` holds some rows. */
export function readLayout(
  header: readonly string[],
  sample: readonly (readonly string[])[],
): Layout | { readonly faults: readonly string[]; readonly notes: readonly string[] } {
  const results = findResults(header)
  const role = header.some((name) => findColumn(name)?.name === 'role') ? -1 : findRole(header, sample)
  const found = (results?.positions ?? listPositions(header)).map((cell) => {
    const known = cell.index === role ? { name: 'role' as const, isOwn: false } : findColumn(cell.name)
    // Results hold questions only: a column such as `author` is one of the set's own.
    return { ...cell, known: results !== undefined && known?.name === 'role' ? undefined : known }
  })
  const named = new Set(found.flatMap(({ known }) => (known?.isOwn === true ? [known.name] : [])))
  // Aliases of a column that is present by its name are ordinary columns.
  const columns = found.map(({ name, index, known }) => {
    const isOrdinary = known === undefined || (!known.isOwn && named.has(known.name))
    return { name, index, column: isOrdinary ? null : known.name }
  })
  const own = new Map<ColumnName, HeaderCell[]>()
  for (const { column, ...cell } of columns)
    if (column !== null) own.set(column, [...(own.get(column) ?? []), cell])
  const ordinary = columns.filter(({ column }) => column === null)
  const faults = [...findDuplicates(own), ...findMisspelt(ordinary, own)]
  const foreign = results === undefined ? foreignAmong(ordinary, own) : []
  // Of what looks like an expectation, there is a fault.
  const unread = foreign.filter(([, name]) => !isLikeExpectation(name))
  const listed = unread.map(([column, name]) => `${excerpt(name)} (like ${column})`).join(', ')
  const notes =
    listed === '' ? [] : [`columns that are not read: ${listed}; choose them, as in ${optionsFor(unread)}`]
  if (!own.has('message'))
    return { faults: [describeMissingMessage(listPositions(header), sample, foreign), ...faults], notes: [] }
  if (faults.length > 0) return { faults, notes }
  const carried = columns.flatMap(({ name, index, column }) => {
    const isFirst = column === null || (isCarried(column) && own.get(column)?.[0]?.index === index)
    return isFirst ? [{ name: column ?? name, index }] : []
  })
  return { own, carried, columns, notes, ...(results && { repeat: results.repeat }) }
}

type Meant = readonly [column: ColumnName, header: string]

/** Finds what other languages call a column that the set lacks, the first header for each. */
function foreignAmong(ordinary: readonly HeaderCell[], own: ReadonlyMap<ColumnName, unknown>): Meant[] {
  const meant = new Map<ColumnName, string>()
  for (const { name } of ordinary) {
    const column = findForeign(name) ?? (isLikeExpectation(name) ? 'expect_answer' : undefined)
    if (column !== undefined && !own.has(column) && !meant.has(column)) meant.set(column, name)
  }
  return [...meant]
}

/** Suggests the column that is called so in another language, else the one with most questions or text. */
function describeMissingMessage(
  positions: readonly HeaderCell[],
  sample: readonly (readonly string[])[],
  foreign: readonly Meant[],
): string {
  const rate = ({ name, index }: HeaderCell): number => {
    const texts = sample.map((row) => (row[index] ?? '').trim())
    const asking = texts.filter((text) => /[?？؟]$/.test(text)).length
    const length = texts.reduce((sum, text) => sum + text.length, 0)
    const called = ANSWER.test(name) || isLikeExpectation(name) ? -1 : QUESTION.test(name) ? 1 : 0
    return called * 1e9 + asking * 1e6 + Math.min(length, 1e6)
  }
  const [best] = positions.toSorted((a, b) => rate(b) - rate(a))
  const names = excerptList(positions.map(({ name }) => name))
  const isTable = positions.length > 1 || foreign.length > 0
  const name = isTable && best !== undefined && best.name.length <= 40 ? best.name : 'Description'
  const others = foreign.filter(([column, header]) => column !== 'message' && header !== name)
  return (
    `this is not a question set: column message is missing (found: ${names}); say which one holds ` +
    `the questions, as in ${optionsFor([['message', name], ...others])}`
  )
}

const QUESTION = new RegExp(
  'question|message|prompt|query|utterance|frage|nachricht|eingabe|demande|requ[êe]te|pregunta|consulta' +
    '|mensaje|domanda|richiesta|vraag|pergunta|mensagem|pytanie|вопрос',
  'iu',
)
/** Numbers and kinds of questions are no questions, either. */
const ANSWER = new RegExp(
  'answer|response|reply|antwort|erwart|lösung|r[ée]ponse|attendu|respuesta|esperad|risposta|antwoord' +
    '|resposta|(?<!\\p{L})(?:ids?|nr|no|nummer|number|type|typ|kind|art|url|link|datum|date' +
    '|kategorie|category|thema|topic|status|count)(?!\\p{L})',
  'iu',
)

const optionsFor = (meant: readonly Meant[]): string =>
  meant
    .map((assignment) => assignment.join('='))
    .map((word) =>
      /^[\p{L}\p{M}\p{N}_.=-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`,
    )
    .map((word) => `--column ${word}`)
    .join(' ')

/** Other result columns are dropped, `review` too: it is about the answer. */
const KEPT: ReadonlySet<string> = new Set(['id', 'thread', 'turn', 'message', 'tags'])
/** So many dropped columns identify a `results.csv`; an editor may have deleted the others. */
const MIN_RESULT_COLUMNS = 8

/** Finds the columns of a `results.csv` that belong to the question; undefined for any other file. */
function findResults(
  header: readonly string[],
): { readonly positions: readonly HeaderCell[]; readonly repeat: number } | undefined {
  const keys = header.map(columnKey)
  const indexOf = (name: string): number => keys.indexOf(columnKey(name))
  const dropped = new Set(RESULT_COLUMNS.filter((name) => !KEPT.has(name)).map(indexOf))
  dropped.delete(-1)
  if (dropped.size < MIN_RESULT_COLUMNS) return undefined
  for (const name of [...ARTICLE_COLUMNS, SANDBOX_COLUMN]) dropped.add(indexOf(name))
  const positions = listPositions(header).filter(({ index }) => !dropped.has(index))
  // `results.csv` appends "(set)" to a column of the set that has the name of a result column.
  const nameInSet = (name: string): string => {
    const stripped = name.replace(/ \(set\)$/, '')
    return isResultColumn(stripped) ? stripped : name
  }
  return {
    positions: positions.map(({ name, index }) => ({ name: nameInSet(name), index })),
    repeat: indexOf('repeat'),
  }
}

/** Tells a run's results by the header, defused or not: their cells are defused. */
export const isResultsHeader = (header: readonly string[]): boolean => findResults(header) !== undefined

const LIST = new Intl.ListFormat('en-GB')

function findDuplicates(own: ReadonlyMap<ColumnName, readonly HeaderCell[]>): string[] {
  return [...own].flatMap(([column, positions]) => {
    if (positions.length === 1 || column === 'tags') return []
    const numbers = LIST.format(positions.map(({ index }) => String(index + 1)))
    const names = LIST.format([...new Set(positions.map(({ name }) => excerpt(name)))])
    return [`columns ${numbers} mean one column, "${column}" (found: ${names}); rename or delete all but one`]
  })
}

/** Shorter names are one edit from too many ordinary words, such as "test" from "text". */
const MIN_NAME_LENGTH = 4
const MIN_ALIAS_LENGTH = 5

const EXPECTATIONS = COLUMN_NAMES.filter((name) => name.startsWith('expect_'))
  .map((name) => (name === 'expect_answer' ? `${name} (a reference answer)` : name))
  .join(', ')

/** A misspelt `thread` would split conversations, a misspelt expectation would never be checked. */
function findMisspelt(ordinary: readonly HeaderCell[], own: ReadonlyMap<ColumnName, unknown>): string[] {
  const names = COLUMN_NAMES.filter((name) => !own.has(name))
  const candidates = names.flatMap((name) => [
    ...(name.length >= MIN_NAME_LENGTH ? [name] : []),
    ...COLUMNS[name].filter((other) => other.length >= MIN_ALIAS_LENGTH),
  ])
  return ordinary
    .filter(({ name }) => findColumn(name) === undefined)
    .flatMap(({ name: column }) => {
      const name = suggest(column, candidates)
      if (name !== undefined)
        return [
          `the column ${excerpt(column)} is unknown; did you mean "${name}"? Correct the name, or ` +
            'choose a different one',
        ]
      if (!isLikeExpectation(column)) return []
      return [
        `the column ${excerpt(column)} looks like an expectation, and is none; expectations are ` +
          `${EXPECTATIONS}. Correct the name, choose a different one, or say which it is, as in ` +
          optionsFor([['expect_answer', column]]),
      ]
    })
}
