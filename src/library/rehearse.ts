// `rehearse`: what an edit of the articles will do to the answers of a recorded run, without a call.
import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { gradedQuestions } from '../analysis/figures/graded.ts'
import { rehearse as tryEdit } from '../analysis/articles/rehearse.ts'
import type { Article } from '../articles/article.ts'
import { plural } from '../domain/format.ts'
import type { Rehearsal } from '../domain/rehearsal.ts'
import { optionError } from '../options/faults.ts'
import { readOptions, type RunSettings } from '../options/settings.ts'
import type { Document } from '../report/document.ts'
import { renderMarkdown } from '../report/markdown.ts'
import { rehearsalDocument } from '../report/rehearsal-document.ts'
import { jsonText, makeFolder, PRIVATE, writeFiles } from '../store/files.ts'
import { plainName, rejectTaken } from '../store/folder.ts'
import { questionsAgain } from './again.ts'
import { articlesOf, openArticles, readTaught, recordedArticles } from './articles.ts'
import { type Ports, realPorts } from './ports.ts'
import { openRun, type RecordedRun, type ReadingOptions, startReading } from './recorded-run.ts'
import { pageOf } from './reports.ts'
import { VERSION } from './shipped.ts'

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
  const folder = settings.out ?? join(dirname(path), `rehearsal-${plainName(basename(resolve(path)))}`)
  // A rehearsal may take the place of an earlier one.
  if (!existsSync(join(folder, 'rehearsal.json'))) rejectTaken(folder)
  try {
    const { options: judged } = run.manifest
    const { synonyms, decisions } = judged
    const taught = await readTaught({
      synonyms: settings.synonyms ?? (synonyms && join(run.path, synonyms)),
      decisions: settings.decisions ?? (decisions && join(run.path, decisions)),
      articles: edited,
      run: run.path,
    })
    const found = tryEdit({
      questions: gradedQuestions(run.model, run.pick, judged),
      groundedSources: judged.groundedSources,
      was,
      now,
      taught,
    })
    const rehearsal: Rehearsal = {
      formatVersion: 1,
      harnessVersion: VERSION,
      run: path,
      was: settings.was ?? 'the articles of the run',
      now: edited,
      ...found,
    }
    const document = rehearsalDocument(rehearsal)
    makeFolder(folder, PRIVATE)
    await writeFiles([
      [join(folder, 'rehearsal.json'), jsonText(rehearsal)],
      [join(folder, 'rehearsal.md'), renderMarkdown(document)],
      [join(folder, 'rehearsal.html'), pageOf(document)],
    ])
    const ids = rehearsal.affected.map(({ id }) => id)
    const affected = ids.length === 0 ? null : join(folder, 'affected.csv')
    if (affected !== null) await questionsAgain(path, ids, affected, ports)
    return { rehearsal, document, folder, affected }
  } finally {
    run.close()
  }
}

/** Names articles that are not what the run was held against: then the answers are of other texts. */
async function articlesBefore(
  run: RecordedRun,
  path: string | undefined,
  settings: Pick<RunSettings, 'column'>,
  note: (text: string) => void,
): Promise<readonly Article[]> {
  const was = path === undefined ? await articlesOf(run, note) : await openArticles(path, settings, note)
  if (was === undefined)
    throw optionError('was', 'is missing: the run knows no articles; name those that it was answered from')
  const recorded = new Map((await recordedArticles(run))?.map(({ article, digest }) => [article, digest]))
  const others = was.filter(({ id, digest }) => (recorded.get(id) ?? digest) !== digest)
  if (others.length > 0)
    note(
      `${plural(others.length, 'article')} of ${path ?? 'the run'} were edited after the run: what it says ` +
        'of them may be of another text',
    )
  return was
}
