// promptfoo's header: which column is the question, which are checks, and which are carried along.
import { columnKey, COLUMNS, findColumn, type ColumnName } from '../columns.ts'
import { listPlaces, type Place } from '../layout.ts'
import { carried as carriedAs, ordinary, type ImportedColumn } from './importer.ts'

/** A name of promptfoo's with one underscore, where it has two. */
export const isTypo = (name: string): boolean =>
  /^_(?!_)(?:expected|prefix|suffix|description|metric|threshold|metadata|config)/i.test(name)

type LostName = '__metric' | '__metadata' | '__config'

export interface PromptfooHeader {
  /** Places, from 0; -1 where there is no such column. */
  readonly question: number
  readonly prefix: number
  readonly suffix: number
  readonly threshold: number
  readonly thread: number
  readonly expected: readonly Place[]
  /** By the number of the check among those of a row, from 0: the place of its threshold. */
  readonly thresholds: ReadonlyMap<number, number>
  /** Columns that become tags, and what separates several in a cell. */
  readonly tags: readonly { readonly index: number; readonly separator: RegExp | undefined }[]
  readonly lost: readonly { readonly name: LostName; readonly index: number }[]
  readonly carried: readonly { readonly as: ImportedColumn; readonly index: number }[]
  /** The columns without underscores. */
  readonly plain: readonly Place[]
  /** How many of them are neither the question nor ours. */
  readonly variables: number
}

/** A comma that no backslash stands before. */
const ESCAPED_COMMA = /(?<!\\),/

const QUESTION = ['message', 'question', 'prompt', 'query']

/** What stands behind `__metadata:` and is kept under a name of ours. */
const isTags = (key: string): boolean =>
  ['tags', ...COLUMNS.tags].some((name) => columnKey(name) === columnKey(key))
const isThread = (key: string): boolean => columnKey(key) === 'conversationid'

export function readPromptfooHeader(header: readonly string[], made: readonly ColumnName[]): PromptfooHeader {
  const places = listPlaces(header).filter((place) => place.header !== '')
  const named = (pattern: RegExp): Place[] => places.filter((place) => pattern.test(place.header))
  const at = (pattern: RegExp): number => named(pattern)[0]?.index ?? -1
  const metadata = named(/^__metadata:/i).map(({ header: name, index }) => {
    const key = name.slice('__metadata:'.length).trim()
    return { index, separator: key.endsWith('[]') ? ESCAPED_COMMA : undefined, key: key.replace(/\[\]$/, '') }
  })
  const plain = places.filter(
    ({ header: name }) =>
      !/^__(?:expected|prefix$|suffix$|description$|metric$|threshold$|provideroutput$|metadata$|metadata:|config:)/i.test(
        name,
      ),
  )
  const question = findQuestion(plain)
  const ownTags = plain.filter(({ header: name }) => columnKey(name) === 'tags' && !isTypo(name))
  const thread = metadata.find(({ key }) => isThread(key))?.index ?? -1
  const carried: { as: ImportedColumn; index: number }[] = [
    ...named(/^__description$/i).map(({ index }) => ({ index, as: { header: 'description' } })),
    ...named(/^__provideroutput$/i).map(({ index }) => ({ index, as: { header: 'providerOutput' } })),
    ...metadata
      .filter(({ key, index }) => !isTags(key) && index !== thread)
      .map(({ key, index }) => ({ index, as: { header: nameMetadata(key) } })),
    ...plain
      .filter((place) => place.index !== question && !ownTags.includes(place))
      .map(({ header: name, index }) => ({ index, as: asPlain(name, made) })),
  ]
  return {
    question,
    prefix: at(/^__prefix$/i),
    suffix: at(/^__suffix$/i),
    threshold: at(/^__threshold$/i),
    thread,
    expected: named(/^__expected/i),
    thresholds: readThresholds(named(/^__config:/i)),
    tags: [
      ...metadata.filter(({ key }) => isTags(key)),
      ...ownTags.map(({ index }) => ({ index, separator: /;/ })),
    ],
    lost: [
      ...named(/^__metric$/i).map(({ index }) => ({ name: '__metric' as const, index })),
      ...named(/^__metadata$/i).map(({ index }) => ({ name: '__metadata' as const, index })),
      ...named(/^__config:(?!__expected\d*:threshold$)/i).map(({ index }) => ({
        name: '__config' as const,
        index,
      })),
    ],
    carried,
    plain,
    variables: carried.filter(
      ({ as, index }) => as.column === undefined && plain.some((place) => place.index === index),
    ).length,
  }
}

/** By its name; else the only plain column that is none of ours; else by the other names that questions have. */
function findQuestion(plain: readonly Place[]): number {
  const byName = (names: readonly string[]): number | undefined =>
    names
      .map((name) => plain.find(({ header }) => columnKey(header) === name)?.index)
      .find((index) => index !== undefined)
  const variables = plain.filter(({ header }) => findColumn(header)?.isOwn !== true && !isTypo(header))
  const only = variables.length === 1 ? variables[0]?.index : undefined
  return byName(QUESTION) ?? only ?? byName(COLUMNS.message) ?? -1
}

/** Not under a name of ours, which would make it what it is not. */
const nameMetadata = (key: string): string => (findColumn(key)?.isOwn === true ? `metadata:${key}` : key)

/** A plain column means something only by our own name for it: other words are variables. */
const asPlain = (name: string, made: readonly ColumnName[]): ImportedColumn =>
  isTypo(name) ? ordinary(`${name} (imported)`) : carriedAs(name, made)

function readThresholds(places: readonly Place[]): Map<number, number> {
  return new Map(
    places.flatMap(({ header, index }) => {
      const [, number] = /^__config:__expected(\d*):threshold$/i.exec(header) ?? []
      return number === undefined ? [] : [[number === '' ? 0 : Number(number) - 1, index] as const]
    }),
  )
}
