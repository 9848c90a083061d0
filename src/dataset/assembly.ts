// Rows and their order to threads: names are found, turns numbered from 1.
import type { Question, Thread } from '../domain/question.ts'
import type { IdDeriver } from './identity.ts'
import type { Row } from './row.ts'

/** A row with the cells that are carried along, by column. */
export type Draft = Omit<Row, 'cells'> & { readonly cells: Record<string, string> }

/** `groups`: numbers of the drafts, a thread each, in the order of the turns. */
export function assembleThreads(
  drafts: readonly Draft[],
  groups: readonly (readonly number[])[],
  file: number,
  ids: IdDeriver,
): Thread[] {
  const names = new Set(drafts.map(({ thread }) => thread))
  const threads: Thread[] = []
  for (const group of groups) {
    const [first, ...later] = group.flatMap((row) => drafts[row] ?? [])
    if (first === undefined) continue
    const id = first.id === '' ? ids.derive(first) : first.id
    const name = first.thread === '' ? nameAlone(id, names) : first.thread
    const finish = (draft: Draft, place: number): Question =>
      createQuestion(draft, draft.id === '' ? ids.derive(draft) : draft.id, name, place, file)
    const turns = later.map((draft, index) => finish(draft, index + 2))
    threads.push({ name, turns: [createQuestion(first, id, name, 1, file), ...turns] })
  }
  return threads
}

/** A question without a thread is in one of its own, named like its id; a thread that has that name keeps it. */
function nameAlone(id: string, names: Set<string>): string {
  let name = id
  for (let number = 2; names.has(name); number += 1) name = `${id} (${number})`
  names.add(name)
  return name
}

function createQuestion(draft: Draft, id: string, thread: string, turn: number, file: number): Question {
  const { message, endUserRef, tags, expect, mustPass, review, note, cells, line } = draft
  return {
    id,
    thread,
    turn,
    message,
    ...(endUserRef !== undefined && { endUserRef }),
    tags: [...tags],
    ...(expect !== undefined && { expect }),
    mustPass,
    ...(review !== '' && { review }),
    ...(note !== '' && { note }),
    cells,
    file,
    line,
  }
}
