// Counts the contents of question sets for `validate`.
import type { Expectations, Survey } from '../domain/question.ts'
import { readQuestionSets, type ReadResult } from './read.ts'

export type SurveyResult =
  { readonly kind: 'valid'; readonly survey: Survey } | Extract<ReadResult, { readonly kind: 'faulty' }>

const COLUMN_OF: Readonly<Record<keyof Expectations, string>> = {
  source: 'expect_source',
  contains: 'expect_contains',
  notContains: 'expect_not_contains',
  regex: 'expect_regex',
  answer: 'expect_answer',
  maxLatencyMs: 'max_latency_ms',
}

export async function surveyQuestionSets(paths: readonly string[], format?: string): Promise<SurveyResult> {
  const reading = await readQuestionSets(paths, format)
  if (reading.kind === 'faulty') return reading
  const { files, threads, warnings } = reading.set
  const questions = threads.flatMap(({ turns }) => turns)
  const expected = questions.flatMap(({ expect = {} }) => Object.keys(expect) as (keyof Expectations)[])
  return {
    kind: 'valid',
    survey: {
      files,
      threads: threads.length,
      turns: questions.length,
      longestThread: threads.reduce((most, { turns }) => Math.max(most, turns.length), 0),
      tags: countByName(questions.flatMap(({ tags }) => tags)),
      expectations: countByName(expected.map((name) => COLUMN_OF[name])),
      mustPass: questions.filter(({ mustPass }) => mustPass).length,
      warnings,
    },
  }
}

function countByName(names: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries(counts)
}
