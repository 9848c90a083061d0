// GitHub Actions: the summary for the page of the job, annotations for its log.
import { appendFileSync, statSync } from 'node:fs'
import { say } from './output.ts'

/** GitHub refuses the whole summary of a step that is longer. */
const MOST_BYTES = 1024 * 1024

type Environment = Readonly<Record<string, string | undefined>>

/** Does nothing outside of GitHub Actions. Never throws: a run is not worse for a page that cannot be written. */
export function tellGithub(
  markdown: string,
  annotations: readonly string[],
  env: Environment,
  speak: (line: string) => void = say,
): void {
  const path = env['GITHUB_STEP_SUMMARY']
  if (path !== undefined && path !== '') {
    const problem = appendSummary(path, markdown)
    if (problem !== undefined) speak(`Note: $GITHUB_STEP_SUMMARY was left as it is: ${problem}`)
  }
  if (env['GITHUB_ACTIONS'] !== 'true') return
  for (const annotation of annotations) speak(annotation)
}

/** Returns why it could not be appended; undefined if it was. Several steps of a script may share the file. */
function appendSummary(path: string, markdown: string): string | undefined {
  try {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
    const text = size === 0 ? markdown : `\n${markdown}`
    if (size + Buffer.byteLength(text) > MOST_BYTES)
      return 'with this summary it would be longer than GitHub takes'
    appendFileSync(path, text)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : 'it cannot be written'
  }
}
