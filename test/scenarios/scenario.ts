// The rows of the scenario files: what a user has and types, and what is expected. Read from YAML and
// validated.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse as parseCsv } from 'csv-parse/sync'
import { parse as parseYaml } from 'yaml'
import * as z from 'zod'

const here = import.meta.dirname
const strings = z.record(z.string(), z.string())
/** One or several: a text, found whatever its white space, or a `/pattern/flags`. */
const patterns = z.union([z.string(), z.array(z.string())]).transform((one) => [one].flat())
/** Values by path, such as `calls.base`. A `/pattern/` must match, `{ max: 3 }` is at most 3. */
const byPath = z.record(z.string(), z.unknown())
const file = z.union([
  z.string(),
  z
    .strictObject({ text: z.string(), encoding: z.enum(['utf16le', 'latin1']) })
    .transform(({ text, encoding }) => Buffer.from(text, encoding)),
])

/** What is expected of a step besides its exit code. Only the given fields are compared. */
const expected = {
  /**
   * The first line of stderr that is not a note. The folder is shown as `.`, the sandbox's address as
   * `{url}`.
   */
  error: z.string(),
  /** What stdout or stderr must hold, and must not hold. */
  says: patterns,
  never: patterns,
  /** The figures of the run folder `out` or `folder`: see `figuresOf`. */
  figures: z.string(),
  folder: z.string(),
  /** Values in `summary.json` of that folder. */
  summary: byPath,
  /** Values in other JSON files of the scenario's folder. */
  holds: z.record(z.string(), byPath),
  /** Values in the JSON on stdout. */
  json: byPath,
  /**
   * From `results.csv` of that folder, or from `table`: names of columns, then each row's cells, joined with
   * bars.
   */
  results: z.union([z.string().transform((text) => text.trimEnd().split('\n')), z.array(z.string())]),
  table: z.string(),
  /** Names of the failing cases of `junit.xml`; questions by id. */
  red: z.array(z.string()),
  /** What files of the scenario's folder must hold, and must not hold. */
  shows: z.record(z.string(), patterns),
  hides: z.record(z.string(), patterns),
  /** Text that no file of that folder may hold. */
  nowhere: z.string(),
  /** What is in the scenario's folder besides the scenario's own files. */
  written: z.array(z.string()),
  /** Files that do not exist after the step. */
  gone: z.array(z.string()),
  /** Files that have the same bytes before and after the step. */
  keeps: z.array(z.string()),
}

/** Changes of files before the step, in this order. */
const changes = z
  .strictObject({
    /** Files that get the sandbox's ledger, as CSV or JSON. */
    fetch: z.array(z.string()),
    /** From the first path to the second; `recorded/` is the folder of the recorded runs. */
    copy: strings,
    remove: z.array(z.string()),
    put: z.record(z.string(), file),
    /** In a file: the first match of a `/pattern/flags`, and its replacement. */
    replace: z.record(z.string(), z.tuple([z.string(), z.string()])),
  })
  .partial()

const step = z.strictObject({
  /**
   * Typed after `assist-harness` in the scenario's folder; single quotes keep white space. `{url}` is the
   * sandbox's address, `{resume}` the resume command that the previous step printed.
   */
  run: z.string(),
  code: z.union([z.int(), z.literal('killed')]).default(0),
  first: changes.optional(),
  /** The folder in which it is typed. */
  in: z.string().optional(),
  /** Signals, sent in order when the sandbox has received that many calls of the scenario. */
  stop: z.strictObject({ after: z.int(), by: z.array(z.enum(['SIGINT', 'SIGTERM', 'SIGKILL'])) }).optional(),
  /** `{folder}` in a value is the scenario's folder. */
  env: strings.optional(),
  ...z.object(expected).partial().shape,
})
export type Step = z.output<typeof step>

const scenario = z.strictObject({
  name: z.string(),
  /** Content of `set.csv`, or the name of a file in sets/. */
  set: file.optional(),
  /** Further files; `{url}` in them is the sandbox's address. */
  files: z.record(z.string(), file).default({}),
  /** The sandbox's config; by default one organization, without limits and faults. */
  sandbox: z.record(z.string(), z.unknown()).optional(),
  /** Runs the sandbox as a process of the built program, too. */
  program: z.boolean().default(false),
  env: strings.default({}),
  steps: z.array(step),
  /** The sandbox's ledger at the end: `calls 4, counted 4, answered 4`. */
  ledger: z.string().optional(),
  /**
   * The conversations that the sandbox received: `1 2 | 3` by the rows of the set, or the questions of each,
   * joined with ` / `.
   */
  conversations: z.union([z.string(), z.array(z.string())]).optional(),
  endUserRefs: z.array(z.string()).optional(),
  /** The run folders whose accounts add up to the ledger. */
  account: z.array(z.string()).default(['out']),
  /** How often it is tried again where the load of the machine disturbs its timing. */
  retry: z.int().default(0),
})

type Row = z.output<typeof scenario>
export type Scenario = Omit<Row, 'conversations'> & {
  readonly conversations: readonly string[] | undefined
}

/** Whether a command is ended by signals, or the sandbox is a program. */
export const isOfProcesses = ({ program, steps }: Scenario): boolean =>
  program || steps.some(({ stop }) => stop !== undefined)

export const scenarioFiles = readdirSync(here).filter((name) => name.endsWith('.yaml'))

/** The scenarios of a file. Throws, with their places, if a field is misspelt or has another type. */
export function readScenarios(name: string): Scenario[] {
  const parsed = z
    .array(scenario)
    .safeParse(parseYaml(readFileSync(join(here, name), 'utf8'), { merge: true }))
  if (!parsed.success) throw new Error(`${name}: ${z.prettifyError(parsed.error)}`)
  return parsed.data.map((row) => {
    const set = typeof row.set === 'string' && row.set.endsWith('.csv') ? readSet(row.set) : row.set
    return { ...row, set, conversations: conversationsOf({ ...row, set }) }
  })
}

export const readSet = (name: string): string => readFileSync(join(here, 'sets', name), 'utf8')

function conversationsOf({ set = '', conversations }: Row): readonly string[] | undefined {
  if (typeof conversations !== 'string') return conversations
  const questions = parseCsv<{ message: string }>(Buffer.from(set), { columns: true })
  return conversations.split(' | ').map((rows) =>
    rows
      .split(' ')
      .map((row) => questions[Number(row) - 1]?.message)
      .join(' / '),
  )
}

/** A `/pattern/flags` as a regular expression; undefined for any other text. */
export function asPattern(text: string): RegExp | undefined {
  const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(text) ?? []
  return source === undefined ? undefined : new RegExp(source, flags)
}
