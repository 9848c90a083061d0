// What a reader of one part of a run must know: what is judged of the whole alone, and the command that judges it.
import { describePart, type PartResult } from '../domain/shard.ts'

/** `first`: this part's folder, where it is known; the others are somewhere else. */
export const mergeCommand = ({ of }: Pick<PartResult, 'of'>, first = ''): string =>
  first === '' || of === 1
    ? `npx assist-harness merge ${first || `<the run folders of ${of === 1 ? 'the part' : `all ${of} parts`}>`}`
    : `npx assist-harness merge ${first} <the ${of === 2 ? 'folder of the other part' : `folders of the other ${of - 1} parts`}>`

/** `questions`: of this part. */
export function describeShard(part: PartResult, questions: number): string {
  const { judgedByMerge } = part
  const what = questions === 0 ? `${describePart(part)} has no question` : `${describePart(part)} of the set`
  const judged =
    judgedByMerge.length === 0
      ? 'the whole is judged by merge'
      : `what is judged of the whole alone (${judgedByMerge.join(', ')}) is left to merge`
  return `${what}: ${judged}: ${mergeCommand(part)}`
}
