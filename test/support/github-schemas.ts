// GitHub's own parsers of workflows and actions, with their schemas.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { parseWorkflow } from '@actions/workflow-parser'
import { build } from 'esbuild'
import { projectRoot } from './program.ts'
import { temporaryFolder } from './temporary.ts'

type Parse = typeof parseWorkflow

interface Parsers {
  readonly parseWorkflow: Parse
  readonly parseAction: Parse
  readonly NoOperationTraceWriter: new () => Extract<Parameters<Parse>[1], { info: unknown }>
}

/** What is wrong with the text of a file, in the words of GitHub. */
export type FaultsOf = (name: string, content: string) => string[]

/** The package imports JSON in a way that Node rejects, so a bundle of it is loaded. */
export async function loadGithubSchemas(): Promise<{ workflow: FaultsOf; action: FaultsOf }> {
  const outfile = join(temporaryFolder(), 'github.mjs')
  const contents = `export { parseWorkflow, NoOperationTraceWriter } from '@actions/workflow-parser'
export { parseAction } from '@actions/workflow-parser/actions/action-parser'`
  const stdin = { contents, resolveDir: projectRoot }
  await build({ stdin, outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'error' })
  const {
    parseWorkflow: workflow,
    parseAction: action,
    NoOperationTraceWriter: Trace,
  } = (await import(pathToFileURL(outfile).href)) as Parsers
  const faultsOf =
    (parse: Parse): FaultsOf =>
    (name, content) =>
      parse({ name, content }, new Trace())
        .context.errors.getErrors()
        .map(({ message }) => message)
  return { workflow: faultsOf(workflow), action: faultsOf(action) }
}
