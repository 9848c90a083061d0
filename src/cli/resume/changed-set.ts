// A recorded set beside what its files hold now: which questions stay, and which are new, edited or gone.
import type { Question } from '../../domain/question.ts'
import { plural } from '../../domain/digits.ts'
import type { PlannedTurn } from '../../runner/thread-state.ts'
import { groupByThread } from '../by-thread.ts'

export interface SetChanges {
  /** The set as it is now, in its order; questions that stay keep their numbers. */
  readonly turns: readonly PlannedTurn[]
  /** Those of them that the journal does not hold, or holds otherwise. */
  readonly toRecord: readonly PlannedTurn[]
  readonly added: readonly Question[]
  /** The same id, another text, end user or place: a new question. */
  readonly edited: readonly Question[]
  readonly removed: readonly Question[]
  /** The same question with other expectations, tags or columns: its answer stands. */
  readonly redefined: readonly Question[]
  /** Questions that stay, first of each thread in which they stand in another order now. */
  readonly reordered: readonly Question[]
  /** Whether the questions that stay are in another order in the set. */
  readonly isMoved: boolean
}

/** `free`: numbers that the run has not given yet. */
export function compareSets(
  recorded: readonly PlannedTurn[],
  current: readonly Question[],
  free: Iterator<number, never>,
): SetChanges {
  const known = new Map(recorded.map((turn) => [turn.question.id, turn]))
  const currentIds = new Set(current.map(({ id }) => id))
  const turns: PlannedTurn[] = []
  const toRecord: PlannedTurn[] = []
  const added: Question[] = []
  const edited: Question[] = []
  const redefined: Question[] = []
  for (const question of current) {
    const before = known.get(question.id)
    const stays = before !== undefined && asks(before.question) === asks(question)
    const turn: PlannedTurn = { index: stays ? before.index : free.next().value, question }
    turns.push(turn)
    if (!stays) (before === undefined ? added : edited).push(question)
    else if (means(before.question) !== means(question)) redefined.push(question)
    if (!stays || JSON.stringify(before.question) !== JSON.stringify(question)) toRecord.push(turn)
  }
  const removed = recorded.map(({ question }) => question).filter(({ id }) => !currentIds.has(id))
  return { turns, toRecord, added, edited, removed, redefined, ...compareOrders(recorded, turns) }
}

/** Of the questions that stand in both. */
function compareOrders(
  recorded: readonly PlannedTurn[],
  current: readonly PlannedTurn[],
): Pick<SetChanges, 'reordered' | 'isMoved'> {
  const staying = new Set(current.map(({ index }) => index))
  const before = recorded.filter(({ index }) => staying.has(index))
  const known = new Set(before.map(({ index }) => index))
  const now = current.filter(({ index }) => known.has(index))
  const ordersBefore = groupByThread(before)
  const reordered = [...groupByThread(now)].flatMap(([thread, [first, ...rest]]) => {
    const order = ordersBefore.get(thread) ?? []
    const isSame = [first, ...rest].every((turn, place) => turn.index === order[place]?.index)
    return isSame ? [] : [first.question]
  })
  return { reordered, isMoved: now.some(({ index }, place) => before[place]?.index !== index) }
}

/** What is sent, and in which conversation. */
const asks = ({ file, thread, message, endUserRef }: Question): string =>
  JSON.stringify([file, thread, message, endUserRef])

/** What is made of the answer. */
const means = ({ expect, tags, mustPass, cells, review, note }: Question): string =>
  JSON.stringify([expect, tags, mustPass, cells, review, note])

/** One line a kind of change, with the first ids; none where nothing changed. */
export function describeChanges(changes: SetChanges): string[] {
  const { added, edited, removed, redefined, reordered, isMoved } = changes
  const line = (questions: readonly Question[], what: string): string[] =>
    questions.length === 0
      ? []
      : [`${plural(questions.length, 'question')} ${what}: ${listFirst(questions.map(({ id }) => id))}`]
  const threads = reordered.map(({ thread }) => thread)
  return [
    ...line(added, 'added'),
    ...line(edited, 'edited'),
    ...line(removed, 'removed'),
    ...line(redefined, 'with other expectations, tags or columns'),
    ...(threads.length > 0
      ? [`${plural(threads.length, 'thread')} with questions in another order: ${listFirst(threads)}`]
      : isMoved
        ? ['the questions in another order, each thread in its own as before']
        : []),
  ]
}

const MOST_NAMES = 5

/** The first few names, and how many more there are. */
export function listFirst(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? `, and ${names.length - MOST_NAMES} more` : ''
  return `${names.slice(0, MOST_NAMES).join(', ')}${more}`
}
