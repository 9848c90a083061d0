// Whether a regular expression certainly ends soon on a text, so that it needs no watch.
import { readChoices, type Choices } from './regex-choices.ts'

/** `timed out`: stopped at its limit of time. `cannot run`: the engine gives up, for the size of expression or answer. */
export type RegexOutcome = 'match' | 'no match' | 'timed out' | 'cannot run'

/** A step takes V8 some nanoseconds, a big class without case perhaps fifty: at most a tenth of a second. */
const MOST_STEPS = 2_000_000

/**
 * An upper bound on the steps of a backtracking matcher: from each place in the text it can walk the tree of all
 * choices, whose leaves are at most the product of the ways at each choice. A repetition of one sign has as many
 * ways as the longest run of that sign in this text. JavaScript has no time limit for regular expressions and a
 * watch from outside costs a thread a call; this spares it for nearly all that people write. `source` is valid
 * under the flags `iu`. Returns a function of the text, so that the source is read once.
 */
export function boundRegex(source: string): (text: string) => boolean {
  const choices = readChoices(source)
  return choices === undefined ? () => false : (text) => countSteps(choices, text) <= MOST_STEPS
}

function countSteps({ factor, repeated, length }: Choices, text: string): number {
  let steps = (text.length + 1) * length * factor
  for (const { run, mosts } of repeated) {
    if (steps > MOST_STEPS) return steps
    const longest = longestRun(run, text)
    for (const most of mosts) steps *= 1 + Math.min(most, longest)
  }
  return steps
}

/** One sign repeated with nothing after it never goes back: linear. */
function longestRun(run: RegExp, text: string): number {
  let longest = 0
  for (const found of text.match(run) ?? []) longest = Math.max(longest, found.length)
  return longest
}
