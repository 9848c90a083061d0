// What `validate` says of a set, and `estimate` of a run, before the first call.
import type { Estimate } from '../domain/estimate.ts'
import type { Survey } from '../domain/question.ts'
import { matchBlocks } from './article-blocks.ts'
import { figuresOf, sectionOf, setsOf, tableOf, verdictOf, warnings } from './blocks.ts'
import type { Block, Document, Figure, Text } from './document.ts'
import {
  digits,
  duration,
  listNames,
  percent,
  percentRange,
  range,
  rateText,
  sizeOf,
} from '../domain/format.ts'

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

/** These are no faults, but cost calls or trust. */
function checksOf({ files, equalQuestions, personalData, singleTags }: Survey): Block[] {
  // `2, 3` in one file, `a.csv:2, 3, b.csv:7` in several.
  const placesOf = (places: readonly { readonly file: number; readonly line: number }[]): Text => {
    const named = places.map(({ file, line }, index) =>
      files.length === 1 || places[index - 1]?.file === file
        ? String(line)
        : `${nameOf(files[file]?.path ?? '')}:${line}`,
    )
    return { untrusted: listNames(named) }
  }
  const checks = (title: string, columns: readonly string[], rows: readonly (readonly Text[])[]): Block =>
    tableOf(title, columns, rows, { words: columns.length })
  return [
    checks(
      'Columns',
      ['Header', 'Read as'],
      files
        .flatMap(({ columns }) => columns)
        .filter(({ header, column }) => header.toLowerCase() !== column)
        .toSorted((a, b) => Number(a.column === null) - Number(b.column === null))
        .map(({ header, column }) => [{ untrusted: header }, column ?? 'a column of your own']),
    ),
    checks(
      'Questions asked more than once',
      ['Lines', 'Question'],
      equalQuestions.map((questions) => [placesOf(questions), { untrusted: questions[0]?.message ?? '' }]),
    ),
    checks(
      'Personal data in messages',
      ['Line', 'Holds'],
      personalData.map(({ kinds, ...place }) => [placesOf([place]), kinds.join(', ')]),
    ),
    checks(
      'Tags of one question',
      ['Line', 'Tag'],
      singleTags.map(({ tag, ...place }) => [placesOf([place]), { untrusted: tag }]),
    ),
  ]
}

const nameOf = (path: string): string => path.replace(/^.*[\\/]/, '')

const countTable = (title: string, counts: Readonly<Record<string, number>>): Block =>
  tableOf(
    title,
    [title, 'Questions'],
    Object.entries(counts)
      .sort(([, a], [, b]) => b - a)
      .map(([name, count]) => [{ untrusted: name }, digits(count)]),
  )

/** The workbench shows both for one set. Its messages name the file without its folder. */
export function setBlocks(survey: Survey, estimate: Estimate): Block[] {
  const messages = survey.warnings.map((text) => ({ text: survey.files.reduce(withoutFolder, text) }))
  const blocks = [estimateDocument(estimate, null), surveyDocument(survey)]
    .flatMap(({ sections }) => sections)
    .flatMap((section, index) => section.blocks.filter(({ kind }) => index === 0 || kind !== 'figures'))
  return [...blocks, ...warnings(messages)]
}

const withoutFolder = (text: string, { path }: Survey['files'][number]): string =>
  text.replaceAll(path, () => nameOf(path))

export function estimateDocument(estimate: Estimate, target: string | null): Document {
  const { threads, questions, repeat, files, messages } = estimate
  return {
    title: ['Estimate: ', setsOf(files), ...(target === null ? [] : [' · ', { untrusted: target }])],
    facts: sizeOf(questions, threads, repeat),
    at: null,
    verdict: verdictOf('estimated', 'nothing was sent'),
    sections: [sectionOf('overview', figuresOf(...figuresOfEstimate(estimate)), ...warnings(messages))],
  }
}

function figuresOfEstimate({ calls, time, quota, nightly, longestThread }: Estimate): Figure[] {
  const { pace } = time
  const speed =
    pace.kind === 'unlimited'
      ? 'no pace'
      : pace.kind === 'unknown'
        ? `starting pace ${rateText(pace.startPerSecond)}`
        : rateText(pace.perSecond)
  const inARow = longestThread > 1 ? `, ${digits(longestThread)} in a row` : ''
  const share = nightly.shareOfQuota
  const nightsOf = (each: number): number => Math.floor((quota?.calls ?? 0) / each)
  const nights = `${range(nightsOf(calls.worst), nightsOf(calls.base))} nights`
  const ofQuota =
    share === null
      ? ''
      : share.base > 1 && nightsOf(calls.base) > 1
        ? `; the quota lasts ${nights}`
        : `; ${percentRange(share.base, share.worst)} of the quota`
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
      note: `${time.bound}: ${speed}, ${digits(time.concurrency)} in flight${inARow}`,
    },
    ...(quotaFigure === null ? [] : [quotaFigure]),
    {
      label: 'Every night',
      value: digits(nightly.base),
      note: `a month, at most ${digits(nightly.worst)}${ofQuota}`,
    },
  ]
}
