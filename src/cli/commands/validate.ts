// `validate`: say everything that is wrong with question sets, or what a sound one holds; write it in our own form.
import { surveyQuestionSets } from '../../dataset/survey.ts'
import { renderSurvey } from '../../report/survey.ts'
import { visible } from '../../report/visible.ts'
import { hideKey } from '../environment.ts'
import { KEY_VARIABLE } from '../api-key/key-variable.ts'
import { EXIT } from '../exit-codes.ts'
import { printForPrograms, say } from '../output.ts'
import type { RunSettings } from '../options/run-options.ts'
import { describeFaults, formatChoice, refuseTwice } from '../question-sets.ts'
import { findTarget, writeSet } from '../write-set.ts'

/** `write`: as typed. Returns the exit code: 0 for sound sets, 2 for faulty ones, of which nothing is written. */
export async function validate(
  datasets: readonly string[],
  settings: RunSettings,
  write: unknown,
): Promise<number> {
  hideKey(KEY_VARIABLE)
  refuseTwice(datasets)
  const target = findTarget(write)
  const result = await surveyQuestionSets(datasets, formatChoice(settings))
  if (result.kind === 'faulty') {
    for (const warning of result.warnings) say(`Note: ${visible(warning)}`)
    say(describeFaults(result.faults, result.truncated ?? 0))
    if (settings.json === true) await printForPrograms(JSON.stringify(result, null, 2))
    return EXIT.usage
  }
  for (const warning of result.survey.warnings) say(`Note: ${visible(warning)}`)
  if (target !== undefined) await writeSet(target, datasets, settings)
  say(renderSurvey(result.survey))
  if (settings.json === true) await printForPrograms(JSON.stringify(result, null, 2))
  return EXIT.ok
}
