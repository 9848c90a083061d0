// Calls and words of what is left to ask: by file, by tag and in all.
import { MOST_TRIES } from '../../domain/attempt.ts'
import type { PartEstimate, TotalEstimate } from '../../domain/estimate.ts'
import { turnsLeft, type ThreadGroup } from './chain.ts'
import { sizeOf, type TextSize } from './text-size.ts'
import { worstOfGroup, type CallRules } from './worst-case.ts'

/** Gathered one thread at a time. */
interface Part {
  threads: number
  questions: number
  base: number
  worst: number
  words: number
  characters: number
}

export interface PartsEstimate {
  readonly total: TotalEstimate
  /** By the number of the file. */
  readonly files: ReadonlyMap<number, PartEstimate>
  /** By tag, in byte order. */
  readonly tags: Readonly<Record<string, PartEstimate>>
}

/** `callsLeft`: what `--max-calls` leaves for this sitting; null for no end. */
export function estimateParts(
  groups: Iterable<ThreadGroup>,
  rules: CallRules,
  callsLeft: number | null,
): PartsEstimate {
  const all = newPart()
  const files = new Map<number, Part>()
  const tags = new Map<string, Part>()
  let [plain, longestThread] = [0, 0]
  for (const group of groups) {
    const [{ turns }] = group.repeats
    const own = newPart()
    own.threads = 1
    own.worst = worstOfGroup(group, rules)
    longestThread = Math.max(longestThread, turns.length)
    const tagged = new Set<string>()
    for (const [place, { question }] of turns.entries()) {
      const size = sizeOf(question.message)
      const askings = askingsOf(group, place)
      addQuestion(own, size, askings)
      if (question.tags.length === 0) continue
      const turnWorst = worstOfTurn(group, place, rules)
      for (const tag of new Set(question.tags)) {
        const part = partOf(tags, tag)
        addQuestion(part, size, askings)
        part.worst += turnWorst
        if (!tagged.has(tag)) part.threads += 1
        tagged.add(tag)
      }
    }
    plain += group.times * group.repeats.reduce((sum, chain) => sum + turnsLeft(chain), 0)
    addPart(all, own)
    addPart(partOf(files, turns[0].question.file), own)
  }
  const total = finish(all)
  const worst = Math.min(all.worst, callsLeft ?? Infinity)
  return {
    total: {
      ...total,
      calls: {
        base: all.base,
        worst,
        restarts: all.worst - plain,
        worstAttempts: Math.min(all.worst * MOST_TRIES, callsLeft ?? Infinity),
        maxCalls: callsLeft,
      },
      longestThread,
    },
    files: new Map([...files].map(([file, part]) => [file, finish(part)])),
    tags: Object.fromEntries(
      [...tags].sort(([a], [b]) => (a < b ? -1 : 1)).map(([tag, part]) => [tag, finish(part)]),
    ),
  }
}

/** How often the turn is asked if nothing fails. */
const askingsOf = ({ repeats, times }: ThreadGroup, place: number): number =>
  times * repeats.reduce((count, { next }) => (next <= place ? count + 1 : count), 0)

/** What one turn may be counted at most, whatever becomes of the others of its thread. */
function worstOfTurn({ repeats, times }: ThreadGroup, place: number, rules: CallRules): number {
  const conversations = rules.restartOnAmbiguous ? 2 : 1
  const asked = repeats.reduce((sum, chain) => {
    if (turnsLeft(chain) === 0) return sum
    const [own, fromStart] = [chain.next <= place ? 1 : 0, conversations - 1]
    if (!chain.resumed || rules.rotatingIds) return sum + own + fromStart
    // The first answer may find the conversation forgotten, and counts beside the conversations that follow.
    return sum + (chain.next === place ? 1 : 0) + conversations
  }, 0)
  return asked * times
}

const newPart = (): Part => ({ threads: 0, questions: 0, base: 0, worst: 0, words: 0, characters: 0 })

function partOf<K>(parts: Map<K, Part>, key: K): Part {
  const part = parts.get(key) ?? newPart()
  parts.set(key, part)
  return part
}

function addQuestion(part: Part, { words, characters }: TextSize, askings: number): void {
  part.questions += 1
  part.base += askings
  part.words += askings * words
  part.characters += askings * characters
}

function addPart(sum: Part, part: Part): void {
  sum.threads += part.threads
  sum.questions += part.questions
  sum.base += part.base
  sum.worst += part.worst
  sum.words += part.words
  sum.characters += part.characters
}

const finish = ({ base, worst, ...counts }: Part): PartEstimate => ({ ...counts, calls: { base, worst } })
