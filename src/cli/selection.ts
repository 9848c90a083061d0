// A part of a question set: whole threads, never half of one.
import type { Question, Thread } from '../domain/question.ts'
import { drawing, seededRandom } from '../stats/random.ts'
import type { RunSettings } from '../library/read-options.ts'
import { createRegexMatcher } from './regex-with-deadline.ts'
import { didYouMean } from '../library/suggest.ts'
import { UsageError } from '../library/usage-error.ts'

/** An array of threads, or threads that are made when they are asked for. */
export interface Choosable extends Iterable<Thread> {
  readonly length: number
  filter(test: (thread: Thread, place: number) => boolean): Choosable
}

/** The threads chosen by --tag, --grep and --sample, in their order. Refuses a choice of nothing. */
export function selectThreads<Some extends Choosable>(threads: Some, settings: RunSettings): Some {
  const { tag, grep, sample, seed = 1 } = settings
  refuseUnknownTags(threads, tag ?? [])
  const isFound = grep === undefined ? () => true : finder(grep)
  const choose = (some: Choosable, test: (question: Question) => boolean): Choosable =>
    some.filter(({ turns }) => turns.some(test))
  // A set may be larger than memory: it is not read where nothing is chosen.
  const tagged =
    tag === undefined ? threads : choose(threads, ({ tags }) => tags.some((one) => tag.includes(one)))
  const chosen =
    grep === undefined ? tagged : choose(tagged, ({ message, id }) => isFound(message) || isFound(id))
  if (chosen.length === 0)
    throw new UsageError(
      `${grep === undefined ? '--tag' : `--grep ${grep}`}: no question is left; choose more`,
    )
  const drawn =
    sample === undefined ? chosen : chosen.filter(drawing(chosen.length, sample, seededRandom(seed)))
  // What filters a kind of list gives one of that kind.
  return drawn as Some
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

function refuseUnknownTags(threads: Iterable<Thread>, wanted: readonly string[]): void {
  if (wanted.length === 0) return
  const known = tagsOf(threads)
  const unknown = wanted.find((tag) => !known.has(tag))
  if (unknown === undefined) return
  const hint =
    didYouMean(unknown, [...known]) || `; it has ${[...known].sort().slice(0, 20).join(', ') || 'no tags'}`
  throw new UsageError(`--tag ${unknown}: no question of the set has this tag${hint}`)
}

export function tagsOf(threads: Iterable<Thread>): Set<string> {
  const known = new Set<string>()
  for (const { turns } of threads) for (const { tags } of turns) for (const tag of tags) known.add(tag)
  return known
}
