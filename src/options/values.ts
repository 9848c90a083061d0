// Parses the values of options, as the command line, the config file and programs write them.
import * as z from 'zod'
import { ARTICLE_COLUMN_NAMES, COLUMN_NAMES, columnKey, EXPORT_COLUMN_NAMES } from '../dataset/columns.ts'
import { FORMAT_NAMES } from '../dataset/formats.ts'
import { GATE_RULES } from '../domain/comparison.ts'
import { parseDuration, digits, WRITTEN } from '../domain/format.ts'
import { parseShard } from '../domain/shard.ts'
import type { ThinkTime } from '../domain/load.ts'
import { parseRate } from '../pace/rules.ts'
import { messageOf } from './faults.ts'
import { HEADER_MESSAGE, headersFault, headerText, parseHeader } from './headers.ts'

/** Takes the numbers that YAML has parsed; they are read by their text. */
const scalar = (message: string) => z.union([z.string(), z.number()], { error: () => message })

/** Reads an option: `typed` what is typed, `stored` what run.json records. */
export interface OptionValue<T = unknown, Typed = unknown> {
  readonly typed: z.ZodType<T, Typed>
  readonly stored: z.ZodType<T>
  readonly isList?: true
  write(value: T): string
}

/** Reports a fault in place of the message of the value. */
type Fail = (fault: string) => undefined

/** Makes a value of text; `read` gets it trimmed, and gives undefined if it is invalid. */
const text = <T>(
  message: string,
  stored: z.ZodType<T>,
  read: (text: string, fail: Fail) => T | undefined,
  write: (value: T) => string = String,
): OptionValue<T, string | number> => ({
  typed: scalar(message)
    .transform((written) => String(written).trim())
    .transform(orIssue(message, read)),
  stored,
  write,
})

const list = <T>(
  message: string,
  stored: z.ZodType<T>,
  read: (texts: string[], fail: Fail) => T | undefined,
): OptionValue<T, string | number | readonly (string | number)[]> => ({
  typed: z
    .union([z.string(), z.number(), z.array(scalar(message))], { error: () => message })
    .transform((written) => [written].flat().map((item) => String(item).trim()))
    .transform(orIssue(message, read)),
  stored,
  isList: true,
  write: String,
})

const orIssue =
  <Written, T>(message: string, read: (written: Written, fail: Fail) => T | undefined) =>
  (written: Written, context: z.RefinementCtx): T => {
    let fault = message
    const value = read(written, (what) => void (fault = what))
    if (value !== undefined) return value
    context.addIssue(fault)
    return z.NEVER
  }

const plain = <T>(schema: z.ZodType<T, T>): OptionValue<T, T> => ({
  typed: schema,
  stored: schema,
  write: String,
})

const texts = z.array(z.string())

export const flag = plain(z.boolean({ error: () => 'must be true or false' }))

export const choice = <const W extends string>(choices: readonly [W, ...W[]]) =>
  plain<W>(
    z.enum(choices, {
      error: () => `must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`,
    }),
  )

/** Takes `9464` on this machine, `0.0.0.0:9464`, `[::]:9464`. */
export const listenAddress = text(
  'must be a port, or HOST:PORT, like 9464 or 0.0.0.0:9464',
  z.object({ host: z.string(), port: z.int() }),
  (written) => {
    const [, host = '127.0.0.1', digitsOfPort = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(written) ?? []
    const port = Number(digitsOfPort)
    return digitsOfPort === '' || port > 65_535 ? undefined : { host: host.replace(/^\[(.*)\]$/, '$1'), port }
  },
)

export const name = text('must not be empty', z.string(), (written) => (written === '' ? undefined : written))

export const names = list('must have at least one value', texts, (written) =>
  written.length > 0 && !written.includes('') ? written : undefined,
)

/** Takes `message=Description`: a known column, and the header that it has in the file. */
export const columns = list(
  `must be like message=Description; the columns are ${COLUMN_NAMES.join(', ')}; ` +
    `of articles ${ARTICLE_COLUMN_NAMES.join(', ')}; of tickets ${EXPORT_COLUMN_NAMES.join(', ')}`,
  texts,
  (written) => {
    const all = written.map((assignment) => {
      const [column = '', ...header] = assignment.split('=')
      const known = [...COLUMN_NAMES, ...ARTICLE_COLUMN_NAMES, ...EXPORT_COLUMN_NAMES].find(
        (each) => columnKey(each) === columnKey(column),
      )
      const named = header.join('=').trim()
      return known === undefined || named === '' ? undefined : `${known}=${named}`
    })
    return all.every((one) => one !== undefined) ? all : undefined
  },
)

export const commaSeparated = list('must be one or more values, separated by commas', texts, (written) => {
  const all = split(written)
  return all.length > 0 && !all.includes('') ? all : undefined
})

const split = (written: readonly string[]): string[] =>
  written.flatMap((one) => one.split(',')).map((word) => word.trim())

/** Rejects a pasted key, and does not repeat it. */
export const variable = text(
  'must be the name of an environment variable (a key is never an argument)',
  z.string(),
  (written) => (/^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(written) ? written : undefined),
)

/** Takes `X-Gateway-Key: $GATEWAY_KEY`; a value is never an argument. */
export const headers = list(HEADER_MESSAGE, texts, (written, fail) => {
  const all = written.map(parseHeader)
  const fault = headersFault(all)
  return fault === undefined
    ? all.flatMap((header) => (header === undefined ? [] : [headerText(header)]))
    : fail(fault)
})

export const pattern = text('must be a regular expression', z.string(), (written, fail) => {
  try {
    return new RegExp(written, 'iu').source
  } catch (error) {
    return fail(`must be a regular expression: ${messageOf(error)}`)
  }
})

export const format = text(`must be one of ${FORMAT_NAMES.join(', ')}`, z.string(), (written, fail) =>
  ['google-cx', 'botium'].includes(written)
    ? fail(
        `no longer reads ${written}; leave it out: a chat log is read by its columns thread, role and ` +
          'message',
      )
    : FORMAT_NAMES.find((known) => known === written),
)

/** Normalizes to `2/4`; `parseShard` parses it. */
export const shard = text('must be a shard like 2/4, counted from 1', z.string(), (written) => {
  const position = parseShard(written)
  return position && `${position.index}/${position.of}`
})

/** Keeps gates as written: what they may name depends on the command and the set. */
export const thresholds = list("must be a gate like 'coverage>=80%'", texts, (written) =>
  written.length > 0 ? written : undefined,
)

export const rules = list(
  `must be one or more of ${GATE_RULES.join(', ')}, or none`,
  z.array(z.enum(GATE_RULES)),
  (written) => {
    const all = split(written)
    if (all.length === 1 && all[0] === 'none') return []
    const known = GATE_RULES.filter((rule) => all.includes(rule))
    return known.length > 0 && known.length === new Set(all).size ? known : undefined
  },
)

const MAX_COUNT = 999_999_999_999_999

const readWhole = (written: string, min: number, max: number): number | undefined =>
  /^\d+$/.test(written) && Number(written) >= min && Number(written) <= max ? Number(written) : undefined

const whole = (said: string, min: number, max: number) =>
  text(said, z.number(), (written) => readWhole(written, min, max))

export const count = whole(`must be a whole number from 1 to ${digits(MAX_COUNT)}`, 1, MAX_COUNT)
export const timesAgain = whole('must be a whole number from 0 to 20', 0, 20)
export const callsAtOnce = whole('must be a whole number from 1 to 10000', 1, 10_000)
export const seed = whole('must be a whole number of at most 9 digits', 0, 999_999_999)
export const port = whole('must be a whole number from 0 to 65535', 0, 65_535)

/** Limits connections: more than a process has file descriptors would fail during the run. */
const MAX_CONCURRENCY = 1024

export const concurrency = text(
  `must be auto or a whole number from 1 to ${MAX_CONCURRENCY}`,
  z.union([z.number(), z.literal('auto')]),
  (written): 'auto' | number | undefined =>
    written === 'auto' ? written : readWhole(written, 1, MAX_CONCURRENCY),
)

/** Takes no sign and no exponent. */
const decimal = (written: string): number => (/^\d*\.?\d+$/.test(written) ? Number(written) : Number.NaN)

export const share = text('must be a number above 0 and up to 1, like 0.5', z.number(), (written) =>
  decimal(written) > 0 && decimal(written) <= 1 ? decimal(written) : undefined,
)

export const level = text('must be a number between 0 and 1, like 0.05', z.number(), (written) =>
  decimal(written) > 0 && decimal(written) < 1 ? decimal(written) : undefined,
)

/** Takes `2`, `2%`: percentage points, kept as a share. */
export const points = text(
  'must be a number of percentage points, like 2 or 0.5',
  z.number(),
  (written) => {
    const percent = decimal(written.replace(/\s*%$/, ''))
    return percent <= 100 ? percent / 100 : undefined
  },
  (dropped) => WRITTEN.share(dropped).replace('%', ''),
)

/** Takes `80%`, `0.8`. */
export const shareOfAll = text(
  'must be a share, like 80% or 0.8',
  z.number(),
  (written) => {
    const parsed = decimal(written.replace(/\s*%$/, '')) / (written.endsWith('%') ? 100 : 1)
    return parsed <= 1 ? parsed : undefined
  },
  WRITTEN.share,
)

/** Keeps below 2^31 ms, beyond which Node's timers overflow. */
const MAX_HOURS = Math.floor(2 ** 31 / 3_600_000)

function readDuration(written: string): number | undefined {
  const ms = parseDuration(written) ?? 0
  return ms > 0 && ms <= MAX_HOURS * 3_600_000 ? ms : undefined
}

export const duration = text(
  `must be a time like 30s, 2m or 1h, up to ${MAX_HOURS}h`,
  z.number(),
  readDuration,
  (ms) => (ms < 600_000 ? `${ms / 1000}s` : `${ms / 60_000}m`),
)

/** Keeps a rate as typed for the manifest; `parseRate` parses it. */
export const rate = text(
  'must be auto, unlimited, or a rate like 60/min, 5/s, 1000/h',
  z.string(),
  (written) => (parseRate(written) === undefined ? undefined : written.toLowerCase()),
)

/** Reads threads a second from `2/s`, `90/min`, also `0/s`. */
function readArrivalRate(written: string): number | undefined {
  if (/^0+(?:\.0+)?\s*\/\s*[a-z]+$/i.test(written.trim())) return 0
  const known = parseRate(written)
  return known?.kind === 'known' ? known.perSecond : undefined
}

export const arrivalRate = text('must be a rate like 2/s, 90/min or 1000/h', z.number(), (written) => {
  const perSecond = readArrivalRate(written)
  return perSecond === 0 ? undefined : perSecond
})

/** Takes `30s:5/s,1m:5/s`: the rate goes to 5 a second within 30 s, and stays there for a minute. */
export const stages = list(
  'must be a time and a rate, like 30s:5/s,1m:5/s',
  z.array(z.custom<RampStage>()),
  (written) => {
    const all = split(written).map(readStage)
    return all.every((one) => one !== undefined) ? all : undefined
  },
)

export interface RampStage {
  readonly durationMs: number
  readonly to: number
}

function readStage(written: string): RampStage | undefined {
  const [, time = '', threads = ''] = /^([^:]+):([^:]+)$/.exec(written) ?? []
  const [durationMs, to] = [readDuration(time), readArrivalRate(threads)]
  return durationMs === undefined || to === undefined ? undefined : { durationMs, to }
}

export const thinkTime = text(
  'must be a time like 2s, or uniform:1s:5s, or lognormal:3s:10s (median and p95)',
  z.custom<ThinkTime>(),
  (written): ThinkTime | undefined => {
    const parts = written.toLowerCase().split(':')
    const [kind = '', ...times] = parts.length === 1 ? ['constant', ...parts] : parts
    const [first, second] = times.map((time) =>
      time.trim() === '0' || parseDuration(time) === 0 ? 0 : readDuration(time),
    )
    if (first === undefined || times.length > 2) return undefined
    if (kind === 'constant' && times.length === 1) return { kind, ms: first }
    if (second === undefined) return undefined
    if (kind === 'uniform' && first <= second) return { kind, fromMs: first, toMs: second }
    if (kind === 'lognormal' && 0 < first && first < second) return { kind, medianMs: first, p95Ms: second }
    return undefined
  },
  (time) => (time.kind === 'constant' ? `${time.ms / 1000}s` : time.kind),
)
