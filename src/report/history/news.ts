// What is new in a series, in one sentence: for the first screen and for lists of many series.
import type { HistorySeries, ShareStory } from '../../domain/history.ts'
import { points } from '../differences.ts'
import { percent } from '../numbers.ts'
import { dateOf } from './dates.ts'
import { FIGURE_NAMES, stepWords } from './share-words.ts'

/** Empty where there is nothing to compare with. */
export function newsOf(series: HistorySeries, now?: string): string {
  const told = series.story.filter(({ sinceBefore }) => sinceBefore !== null)
  if (told.length === 0) return ''
  const news: string[] = []
  for (const story of told) {
    const name = FIGURE_NAMES[story.figure]
    // Within a sentence it does not begin with a capital.
    const clause = clauseOf(series, story, { name: news.length === 0 ? name : name.toLowerCase(), now })
    if (clause !== undefined) news.push(clause)
  }
  if (news.length > 0) return `${news.join('; ')}.`
  const names = told.map(({ figure }) => FIGURE_NAMES[figure].toLowerCase()).join(' and ')
  return `No change of ${names} that is more than noise.`
}

/** A step says since when; else the nearest difference that is more than noise. */
function clauseOf(
  series: HistorySeries,
  story: ShareStory,
  words: { readonly name: string; readonly now: string | undefined },
): string | undefined {
  const { name, now } = words
  const { step, sinceBefore, sinceFirst } = story
  if (step !== undefined)
    return `${stepWords(series, step, words)} (${percent(step.before)} before, ${percent(step.now)} since)`
  const change = [sinceBefore, sinceFirst].find((one) => one?.isMoreThanNoise === true)
  if (change === undefined || change === null) return undefined
  const questions = change.isOfOtherQuestions ? ', but the questions were changed' : ''
  return `${name} ${points(change.difference)} since ${dateOf(series, change.since, now)}, more than noise${questions}`
}
