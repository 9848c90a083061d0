// What the rules and the notes of a comparison say.
import type { GateRule } from '../../domain/comparison.ts'
import {
  digits,
  duration,
  listNames,
  margin as marginText,
  mean,
  percent,
  points,
  WRITTEN,
} from '../../domain/format.ts'
import { makeMessage, type Message } from '../../domain/message.ts'
import type { ListedQuestion } from '../../domain/summary.ts'
import { listQuestions } from '../messages.ts'

export const nothingGated = (): Message => makeMessage('nothing-gated', 'nothing was gated')

export const tooFewShared = (shared: number, share: number, minOverlap: number): Message =>
  makeMessage(
    'overlap-low',
    `too few questions in both runs to compare: ${digits(shared)} (${percent(share)}; --min-overlap ` +
      `${WRITTEN.share(minOverlap)})`,
  )

const ofQuestions = (code: string, what: string, questions: readonly ListedQuestion[]): Message =>
  makeMessage(code, `${what}: ${listQuestions(questions)}`)

export const mustPassNotSent = (questions: readonly ListedQuestion[]): Message =>
  ofQuestions('must-pass-not-sent', 'must_pass questions that passed before were not sent', questions)

export const mustPassNewlyFailing = (questions: readonly ListedQuestion[]): Message =>
  ofQuestions('must-pass-newly-failing', 'must_pass questions newly failing', questions)

export const questionsNewlyFailing = (questions: readonly ListedQuestion[]): Message =>
  ofQuestions('newly-failing', 'newly failing', questions)

type ShareRule = 'grounding' | 'verdicts' | 'availability'

const FIGURES: Readonly<Record<Exclude<GateRule, 'must-pass' | 'newly-failing'>, string>> = {
  grounding: 'grounded',
  verdicts: 'expectations met',
  availability: 'answered',
  latency: 'latency p95',
  quota: 'calls per question',
}

export const nothingToJudge = (rule: keyof typeof FIGURES): Message =>
  makeMessage('nothing-to-judge', `no question has a value for ${FIGURES[rule]} in both runs`)

export const tooFewValues = (rule: ShareRule, questions: number, expected: number): Message => {
  const of = `${digits(questions)} of the ${digits(expected)} questions with a value have one in both runs`
  const text = `too few answers to judge ${FIGURES[rule]}: ${of}`
  return makeMessage('too-few-values', text)
}

const ENDINGS = {
  'not-lower': () => '',
  fell: (margin: string) => `: more than the margin of ${margin}, and more than noise`,
  'within-margin': (margin: string) => `: within the margin of ${margin}`,
  'not-slower': () => '',
  slower: (margin: string) => `: more than ${margin} and more than noise`,
  'within-noise': () => ': within noise',
  'not-more': () => '',
  more: (margin: string) => `: more than ${margin}`,
}

interface Moved {
  readonly baseline: number
  readonly candidate: number
  readonly margin: number
}

export function shareMoved(
  how: 'not-lower' | 'fell' | 'within-margin' | 'within-noise',
  moved: Moved & { readonly rule: ShareRule; readonly questions: number },
): Message {
  const { rule, baseline, candidate, questions, margin } = moved
  const change = `${points(candidate - baseline)} over ${digits(questions)} questions`
  const text = `${FIGURES[rule]} ${percent(baseline)} → ${percent(candidate)} (${change})`
  return makeMessage(`share-${how}`, text + ENDINGS[how](marginText(margin)))
}

export function latencyMoved(
  how: 'not-slower' | 'slower' | 'within-noise',
  { baseline, candidate, margin }: Moved,
): Message {
  const text = `${FIGURES.latency} ${duration(baseline)} → ${duration(candidate)}`
  return makeMessage(`p95-${how}`, text + ENDINGS[how](percent(margin)))
}

export function callsMoved(how: 'not-more' | 'more', moved: Moved): Message {
  const [before, now] = [mean(moved.baseline), mean(moved.candidate)]
  const text = `${FIGURES.quota} ${before} → ${now}${ENDINGS[how](percent(moved.margin))}`
  return makeMessage(`calls-${how}`, text)
}

// The notes.

export const runNotComplete = (run: string, state: string): Message =>
  makeMessage('run-not-complete', `${run} is ${state}. Questions without an outcome are not compared.`)

export const availabilityNotJudged = (questions: number): Message =>
  makeMessage(
    'availability-not-judged',
    `Questions that no longer get an answer: ${digits(questions)}. No gate covers this. Add ` +
      'availability to --fail-on, beside the other rules.',
  )

/** For a verdict: no question is left out in silence. */
export const questionsEdited = (questions: number): Message =>
  makeMessage('questions-edited', `edited questions, left out of the comparison: ${digits(questions)}`)

export const expectationsEdited = (questions: number): Message =>
  makeMessage(
    'expectations-edited',
    `Questions whose expectations changed: ${digits(questions)}. Both runs are graded by the new ones, ` +
      `so figures differ from the baseline's report.`,
  )

export const comparedInPart = (questions: number): Message =>
  makeMessage(
    'compared-in-part',
    `Not all of the set was sent: compared are the questions that both runs sent (${digits(questions)}).`,
  )

export const sentDifferently = (options: readonly string[]): Message =>
  makeMessage('sent-differently', `Sent differently from the baseline: ${listNames(options)}.`)

export const journalNote = (run: string, note: string): Message =>
  makeMessage('journal-note', `${run}: ${note}`)
