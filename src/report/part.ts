// What a reader of one part of a run must know: what is judged of the whole alone, and the command that judges it.
import { describePart, type PartResult } from '../domain/shard.ts'

/** `first`: this part's folder, where it is known; the others are somewhere else. */
export const mergeCommand = ({ of }: Pick<PartResult, 'of'>, first = ''): string =>
  first === '' || of === 1
    ? `npx assist-harness merge ${first || `<the run folders of ${of === 1 ? 'the part' : `all ${of} parts`}>`}`
    : `npx assist-harness merge ${first} <the ${of === 2 ? 'folder of the other part' : `folders of the other ${of - 1} parts`}>`

export function describeShard(part: PartResult): string {
  const { judgedByMerge } = part
  const gates = judgedByMerge.length === 0 ? '' : ` (${judgedByMerge.join(', ')})`
  return `${describePart(part)} of the set: its thresholds and baseline${gates} are judged by merge: ${mergeCommand(part)}`
}
