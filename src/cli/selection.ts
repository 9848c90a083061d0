// A part of a question set: whole threads, never half of one.
import type { Question, Thread } from '../domain/question.ts'
import { drawSample, seededRandom } from '../stats/random.ts'
import type { RunSettings } from './options/run-options.ts'
import { createRegexMatcher } from './regex-with-deadline.ts'
import { didYouMean } from './suggest.ts'
import { UsageError } from './usage-error.ts'

/** The threads chosen by --tag, --grep and --sample, in their order. Refuses a choice of nothing. */
export function selectThreads(threads: readonly Thread[], settings: RunSettings): readonly Thread[] {
  const { tag, grep, sample, seed = 1 } = settings
  refuseUnknownTags(threads, tag ?? [])
  const isFound = grep === undefined ? () => true : finder(grep)
  const matches = (test: (question: Question) => boolean) => (thread: Thread) => thread.turns.some(test)
  const chosen = threads
    .filter(matches(({ tags }) => tag === undefined || tags.some((one) => tag.includes(one))))
    .filter(matches(({ message, id }) => isFound(message) || isFound(id)))
  if (chosen.length === 0) throw new UsageError('no question is left after --tag and --grep; choose more')
  return sample === undefined ? chosen : drawSample(chosen, sample, seededRandom(seed))
}

/** Throws UsageError for an expression that backtracks without end. */
function finder(grep: string): (text: string) => boolean {
  const matches = createRegexMatcher()
  return (text) => {
    const found = matches(grep, text)
    if (found === 'timed out')
      throw new UsageError(`--grep ${grep} takes too long on '${text.slice(0, 60)}'; write it more plainly`)
    return found === 'match'
  }
}

function refuseUnknownTags(threads: readonly Thread[], wanted: readonly string[]): void {
  if (wanted.length === 0) return
  const known = new Set(threads.flatMap(({ turns }) => turns.flatMap(({ tags }) => tags)))
  const unknown = wanted.find((tag) => !known.has(tag))
  if (unknown === undefined) return
  const hint =
    didYouMean(unknown, [...known]) || `; it has ${[...known].sort().slice(0, 20).join(', ') || 'no tags'}`
  throw new UsageError(`--tag ${unknown}: no question of the set has this tag${hint}`)
}
