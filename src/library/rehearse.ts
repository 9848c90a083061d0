// `rehearse`: what an edit of the articles will do to the answers of a recorded run, without a call.
import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { Taught } from '../analysis/articles/consult.ts'
import { gradedQuestions } from '../analysis/figures/graded.ts'
import { rehearse as tryArticles } from '../analysis/articles/rehearse.ts'
import type { Article } from '../articles/article.ts'
import { plural } from '../domain/format.ts'
import type { Rehearsal } from '../domain/rehearsal.ts'
import { optionError, UsageError } from '../options/faults.ts'
import { readOptions, type RunSettings } from '../options/settings.ts'
import type { Document } from '../report/document.ts'
import { renderMarkdown } from '../report/markdown.ts'
import { rehearsalDocument } from '../report/rehearsal-document.ts'
import { jsonText, makeFolder, PRIVATE, writeFiles } from '../store/files.ts'
import { plainName, rejectTaken } from '../store/folder.ts'
import { setOfQuestions } from './again.ts'
import { articlesOf, articlesPath, openArticles, recordedArticles, taughtOf } from './articles.ts'
import { type Ports, realPorts, VERSION } from './ports.ts'
import { openRun, type ReadingOptions, type RecordedRun, startReading } from './recorded-run.ts'
import { pageOf } from './reports.ts'

export interface RehearseOptions extends ReadingOptions<'rehearse'> {
  readonly run: string
}

export interface RehearseResult {
  readonly rehearsal: Rehearsal
  readonly document: Document
  readonly folder: string
  /** Asks what the edit affects again, after it is published; null where it affects nothing. */
  readonly affected: string | null
}

export async function rehearse(
  options: RehearseOptions,
  ports: Ports = realPorts(),
): Promise<RehearseResult> {
  const { run: path, onEvent, ...written } = options
  const settings = readOptions('rehearse', written)
  const { articles: edited } = settings
  if (edited === undefined) throw optionError('articles', 'is missing: name the edited articles')
  const reading = startReading(ports, onEvent)
  const run = await openRun(path, 'only a run has answers that an edit changes', reading)
  const now = await openArticles(edited, settings, reading.note)
  const was = await articlesBefore(run, settings.was, settings, reading.note)
  const folder = settings.out ?? join(path, '..', `rehearsal-${plainName(basename(resolve(path)))}`)
  // A rehearsal may take the place of an earlier one.
  if (!existsSync(join(folder, 'rehearsal.json'))) rejectTaken(folder)
  try {
    const taught = await taughtOf(run, edited, settings)
    const names = { was: settings.was ?? 'the articles of the run', now: edited }
    const { rehearsal, document } = rehearseRun(run, { was, now, taught }, names)
    const set = affectedSet(run, rehearsal, ports)
    const affected = set === null ? null : join(folder, 'affected.csv')
    makeFolder(folder, PRIVATE)
    await writeFiles([
      [join(folder, 'rehearsal.json'), jsonText(rehearsal)],
      [join(folder, 'rehearsal.md'), renderMarkdown(document)],
      [join(folder, 'rehearsal.html'), pageOf(document)],
      ...(affected === null || set === null ? [] : [[affected, set] as const]),
    ])
    return { rehearsal, document, folder, affected }
  } finally {
    run.close()
  }
}

export interface TriedEdit {
  readonly rehearsal: Rehearsal
  readonly document: Document
  /** The set that sends again what the edit affects; null where it affects nothing. */
  readonly affected: string | null
}

/** Does what `rehearse` does with the articles at `edited`, and writes nothing. */
export async function tryEdit(path: string, edited: string, ports: Ports = realPorts()): Promise<TriedEdit> {
  const run = await openRun(path, 'only a run has answers that an edit changes', { ports })
  try {
    const was = await articlesOf(run, () => undefined)
    if (was === undefined) throw new UsageError('The articles of this run are gone.')
    const now = await openArticles(edited, run.manifest.options, () => undefined)
    if (!now.some(({ id }) => was.some((article) => article.id === id)))
      throw new UsageError('None of these files is an article of the run: choose the folder that holds them.')
    const taught = await taughtOf(run, articlesPath(run), {})
    const names = { was: 'the articles of the run', now: 'the edited articles' }
    const { rehearsal, document } = rehearseRun(run, { was, now, taught }, names)
    return { rehearsal, document, affected: affectedSet(run, rehearsal, ports) }
  } finally {
    run.close()
  }
}

/** Null where nothing is affected. */
function affectedSet(run: RecordedRun, { affected }: Rehearsal, ports: Ports): string | null {
  const ids = affected.map(({ id }) => id)
  return ids.length === 0 ? null : setOfQuestions(run, ids, ports).text
}

interface Edited {
  readonly was: readonly Article[]
  readonly now: readonly Article[]
  readonly taught: Taught
}

function rehearseRun(run: RecordedRun, edited: Edited, names: { was: string; now: string }) {
  const { options } = run.manifest
  const rehearsal: Rehearsal = {
    formatVersion: 1,
    harnessVersion: VERSION,
    run: run.path,
    ...names,
    ...tryArticles({
      questions: gradedQuestions(run.model, run.pick, options),
      groundedSources: options.groundedSources,
      ...edited,
    }),
  }
  return { rehearsal, document: rehearsalDocument(rehearsal) }
}

/** Names articles that are not what the run was held against: then the answers are of other texts. */
async function articlesBefore(
  run: RecordedRun,
  path: string | undefined,
  settings: RunSettings,
  note: (text: string) => void,
): Promise<readonly Article[]> {
  const was = path === undefined ? await articlesOf(run, note) : await openArticles(path, settings, note)
  if (was === undefined)
    throw optionError('was', 'is missing: the run knows no articles; name those that it was answered from')
  const recorded = new Map(
    (await recordedArticles(run.folder))?.map(({ article, digest }) => [article, digest]),
  )
  const others = was.filter(({ id, digest }) => (recorded.get(id) ?? digest) !== digest)
  if (others.length > 0)
    note(
      `${plural(others.length, 'article')} of ${path ?? 'the run'} were edited after the run: what it says ` +
        'of them may be of another text',
    )
  return was
}
