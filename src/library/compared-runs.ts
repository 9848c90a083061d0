// Recorded runs as they are compared, and the files of a comparison. Only reads.
import { basename, join, resolve } from 'node:path'
import type { RecordedArticle } from '../analysis/comparison/edits.ts'
import { type ComparedRuns, compareRuns, type Comparing } from '../analysis/comparison/compare.ts'
import type { ReadableRun } from '../analysis/comparison/graded-runs.ts'
import type { Article } from '../articles/article.ts'
import { type Comparison, DEFAULT_RULES } from '../domain/comparison.ts'
import { openPicker } from '../journal/read.ts'
import { recordedOptions, sentOptions } from '../options/manifest.ts'
import type { RunSettings } from '../options/settings.ts'
import { COMPARISON_COLUMNS } from '../report/comparison-csv.ts'
import { comparisonDocument } from '../report/comparison-document.ts'
import { renderMarkdown } from '../report/markdown.ts'
import { renderSpreadsheet } from '../report/spreadsheet.ts'
import { jsonText, type NamedText } from '../store/files.ts'
import { articlesOf, recordedArticles } from './articles.ts'
import { openRun, type ReadPorts, type RecordedRun } from './recorded-run.ts'
import { VERSION } from './shipped.ts'

/** Throws UsageError if the folder holds no run that can be compared. */
export const openCompared = async (path: string, reading: ReadPorts): Promise<RecordedRun> =>
  openRun(path, 'it cannot be compared with a run', reading)

export function compareRecorded(
  baseline: RecordedRun,
  candidate: RecordedRun,
  settings: RunSettings,
  comparing: Omit<Comparing, 'harnessVersion' | 'options' | 'quota'>,
): ComparedRuns {
  const { failOn, quota } = settings
  const { alpha, margin, minOverlap } = recordedOptions.parse(settings)
  const rules = { failOn: failOn ?? DEFAULT_RULES, areNamed: failOn !== undefined }
  const groundedSources = settings.groundedSources ?? candidate.manifest.options.groundedSources
  const options = { ...rules, alpha, margin, minOverlap, groundedSources }
  const [before, after] = [readable(baseline), readable(candidate)]
  try {
    return compareRuns(before, after, { ...comparing, options, quota, harnessVersion: VERSION })
  } finally {
    before.close()
    after.close()
  }
}

function readable({ folder, manifest, model, notes }: RecordedRun): ReadableRun & { close: () => void } {
  const { path } = folder
  // Of the articles of a sandbox only the folder is known.
  const { knowledgeBase } = manifest.target
  const sent = { ...sentOptions(manifest), '--kb': knowledgeBase && join(path, knowledgeBase) }
  return { path, name: basename(resolve(path)), manifest, model, notes, sent, ...openPicker(folder.journal) }
}

export interface CandidateArticles {
  readonly recorded: readonly RecordedArticle[]
  readonly articles: readonly Article[]
}

/** `given`: those of `--articles`, else the run's own as they are now. */
export async function candidateArticles(
  run: RecordedRun,
  given: readonly Article[] | undefined,
  note: (text: string) => void,
): Promise<CandidateArticles | undefined> {
  const recorded = await recordedArticles(run)
  const articles = recorded && (given ?? (await articlesOf(run, note)))
  return recorded && articles && { recorded, articles }
}

/** Adds what edited articles did to the answers, where both runs recorded theirs. */
export async function withEdits(
  { comparison, rows }: ComparedRuns,
  before: readonly RecordedArticle[] | undefined,
  now: CandidateArticles | undefined,
): Promise<Comparison> {
  if (before === undefined || now === undefined) return comparison
  // Loaded late: most runs have no articles.
  const { findEdits } = await import('../analysis/comparison/edits.ts')
  const { recorded, articles } = now
  const edits = findEdits(rows, { before, now: recorded }, articles, comparison.options.groundedSources)
  const [candidate] = comparison.candidates
  return { ...comparison, candidates: [{ ...candidate, articles: edits }] }
}

export function comparisonFiles(
  folder: string,
  { comparison, rows }: Pick<ComparedRuns, 'comparison' | 'rows'>,
) {
  const table = join(folder, 'comparison.csv')
  const document = comparisonDocument(comparison)
  const files: NamedText[] = [
    // First: it marks the folder as a comparison, which another one may replace.
    [join(folder, 'comparison.json'), jsonText(comparison)],
    [table, renderSpreadsheet({ columns: COMPARISON_COLUMNS, rows })],
    [join(folder, 'comparison.md'), renderMarkdown(document)],
  ]
  return { table, document, files }
}
