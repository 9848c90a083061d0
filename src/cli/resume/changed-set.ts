// A recorded set beside what its files hold now: which questions stay, and which are new, edited or gone.
import type { Question } from '../../domain/question.ts'
import type { PlannedTurn } from '../../runner/thread-state.ts'

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
}

/** `firstFree`: the lowest number that the journal has not given yet. */
export function compareSets(
  recorded: readonly PlannedTurn[],
  current: readonly Question[],
  firstFree: number,
): SetChanges {
  const known = new Map(recorded.map((turn) => [turn.question.id, turn]))
  const currentIds = new Set(current.map(({ id }) => id))
  let free = firstFree
  const turns: PlannedTurn[] = []
  const toRecord: PlannedTurn[] = []
  const added: Question[] = []
  const edited: Question[] = []
  const redefined: Question[] = []
  for (const question of current) {
    const before = known.get(question.id)
    const stays = before !== undefined && asks(before.question) === asks(question)
    const turn: PlannedTurn = { index: stays ? before.index : free++, question }
    turns.push(turn)
    if (!stays) (before === undefined ? added : edited).push(question)
    else if (means(before.question) !== means(question)) redefined.push(question)
    if (!stays || JSON.stringify(before.question) !== JSON.stringify(question)) toRecord.push(turn)
  }
  const removed = recorded.map(({ question }) => question).filter(({ id }) => !currentIds.has(id))
  return { turns, toRecord, added, edited, removed, redefined }
}

/** What is sent, and in which conversation. */
const asks = ({ file, thread, message, endUserRef }: Question): string =>
  JSON.stringify([file, thread, message, endUserRef])

/** What is made of the answer. */
const means = ({ expect, tags, mustPass, cells }: Question): string =>
  JSON.stringify([expect, tags, mustPass, cells])

/** One line a kind of change, with the first ids; none where nothing changed. */
export function describeChanges({ added, edited, removed, redefined }: SetChanges): string[] {
  const line = (questions: readonly Question[], what: string): string[] => {
    const ids = questions.slice(0, MOST_IDS).map(({ id }) => id)
    const more = questions.length > MOST_IDS ? `, and ${questions.length - MOST_IDS} more` : ''
    const count = questions.length === 1 ? '1 question' : `${questions.length} questions`
    return questions.length === 0 ? [] : [`${count} ${what}: ${ids.join(', ')}${more}`]
  }
  return [
    ...line(added, 'added'),
    ...line(edited, 'edited'),
    ...line(removed, 'removed'),
    ...line(redefined, 'with other expectations, tags or columns'),
  ]
}

const MOST_IDS = 5
