// The columns of a question set and their aliases.
import { distance } from 'fastest-levenshtein'

export const COLUMNS = {
  message: ['question', 'prompt', 'query', 'utterance', 'text', 'input', 'user input'],
  role: ['sender', 'author', 'speaker', 'author type', 'sender type', 'direction', 'Rolle'],
  thread: ['conversation', 'conversation id', 'session'],
  turn: ['turn index', 'step'],
  id: ['question id', 'test id', 'case id'],
  end_user_ref: [],
  tags: ['tag', 'category', 'topic', 'intent', 'class', 'label'],
  weight: ['count', 'volume', 'frequency'],
  expect_source: [],
  expect_contains: [],
  expect_not_contains: [],
  expect_regex: [],
  expect_answer: [
    'expected',
    'expected output',
    'expected response',
    'expected answer',
    'reference',
    'reference answer',
    'ground truth',
  ],
  min_similarity: [],
  max_latency_ms: [],
  must_pass: [],
} as const satisfies Record<string, readonly string[]>

export type ColumnName = keyof typeof COLUMNS

/** A table of people, an export or another tool's set has its questions in one of these columns. */
export const QUESTION_HEADERS: readonly string[] = ['message', ...COLUMNS.message]

export const COLUMN_NAMES = Object.keys(COLUMNS) as ColumnName[]

/** A column is copied to the results if it has no field of its own, and does not choose the rows. */
export const isCarried = (name: ColumnName): boolean =>
  !['message', 'role', 'thread', 'turn', 'id', 'tags'].includes(name)

/** Makes headers comparable: ignores case, spaces and punctuation, unless the header is only punctuation. */
export function columnKey(header: string): string {
  // A byte order mark that a tool has read as three letters.
  const plain = header.replace(/^ï»¿/, '').normalize('NFKC').toLowerCase()
  const key = plain.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '')
  return key === '' ? plain.trim() : key
}

/** Ignores accents, too. */
export const plainKey = (header: string): string =>
  columnKey(header).normalize('NFD').replaceAll(/\p{M}/gu, '')

/** German, French and Spanish tables call columns so. A set is not read by these: a message names them. */
const FOREIGN_HEADERS: Readonly<Partial<Record<ColumnName, string>>> = {
  message: 'Frage Fragen Nachricht Anfrage demande requête pregunta preguntas consulta mensaje',
  thread:
    'Gespräch Konversation Unterhaltung Dialog Chat Sitzung conversation session discussion échange ' +
    'dialogue conversación diálogo sesión hilo',
  turn: 'Schritt Runde tour étape paso turno',
  id: 'Nr Nummer Kennung numéro identifiant número identificador',
  tags:
    'Thema Themen Kategorie Bereich Schlagwort Schlagwörter Stichwort thème catégorie sujet étiquette ' +
    'étiquettes tema categoría etiqueta etiquetas',
  weight: 'Gewicht Häufigkeit poids fréquence peso frecuencia',
  expect_answer: 'answer Antwort réponse respuesta',
  must_pass: 'Pflicht Muss obligatoire obligatorio',
}
const FOREIGN = new Map(
  Object.entries(FOREIGN_HEADERS).flatMap(([name, headers]) =>
    headers.split(' ').map((header) => [plainKey(header), name as ColumnName] as const),
  ),
)

/** "Gesprächs-ID" names conversations, "Nr. der Frage" and "Frage-ID" a question. */
const NUMBER_OF = /^(?:id|n|no|nr|num|numero)(?:d(?:e|u|er|el|ela|es))?|s?(?:id|nr|no|num|nummer|numero)$/

/** Finds the column that a header seems to name in another language. */
export function findForeign(header: string): ColumnName | undefined {
  const key = plainKey(header)
  const counted = FOREIGN.get(key.replace(NUMBER_OF, ''))
  return FOREIGN.get(key) ?? (counted === 'message' ? 'id' : counted === 'thread' ? counted : undefined)
}

const KEYS = new Map<string, { readonly name: ColumnName; readonly isOwn: boolean }>(
  COLUMN_NAMES.flatMap((name) => [
    [columnKey(name), { name, isOwn: true }] as const,
    ...COLUMNS[name].map((other) => [columnKey(other), { name, isOwn: false }] as const),
  ]),
)

/**
 * Finds each column by the first of its names that the header has. `written` is the header before it was
 * renamed; of two columns with one name, the renamed one counts.
 */
export function findHeaders<Column extends string>(
  header: readonly string[],
  names: Readonly<Record<Column, readonly string[]>>,
  written = header,
): Map<Column, number> {
  const keys = header.map(columnKey)
  return new Map(
    (Object.keys(names) as Column[]).flatMap((column) => {
      const key = names[column].map(columnKey).find((name) => keys.includes(name))
      if (key === undefined) return []
      const renamed = keys.findIndex((name, index) => name === key && header[index] !== written[index])
      return [[column, renamed === -1 ? keys.indexOf(key) : renamed] as const]
    }),
  )
}

/** Finds the column that a header names. `isOwn`: by its name, not by an alias. */
export const findColumn = (header: string) => KEYS.get(columnKey(header))

/** Tools and people give these names (`columnKey`s) to expectations: such a column would never be checked. */
const EXPECTATION = new RegExp(
  [
    '^(?:not)?expect|^assert|groundtruth|^(?:gold|golden|ideal)$',
    '^(?:gold|golden|ideal|reference|correct|right|desired|target)' +
      '(?:answer|response|output|reply|result|text)s?$',
    '^(?:answer|response|output)?(?:not)?contains?$|^(?:must|should)(?:not)?(?:contain|include)s?$',
    '^erwart|^(?:soll|muster)antwort|attendue?s?$|esperad[ao]s?$',
  ].join('|'),
)

export const isLikeExpectation = (header: string): boolean => EXPECTATION.test(columnKey(header))

/** An export of articles has these columns beside `id`. `--column` names those of sets, too. */
export const ARTICLE_COLUMN_NAMES = ['title', 'body', 'url', 'language', 'status'] as const

export const EXPORT_COLUMN_NAMES = ['subject'] as const

export const isOfArticles = (column: string): boolean =>
  ARTICLE_COLUMN_NAMES.some((name) => column.startsWith(`${name}=`))

/** Renames the headers of question sets: what `--column` says of articles alone is ignored. */
export const createSetRenamer = (columns: readonly string[]): Renamer =>
  createRenamer(columns.filter((column) => !isOfArticles(column)))

/** Renames headers as `--column NAME=HEADER` says. `missing` has, after all files, those without a column. */
export function createRenamer(columns: readonly string[]) {
  const names = new Map(
    columns.map((value) => {
      const at = value.indexOf('=')
      return [columnKey(value.slice(at + 1)), { value, name: value.slice(0, at) }] as const
    }),
  )
  const found = new Set<string>()
  const rename = (header: string): string => names.get(columnKey(header))?.name ?? header
  return {
    rename: (header: readonly string[]): string[] => header.map(rename),
    renameHeader: (header: readonly string[]): string[] => {
      for (const cell of header) found.add(columnKey(cell))
      return header.map(rename)
    },
    missing: (): string[] => [...names].flatMap(([key, { value }]) => (found.has(key) ? [] : [value])),
  }
}

export type Renamer = ReturnType<typeof createRenamer>

/** These ordinary words are one or two letters from a column's name. */
const ORDINARY = 'county gender height preference preferences roll rule labels topics intents classes'.split(
  ' ',
)

/** Finds the closest name: at most two edits away, one for a word of under eight letters, none under four. */
export function suggest(word: string, names: readonly string[]): string | undefined {
  const key = columnKey(word)
  if (ORDINARY.includes(key)) return undefined
  const maxEdits = Math.min(2, Math.floor(key.length / 4))
  const sorted = (text: string): string => text.split('').toSorted().join('')
  const countEdits = (name: string): number => {
    const edits = distance(key, name)
    // Swapped letters are one edit.
    return edits === 2 && sorted(key) === sorted(name) ? 1 : edits
  }
  return names
    .map((name) => ({ name, edits: countEdits(columnKey(name)) }))
    .filter(({ edits }) => edits <= maxEdits)
    .toSorted((a, b) => a.edits - b.edits)[0]?.name
}
