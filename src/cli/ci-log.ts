// Annotations and summaries as the commands that GitHub Actions and Azure Pipelines read from a job's log.
import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { Annotation } from '../report/annotations.ts'
import { terminalText as visible } from '../report/escape.ts'

/** One whose log takes commands. `root`: the checkout, to which it resolves the paths of annotations. */
export interface CiLog {
  readonly kind: 'github' | 'azure'
  readonly root: string
}

/** Undefined outside of both; GitLab and Jenkins show `junit.xml` instead. */
export function ciLogOf(env: Readonly<Record<string, string | undefined>>): CiLog | undefined {
  const here = process.cwd()
  if (env['GITHUB_ACTIONS'] === 'true') return { kind: 'github', root: env['GITHUB_WORKSPACE'] ?? here }
  // The agent sets it in this spelling; so do its tasks' environments on all systems.
  if (env['TF_BUILD']?.toLowerCase() === 'true')
    return { kind: 'azure', root: env['BUILD_SOURCESDIRECTORY'] ?? here }
  return undefined
}

/** One line of the log. */
export function annotationCommand(annotation: Annotation, { kind, root }: CiLog): string {
  const { level, title, lines, line } = annotation
  const file = annotation.file === undefined ? undefined : pathFrom(root, annotation.file)
  const place = file === undefined ? undefined : { file, line: String(line ?? 1) }
  switch (kind) {
    case 'github':
      return githubCommand(level, { ...place, title }, lines)
    case 'azure':
      return azureCommand(
        'task.logissue',
        {
          // It has no third level.
          type: level === 'error' ? 'error' : 'warning',
          ...(place && { sourcepath: place.file, linenumber: place.line }),
        },
        [title, ...lines],
      )
  }
}

/** Shows a Markdown file on the page of the run. The agent reads it when it reads the line. */
export const azureSummary = (path: string): string => azureCommand('task.uploadsummary', {}, [path])

/** `file`: relative to the working directory. Undefined outside of `root`. */
function pathFrom(root: string, file: string): string | undefined {
  const path = relative(root, resolve(file))
  return path === '' || path.startsWith('..') || isAbsolute(path) ? undefined : path.split(sep).join('/')
}

/**
 * `::name key=value,…::line%0Aline`, escaped as the toolkit does (actions/toolkit,
 * packages/core/src/command.ts). The runner reads one line as one command.
 */
function githubCommand(
  name: string,
  properties: Readonly<Record<string, string>>,
  lines: readonly string[],
): string {
  const escapeData = (text: string): string =>
    text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const escapeProperty = (text: string): string =>
    escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
  const written = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(visible(value))}`)
  return `::${name} ${written.join(',')}::${lines.map((line) => escapeData(visible(line))).join('%0A')}`
}

/**
 * `##vso[name key=value;…]line%0Aline`, escaped as the task library does (azure-pipelines-task-lib,
 * node/taskcommand.ts). The agent finds `##vso[` anywhere in a line; `visible` breaks it in foreign text.
 */
function azureCommand(
  name: string,
  properties: Readonly<Record<string, string>>,
  lines: readonly string[],
): string {
  const escape = (text: string): string =>
    text
      .replaceAll('%', '%AZP25')
      .replaceAll('\r', '%0D')
      .replaceAll('\n', '%0A')
      .replaceAll(']', '%5D')
      .replaceAll(';', '%3B')
  const written = Object.entries(properties).map(([key, value]) => `${key}=${escape(visible(value))};`)
  const head = written.length === 0 ? name : `${name} ${written.join('')}`
  return `##vso[${head}]${lines.map((line) => escape(visible(line))).join('%0A')}`
}
