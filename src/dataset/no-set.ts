// What a file is in whose first row no question set begins: other files of a run, above all.
import { REVIEW_COLUMNS } from '../domain/result-columns.ts'
import { columnKey } from './columns.ts'

const OF_A_RUN = 'of a run, give its results.csv'

/** By how the file begins. */
const BEGINNINGS: readonly (readonly [beginning: RegExp, message: string])[] = [
  [/^\{"kind":"/, `this is the journal of a run, and no question set; its results.csv can be asked again`],
  [/^[{[]/, `this is JSON, and a question set is CSV; ${OF_A_RUN}`],
  [/^</, `this is a page (HTML) or XML, and a question set is CSV; ${OF_A_RUN}`],
  [
    /^#/,
    `this looks like Markdown or YAML, and a question set is CSV; ${OF_A_RUN}; a config file is named with --config`,
  ],
]

const YAML = /^(?:---$|[\w-]+:(?:\s|$))/

/** Undefined where the header may be a faulty one of a question set. */
export function describeNoSet(header: readonly string[]): string | undefined {
  const [first = '', ...others] = header
  const known = BEGINNINGS.find(([beginning]) => beginning.test(first))
  if (known !== undefined) return known[1]
  // A line of YAML has no further cells.
  if (others.length === 0 && YAML.test(first))
    return 'this looks like YAML, and a question set is CSV; a config file is named with --config'
  const keys = header.map(columnKey)
  return REVIEW_COLUMNS.every((name) => keys.includes(columnKey(name)))
    ? 'this is a file of reviews, and holds no questions; give it with --reviews, beside a question set'
    : undefined
}
