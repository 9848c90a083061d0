// What a run sent of its sets: all, or a part.
import { PART_COLUMN } from '../../domain/question.ts'
import type { ShardPosition } from '../../domain/shard.ts'
import type { RecordedOptions } from '../../options/manifest.ts'
import type { Model } from './fold.ts'

export interface Selected {
  readonly manifest: { readonly options: RecordedOptions; readonly shard?: ShardPosition | undefined }
  readonly model: Pick<Model, 'questions'>
}

/** Questions that were asked again are marked. */
export const isMarked = ({ questions }: Selected['model']): boolean =>
  questions.some((question) => (question?.cells[PART_COLUMN] ?? '') !== '')

export const selects = ({ options: { tag, grep, sample }, shard }: Selected['manifest']): boolean =>
  tag.length > 0 || grep !== null || sample !== null || shard !== undefined

/** The run lacks questions of its set. */
export const isOfPart = ({ manifest, model }: Selected): boolean => selects(manifest) || isMarked(model)
