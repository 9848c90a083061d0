// What was changed between a run and the one before it, so that their figures are not plainly of the same.
import { compareTexts } from '../../domain/text.ts'
import type { ChangesBefore } from '../../domain/history.ts'
import type { Manifest } from '../../domain/manifest.ts'
import { settingDifferences } from '../comparison/settings.ts'
import type { RecordedRun } from './recorded-run.ts'

/** Those that move no figure of a history, that say who was asked (a series is of one), or that stand as a mark of their own. */
const PASSED_OVER = new Set([
  'endpoint',
  'organization',
  'API key',
  'question set',
  'questions selected',
  'repeats',
  'success status',
  'rate',
  'concurrency',
])

/** `before`: undefined for the first run of a series. */
export function changesBefore(before: RecordedRun | undefined, run: RecordedRun): ChangesBefore {
  if (before === undefined) return { questions: false, settings: [] }
  const settings = settingDifferences(asReported(before), asReported(run)).filter(
    ({ setting }) => !PASSED_OVER.has(setting),
  )
  return { questions: digestsOf(before.manifest) !== digestsOf(run.manifest), settings }
}

/** `report` may have graded a run anew by other rules: those of its summary count. */
function asReported({ manifest, summary }: RecordedRun): Manifest {
  const { groundedSources } = summary.run
  return {
    ...manifest,
    options: { ...manifest.options, groundedSources },
  }
}

const digestsOf = ({ datasets }: Manifest): string =>
  JSON.stringify(datasets.map(({ path, digest }) => `${path} ${digest}`).sort(compareTexts))
