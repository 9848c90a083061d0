// `validate`: say everything that is wrong with question sets, or what a valid one holds.
import { surveyQuestionSets } from '../../dataset/survey.ts'
import { renderSurvey } from '../../report/survey.ts'
import { visible } from '../../report/visible.ts'
import { hideKey } from '../environment.ts'
import { KEY_VARIABLE } from '../api-key/key-variable.ts'
import { EXIT } from '../exit-codes.ts'
import { printForPrograms, say } from '../output.ts'
import type { RunSettings } from '../../library/read-options.ts'
import { describeFaults, refuseTwice } from '../question-sets.ts'

/** Returns the exit code: 0 for valid sets, 2 for faulty ones. */
export async function validate(datasets: readonly string[], settings: RunSettings): Promise<number> {
  hideKey(KEY_VARIABLE)
  refuseTwice(datasets)
  const result = await surveyQuestionSets(datasets, { format: settings.format })
  if (result.kind === 'faulty') {
    for (const warning of result.warnings) say(`Note: ${visible(warning)}`)
    say(describeFaults(result.faults, result.truncated ?? 0))
    if (settings.json === true) await printForPrograms(JSON.stringify(result, null, 2))
    return EXIT.usage
  }
  for (const warning of result.survey.warnings) say(`Note: ${visible(warning)}`)
  say(renderSurvey(result.survey))
  if (settings.json === true) await printForPrograms(JSON.stringify(result, null, 2))
  return EXIT.ok
}
