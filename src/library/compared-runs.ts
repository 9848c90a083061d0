// Recorded runs as they are compared, and the files of a comparison. Only reads.
import { basename, join, resolve } from 'node:path'
import type { RecordedArticle } from '../analysis/comparison/edits.ts'
import {
  changedGrounding,
  type ComparedRuns,
  compareRuns,
  type Comparing,
  type ReadableRun,
} from '../analysis/comparison/runs.ts'
import type { Article } from '../articles/article.ts'
import type { CandidateComparison, Comparison } from '../domain/comparison.ts'
import { openPicker } from '../journal/read.ts'
import { UsageError } from '../options/faults.ts'
import { recordedOptions, sentOptions } from '../options/manifest.ts'
import type { RunSettings } from '../options/settings.ts'
import { OPTIONS } from '../options/table.ts'
import { candidateFile, COMPARISON_COLUMNS } from '../report/comparison-csv.ts'
import { comparisonDocument } from '../report/comparison-document.ts'
import { renderMarkdown } from '../report/markdown.ts'
import { renderSpreadsheet } from '../report/spreadsheet.ts'
import { jsonText, type NamedText } from '../store/files.ts'
import { findRunFolders, runFolder } from '../store/folder.ts'
import { readManifest, requireRun } from '../store/manifest.ts'
import { articlesOf, recordedArticles } from './articles.ts'
import { byStart, openRun, type ReadPorts, type RecordedRun } from './recorded-run.ts'
import { VERSION } from './shipped.ts'

const WHY_NOT = 'it cannot be compared with a run'

/** Throws UsageError if the folder holds no run that can be compared. */
export const openCompared = async (path: string, reading: ReadPorts): Promise<RecordedRun> =>
  openRun(path, WHY_NOT, reading)

const { value: rulesValue, unset: defaultRules } = OPTIONS.failOn

/** Compares as these settings say. `runs`: the baseline first. */
export function compareRecorded(
  runs: readonly RecordedRun[],
  settings: RunSettings,
  comparing: Omit<Comparing, 'harnessVersion' | 'options' | 'quota'>,
): ComparedRuns {
  const { failOn, history = [], quota } = settings
  const { alpha, margin, minOverlap } = recordedOptions.parse(settings)
  const rules = { failOn: failOn ?? rulesValue.typed.parse(defaultRules), areNamed: failOn !== undefined }
  const groundedSources = groundedSourcesOf(settings, referenceOf(runs))
  const options = { ...rules, alpha, margin, minOverlap, groundedSources, history }
  return withJournals(runs, (readable) =>
    compareRuns(readable, { ...comparing, options, quota, harnessVersion: VERSION }),
  )
}

/** Opens the journals of these runs for `use`, and closes them again. */
function withJournals<T>(runs: readonly RecordedRun[], use: (runs: readonly ReadableRun[]) => T): T {
  const opened = runs.map((run) => ({ ...run, picker: openPicker(run.folder.journal) }))
  try {
    return use(
      opened.map(({ folder: { path }, manifest, model, notes, picker }) => {
        // Of the articles of a sandbox only the folder is known.
        const { knowledgeBase } = manifest.target
        const sent = { ...sentOptions(manifest), '--kb': knowledgeBase && join(path, knowledgeBase) }
        return { path, name: basename(resolve(path)), manifest, model, notes, sent, pick: picker.pick }
      }),
    )
  } finally {
    for (const { picker } of opened) picker.close()
  }
}

/** The run whose expectations and pass policy apply to all. */
export function referenceOf(runs: readonly RecordedRun[]): RecordedRun {
  const newest = runs.at(-1)
  if (newest === undefined) throw new Error('no run to compare')
  return newest
}

const groundedSourcesOf = (settings: RunSettings, { manifest }: RecordedRun): readonly string[] =>
  settings.groundedSources ?? manifest.options.groundedSources

/** Earlier runs that are read at most. */
const MAX_EARLIER = 30

/**
 * Ids of questions that changed grounding between or within the latest earlier runs of the organization below
 * the folders of `--history`. A run that cannot be compared is left out, with a note.
 */
export async function changedGroundingBefore(
  runs: readonly RecordedRun[],
  settings: RunSettings,
  { note, ports }: Required<ReadPorts>,
): Promise<ReadonlySet<string>> {
  const newest = referenceOf(runs)
  const own = new Set(runs.map(({ manifest }) => manifest.runId))
  const isMeant = ({ manifest }: Pick<RecordedRun, 'manifest'>): boolean =>
    !own.has(manifest.runId) &&
    manifest.target.organization === newest.manifest.target.organization &&
    byStart({ manifest }, newest) < 0
  const leftOut: string[] = []
  const orLeaveOut = async <T>(read: () => Promise<T>): Promise<T[]> => {
    try {
      return [await read()]
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      leftOut.push(error.message)
      return []
    }
  }
  const found: (Pick<RecordedRun, 'manifest'> & { readonly path: string })[] = []
  for (const { path } of (settings.history ?? []).flatMap((root) => findRunFolders(root)))
    found.push(
      ...(await orLeaveOut(async () => ({
        path,
        manifest: requireRun(readManifest(runFolder(path)), path, WHY_NOT),
      }))),
    )
  const earlier: RecordedRun[] = []
  for (const { path } of found.filter(isMeant).toSorted(byStart).slice(-MAX_EARLIER))
    earlier.push(...(await orLeaveOut(async () => openCompared(path, { note, ports }))))
  const [first, ...others] = leftOut
  const more = others.length > 0 ? `; and ${others.length} more` : ''
  if (first !== undefined) note(`--history leaves out what cannot be compared: ${first}${more}`)
  return withJournals(earlier, (readable) => changedGrounding(readable, groundedSourcesOf(settings, newest)))
}

/** Those of a candidate: as its `articles.csv` records them, and with their texts. */
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

/** What edited articles did to the answers, where both runs recorded theirs. */
export async function withEdits(
  { comparison, rows }: Pick<ComparedRuns, 'comparison' | 'rows'>,
  before: readonly RecordedArticle[] | undefined,
  articlesOfCandidate: (index: number) => Promise<CandidateArticles | undefined>,
): Promise<Comparison> {
  if (before === undefined) return comparison
  // Loaded late: most runs have no articles.
  const { findEdits } = await import('../analysis/comparison/edits.ts')
  const { groundedSources } = comparison.options
  const candidates: CandidateComparison[] = []
  for (const [index, candidate] of comparison.candidates.entries()) {
    const now = await articlesOfCandidate(index)
    if (now === undefined) {
      candidates.push(candidate)
      continue
    }
    const { recorded, articles } = now
    const edits = findEdits(rows[index] ?? [], { before, now: recorded }, articles, groundedSources)
    candidates.push({ ...candidate, articles: edits })
  }
  return { ...comparison, candidates }
}

/** In its own folder, or in that of a run: a table and a document for each candidate. */
export function comparisonFiles(
  folder: string,
  { comparison, rows }: Pick<ComparedRuns, 'comparison' | 'rows'>,
) {
  const tables = rows.map((_, index) =>
    join(folder, candidateFile('comparison.csv', comparison.runs, index + 1)),
  )
  const documents = rows.map((_, index) => comparisonDocument(comparison, index))
  const files: NamedText[] = [
    ...rows.map((some, index): NamedText => [
      tables[index] ?? '',
      renderSpreadsheet({ columns: COMPARISON_COLUMNS, rows: some }),
    ]),
    [join(folder, 'comparison.md'), documents.map(renderMarkdown).join('\n')],
    [join(folder, 'comparison.json'), jsonText(comparison)],
  ]
  return { tables, documents, files }
}
