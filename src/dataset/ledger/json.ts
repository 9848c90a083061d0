// A ledger in JSON: an array of records, wherever it stands in the file, or a record a line, as rows of cells.

/** Levels of a wrapper in which the array is looked for, and of a record whose fields are taken as columns. */
const DEEPEST = 5
/** Records by which the columns are found. */
const SAMPLE = 200

export interface JsonRecord {
  readonly [name: string]: unknown
}

const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export interface FoundRecords {
  readonly records: readonly unknown[]
  /** Where they stand: `data.items`; empty for the file itself. */
  readonly path: string
}

/** The longest array of objects; undefined where there is none. */
export function findRecords(value: unknown, path = '', depth = 0): FoundRecords | undefined {
  if (Array.isArray(value))
    return value.length === 0 || value.some(isRecord) ? { records: value, path } : undefined
  if (!isRecord(value) || depth === DEEPEST) return undefined
  return Object.entries(value)
    .map(([name, inner]) => findRecords(inner, path === '' ? name : `${path}.${name}`, depth + 1))
    .filter((found) => found !== undefined)
    .reduce<FoundRecords | undefined>(
      (best, one) => (best === undefined || one.records.length > best.records.length ? one : best),
      undefined,
    )
}

/** The names of all fields of the first records, `usage.calls` for a field within a field. */
export function headerOf(records: readonly unknown[]): string[] {
  const names = new Set<string>()
  for (const record of records.slice(0, SAMPLE)) for (const name of fieldsOf(record).keys()) names.add(name)
  return [...names]
}

/** The cells of a record under a header; undefined where it is none. */
export function cellsOf(record: unknown, header: readonly string[]): string[] | undefined {
  if (!isRecord(record)) return undefined
  const fields = fieldsOf(record)
  return header.map((name) => fields.get(name) ?? '')
}

function fieldsOf(record: unknown, prefix = '', into = new Map<string, string>()): Map<string, string> {
  if (!isRecord(record)) return into
  for (const [name, value] of Object.entries(record)) {
    const path = `${prefix}${name}`
    if (isRecord(value) && path.split('.').length < DEEPEST) fieldsOf(value, `${path}.`, into)
    else if (typeof value === 'string') into.set(path, value)
    else if (typeof value === 'number' || typeof value === 'boolean') into.set(path, String(value))
    else into.set(path, '')
  }
  return into
}
