// What became of a share over the runs of a series, in sentences.
import type { HistorySeries, JudgedFigure, ShareChange, ShareStory } from '../../domain/history.ts'
import { points, pValue } from '../differences.ts'
import { digits, plural } from '../../domain/text.ts'
import { percent } from '../numbers.ts'
import { dateOf } from './dates.ts'

export const FIGURE_NAMES: Readonly<Record<JudgedFigure, string>> = {
  coverage: 'Coverage',
  passed: 'Pass rate',
}

/** The latest value first. */
export function shareSentences(series: HistorySeries, story: ShareStory, now?: string): string[] {
  const { sinceBefore, sinceFirst, extreme, step } = story
  const at = (place: number): string => dateOf(series, place, now)
  return [
    ...(sinceBefore === null
      ? []
      : [changeSentence(`the run before (${at(sinceBefore.since)})`, sinceBefore)]),
    ...(sinceFirst === null
      ? []
      : [
          changeSentence(
            `the first of the last ${completeSince(series, sinceFirst.since)} runs (${at(sinceFirst.since)})`,
            sinceFirst,
          ),
        ]),
    ...(extreme === undefined
      ? []
      : [
          extreme.since === null
            ? `The ${extreme.kind} of all ${extreme.runs + 1} runs of these questions and settings.`
            : `The ${extreme.kind} since ${at(extreme.since)} (${digits(extreme.runs)} runs in between).`,
        ]),
    ...(step === undefined
      ? []
      : [
          `${stepWords(series, step, { now })}: on the mean ${percent(step.now)} in the ${plural(step.runsSince, 'run')} from ${at(step.first)} on, ` +
            `${percent(step.before)} in the ${plural(step.runsBefore, 'run')} before; runs in a random order hardly show that (${pValue(step.p)}).`,
        ]),
  ]
}

/** `It fell with the run of 10 February`. */
export function stepWords(
  series: HistorySeries,
  { before, now: level, first, isAbrupt }: NonNullable<ShareStory['step']>,
  { name = 'It', now }: { readonly name?: string; readonly now: string | undefined },
): string {
  const isFall = level < before
  return isAbrupt
    ? `${name} ${isFall ? 'fell' : 'rose'} with the run of ${dateOf(series, first, now)}`
    : `${name} has ${isFall ? 'fallen' : 'risen'} little by little`
}

function changeSentence(since: string, change: ShareChange): string {
  const { difference, low, high, isMoreThanNoise } = change
  if (difference === 0) return `As in ${since}${caveat(change)}.`
  const range = `${points(low).replace(/ points?$/, '')} to ${points(high)}`
  const noise = isMoreThanNoise ? 'more than noise' : 'within the noise of two runs'
  return `${points(difference)} since ${since}: ${noise} (${range})${caveat(change)}.`
}

function caveat({ isOfOtherQuestions, isOfOtherSettings }: ShareChange): string {
  const changed = [
    ...(isOfOtherQuestions ? ['questions'] : []),
    ...(isOfOtherSettings ? ['settings'] : []),
  ].join(' and ')
  return changed === '' ? '' : `; ${changed} were changed in between, so it is not plainly of the same`
}

/** Complete runs with any figure, the one at the place among them. */
const completeSince = ({ runs }: HistorySeries, place: number): number =>
  runs.slice(place).filter(({ state, answered }) => state === 'complete' && answered > 0).length
