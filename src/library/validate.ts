// `validate` for programs: what a question set holds, or everything that is wrong with it.
import { orShipped } from '../cli/shipped.ts'
import type { Fault } from '../dataset/remarks.ts'
import { surveyQuestionSets } from '../dataset/survey.ts'
import type { Survey } from '../domain/survey.ts'
import { checkValidate, refuseNoSet } from './arguments.ts'
import { callOwn } from './own-words.ts'
import { readOptions, type RunSettingsWritten } from './options.ts'

export interface ValidateOptions extends Pick<RunSettingsWritten, 'format'> {
  /** CSV files. */
  readonly datasets: readonly string[]
}

export type ValidateResult =
  | { readonly kind: 'sound'; readonly survey: Survey }
  | {
      readonly kind: 'faulty'
      readonly faults: readonly Fault[]
      /** How many more there are than are listed. */
      readonly faultsLeftOut: number
      readonly warnings: readonly string[]
    }

/** Faults of the sets are a result; rejects with UsageError for options that mean nothing. Nothing is sent or written. */
export async function validate(options: ValidateOptions): Promise<ValidateResult> {
  checkValidate(options)
  const { datasets, ...written } = options
  return callOwn(ignore, async () => {
    refuseNoSet(datasets, {})
    const { format } = readOptions(written, ['format'])
    const result = await surveyQuestionSets(
      datasets.map((path) => orShipped(path, ignore)),
      { format },
    )
    if (result.kind === 'sound') return result
    const { faults, truncated, warnings } = result
    return { kind: 'faulty', faults, faultsLeftOut: truncated, warnings }
  })
}

const ignore = (): void => undefined
