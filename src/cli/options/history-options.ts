// The options of `history`: those of a run that mean something else to it, and its own.
import * as z from 'zod'
import { define } from './option-spec.ts'
import type { SettingsOf } from './run-options.ts'
import { flagValue, textsValue, textValue } from './values.ts'

const GROUP = 'Which runs, and what is written:'

/** `2026-10-01`, or a time of UTC: as ISO 8601, the order of whose texts is that of the times. */
const sinceValue = z.string().transform((text, context) => {
  const written = text.trim()
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(written)
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/.test(written)
  const date = new Date(written)
  const isReal = !Number.isNaN(date.getTime()) && (!isDay || date.toISOString().startsWith(written))
  if ((isDay || isTime) && isReal) return date.toISOString()
  context.addIssue('must be a day or a time of UTC, like 2026-10-01 or 2026-10-01T06:00Z')
  return z.NEVER
})

export const historyOptions = define({
  out: {
    kind: 'text',
    value: textValue,
    placeholder: 'DIR',
    describe: 'Folder for history.html and history.csv',
    default: 'the folder of the runs itself',
    example: '--out public/history',
    group: GROUP,
  },
  since: {
    kind: 'text',
    value: sinceValue,
    placeholder: 'DATE',
    describe: 'Only runs that were begun on this day or later (UTC)',
    example: '--since 2026-10-01',
    group: GROUP,
  },
  target: {
    kind: 'list',
    value: textsValue,
    placeholder: 'NAME',
    describe: 'Only runs of this target; repeat it for several',
    example: '--target production',
    group: GROUP,
  },
  excel: {
    kind: 'flag',
    value: flagValue,
    describe: "Write history.csv for a double click in Excel: a byte order mark and the set's separator",
    example: '--excel',
    group: GROUP,
  },
  json: {
    kind: 'flag',
    value: flagValue,
    describe: 'Print the figures as JSON on stdout; words for people stay on stderr',
    example: '--json',
    group: GROUP,
  },
})

export type HistorySettings = SettingsOf<typeof historyOptions>
