// What is known of a question set before its first call: what `validate` says of it, and what `estimate` says
// of a run.
import type { Estimate } from '../domain/estimate.ts'
import type { Survey } from '../domain/question.ts'
import { matchBlocks } from './article-blocks.ts'
import { figuresOf, listOf, sectionOf, setsOf, tableOf, verdictOf, warnings } from './blocks.ts'
import type { Block, Document, Figure } from './document.ts'
import { digits, duration, percent, percentRange, rateText, sizeOf } from '../domain/format.ts'

const DELIMITERS: Readonly<Record<string, string>> = {
  '': 'one column',
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
}

export function surveyDocument(survey: Survey): Document {
  const { files, threads, turns, longestThread, tags, expectations, mustPass } = survey
  return {
    title: [setsOf(files)],
    facts: sizeOf(turns, threads),
    at: null,
    verdict: verdictOf('valid', 'nothing was sent'),
    sections: [
      sectionOf(
        'overview',
        figuresOf(
          ...files.map(({ path, encoding, delimiter, sheet, rows }) => ({
            label: 'Rows',
            value: digits(rows),
            note: [
              sheet === undefined
                ? `${encoding}, ${DELIMITERS[delimiter] ?? delimiter}`
                : { untrusted: `sheet ${sheet}` },
              { untrusted: files.length === 1 ? '' : ` · ${nameOf(path)}` },
            ],
          })),
          { label: 'Calls', value: digits(turns), note: 'one per question, plus retries and restarts' },
          { label: 'Longest conversation', value: digits(longestThread), note: 'questions' },
          { label: 'Must pass', value: digits(mustPass) },
        ),
        ...matchBlocks(survey.articles),
        countTable('Tags', tags),
        countTable('Expectations', expectations),
        ...checksOf(survey),
      ),
    ],
  }
}

/** What is no fault, but costs calls or trust, and how the columns were read. */
function checksOf({ files, alike, personalData, singleTags }: Survey): Block[] {
  const placeOf = (file: number, line: number): string =>
    files.length === 1 ? digits(line) : `${nameOf(files[file]?.path ?? '')}:${line}`
  return [
    tableOf(
      'Columns',
      ['Header', 'Read as'],
      files
        .flatMap(({ columns }) => columns)
        .toSorted((a, b) => interestOf(b) - interestOf(a))
        .map(({ header, column }) => [{ untrusted: header }, column ?? 'a column of your own']),
      { half: true, words: 2 },
    ),
    tableOf(
      'Questions alike, with unequal expectations or none',
      ['Question', '', 'Lines'],
      alike.map(({ isEqual, questions }) => [
        { untrusted: questions[0]?.message ?? '' },
        isEqual ? 'equal' : 'nearly equal',
        { untrusted: questions.map(({ file, line }) => placeOf(file, line)).join(', ') },
      ]),
      { words: 3 },
    ),
    tableOf(
      'Personal data in messages',
      ['Line', 'Holds'],
      personalData.map(({ file, line, kinds }) => [{ untrusted: placeOf(file, line) }, kinds.join(', ')]),
      { half: true, words: 2 },
    ),
    listOf(
      'Tags of one question',
      singleTags.map((tag) => ({ text: { untrusted: tag } })),
    ),
  ]
}

/**
 * A terminal shows only the first columns: those that are read under another name than their own, then
 * ordinary ones.
 */
const interestOf = ({ header, column }: Survey['files'][number]['columns'][number]): number =>
  column === null ? 1 : header.toLowerCase() === column ? 0 : 2

const nameOf = (path: string): string => path.replace(/^.*[\\/]/, '')

const countTable = (title: string, counts: Readonly<Record<string, number>>): Block =>
  tableOf(
    title,
    [title, 'Questions'],
    Object.entries(counts)
      .sort(([, a], [, b]) => b - a)
      .map(([name, count]) => [{ untrusted: name }, digits(count)]),
    { half: true },
  )

/** `target`: null if none is named. */
export function estimateDocument(estimate: Estimate, target: string | null): Document {
  const { threads, questions, repeat, files, messages } = estimate
  return {
    title: ['Estimate: ', setsOf(files), ...(target === null ? [] : [' · ', { untrusted: target }])],
    facts: `${sizeOf(questions, threads)}${repeat === 1 ? '' : ` × ${digits(repeat)}`}`,
    at: null,
    verdict: verdictOf('estimated', 'nothing was sent'),
    sections: [sectionOf('overview', figuresOf(...figuresOfEstimate(estimate)), ...warnings(messages))],
  }
}

const NO_SPEED = { unlimited: 'no pace', unknown: 'limit unknown' }

function figuresOfEstimate({ calls, time, quota, nightly, longestThread }: Estimate): Figure[] {
  const { pace } = time
  const speed = pace.kind === 'paced' ? rateText(pace.perSecond) : NO_SPEED[pace.kind]
  const inARow = longestThread > 1 ? `, ${digits(longestThread)} in a row` : ''
  const share = nightly.shareOfQuota
  const ofQuota = share === null ? '' : ` (${percentRange(share.base, share.worst)} of the quota)`
  const quotaFigure = quota && {
    label: 'Quota',
    value: percent(quota.shareOfQuota.base),
    note: `at most ${percent(quota.shareOfQuota.worst)}, of ${digits(quota.calls)} a month`,
  }
  return [
    {
      label: 'Calls',
      value: digits(calls.base),
      note: `at most ${digits(calls.worst)}; a 429 does not count`,
    },
    {
      label: 'Time',
      value: duration(time.ms),
      note: `at least: ${speed}, ${digits(time.concurrency)} in flight${inARow}`,
    },
    ...(quotaFigure === null ? [] : [quotaFigure]),
    {
      label: 'Every night',
      value: digits(nightly.base),
      note: `a month, at most ${digits(nightly.worst)}${ofQuota}`,
    },
  ]
}
