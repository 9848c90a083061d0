// What `validate` says of sound question sets.
import type { Survey } from '../domain/question.ts'
import { digits, plural } from '../domain/text.ts'
import { alignTable } from './table.ts'
import { shorten, visible } from './visible.ts'

const MOST_TAGS = 30

export function renderSurvey(survey: Survey): string {
  const { files, threads, turns, longestThread, tags, expectations, mustPass } = survey
  const delimiterNames: Record<string, string> = {
    '': 'one column',
    ',': 'comma',
    ';': 'semicolon',
    '\t': 'tab',
  }
  const rows = [
    ...files.map(({ path, encoding, delimiter, rows: count }) => [
      'File',
      `${visible(path)}: ${plural(count, 'row')}, ${encoding}, ${delimiterNames[delimiter] ?? delimiter}`,
    ]),
    [
      'Turns',
      `${digits(turns)} in ${plural(threads, 'thread')}, the longest has ${plural(longestThread, 'turn')}`,
    ],
    ['Tags', describeCounts(tags, 'none')],
    ['Expectations', describeCounts(expectations, 'none')],
    ['Must pass', plural(mustPass, 'turn')],
    ['Calls', `${plural(turns, 'call')}, one a turn; retries and restarts come on top`],
  ]
  return `${alignTable(rows, ['left', 'left']).join('\n')}\n\nSound: it can be asked as it is.`
}

function describeCounts(counts: Readonly<Record<string, number>>, none: string): string {
  const sorted = Object.entries(counts).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  const shown = sorted
    .slice(0, MOST_TAGS)
    .map(([name, count]) => `${shorten(visible(name), 40)} ${digits(count)}`)
  const hidden = sorted.length - shown.length
  return [...shown, ...(hidden > 0 ? [`${digits(hidden)} more`] : [])].join(', ') || none
}
