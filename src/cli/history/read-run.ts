// What a folder holds for a history: a run's figures, the usage of a load test, or why it can give neither.
import { existsSync, readFileSync } from 'node:fs'
import type { z } from 'zod'
import type { RecordedLoad, RecordedRun } from '../../analysis/history/recorded-run.ts'
import type { LeftOut } from '../../domain/history/history.ts'
import {
  recordedPartSchema,
  recordedSummarySchema,
  recordedUsageSchema,
} from '../../domain/history/recorded.ts'
import { FORMAT_VERSION, manifestSchema, type Manifest } from '../../domain/manifest.ts'
import { holderOf } from '../folder-lock.ts'
import { hideKey } from '../environment.ts'
import { parseJson } from '../files.ts'
import { journalFault } from '../journal-fault.ts'
import { runFolder } from '../run-folder.ts'
import { shellWord } from '../shell-word.ts'
import type { FoundFolder } from './find-runs.ts'

export type ReadRun =
  | { readonly kind: 'run'; readonly run: RecordedRun }
  /** `load` is undefined where its usage cannot be read. */
  | { readonly kind: 'load'; readonly load: RecordedLoad | undefined; readonly leftOut: LeftOut }
  | { readonly kind: 'unreadable'; readonly leftOut: LeftOut }

/** Of a journal no more than whether it could mend what is missing. */
export async function readRun({ path, name, files }: FoundFolder): Promise<ReadRun> {
  const folder = runFolder(path)
  const unreadable = (reason: string): ReadRun => ({
    kind: 'unreadable',
    leftOut: { folder: name, kind: 'unreadable', reason },
  })
  const json = readJson(folder.manifest)
  if (json.kind === 'fault') return unreadable(`run.json ${json.fault}`)
  const [parsed, part] = [
    parse(manifestSchema, json.value, 'run.json'),
    parse(recordedPartSchema, json.value, 'run.json'),
  ]
  if (parsed.kind === 'fault') return unreadable(parsed.fault)
  if (part.kind === 'fault') return unreadable(part.fault)
  hideKey(parsed.value.target.apiKeyEnv)
  const startedAt = new Date(parsed.value.startedAt)
  if (Number.isNaN(startedAt.getTime()))
    return unreadable('run.json says no time at which the run was started')
  const manifest = { ...parsed.value, startedAt: startedAt.toISOString() }
  const isLoad = manifest.load !== null
  if (isLoad || manifest.findLimit !== undefined) {
    const what = isLoad ? 'a load test' : "a search for the organization's limit"
    const used = readReport(isLoad ? folder.load : folder.limit, recordedUsageSchema)
    const usage =
      used.kind === 'fault'
        ? `its usage is not counted, as ${used.fault}; ${await mend(path, manifest, used.isNewer)}`
        : 'its usage counts in the months'
    const reason = `${what}: its figures are of another kind; ${usage}`
    return {
      kind: 'load',
      load: used.kind === 'fault' ? undefined : { folder: name, manifest, usage: used.value },
      leftOut: { folder: name, kind: 'load', reason },
    }
  }
  const summary = readReport(folder.summary, recordedSummarySchema)
  if (summary.kind === 'fault')
    return unreadable(`${summary.fault}; ${await mend(path, manifest, summary.isNewer)}`)
  const run: RecordedRun = {
    folder: name,
    manifest,
    summary: summary.value,
    hasPage: files.has('report.html'),
    selection: part.value.options.selection,
    ...partsOf(part.value),
  }
  return { kind: 'run', run }
}

/** Which part it is, and which parts it was joined of. */
const partsOf = ({
  shard,
  merged,
}: Pick<z.infer<typeof recordedPartSchema>, 'shard' | 'merged'>): Pick<RecordedRun, 'shard' | 'parts'> => ({
  shard: shard === undefined ? null : `${shard.index}/${shard.of}`,
  parts: merged?.parts.map(({ runId }) => runId) ?? [],
})

type Got<T> =
  | { readonly kind: 'value'; readonly value: T }
  /** `isNewer`: another harness can read it. */
  | { readonly kind: 'fault'; readonly fault: string; readonly isNewer: boolean }

function readReport<T>(path: string, schema: z.ZodType<T>): Got<T> {
  const name = path.replace(/^.*[/\\]/, '')
  const json = readJson(path)
  return json.kind === 'fault' ? { ...json, fault: `${name} ${json.fault}` } : parse(schema, json.value, name)
}

function readJson(path: string): Got<unknown> {
  const fault = (words: string): Got<unknown> => ({ kind: 'fault', fault: words, isNewer: false })
  if (!existsSync(path)) return fault('is missing')
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    return fault(`cannot be read (${error instanceof Error ? error.message : 'unknown'})`)
  }
  try {
    return { kind: 'value', value: parseJson(text) }
  } catch {
    return fault('is torn or no JSON')
  }
}

function parse<T>(schema: z.ZodType<T>, json: unknown, name: string): Got<T> {
  const version =
    typeof json === 'object' && json !== null && 'formatVersion' in json ? json.formatVersion : undefined
  if (typeof version === 'number' && version !== FORMAT_VERSION)
    return {
      kind: 'fault',
      fault: `${name} has format ${version}, and this harness reads ${FORMAT_VERSION}`,
      isNewer: version > FORMAT_VERSION,
    }
  const parsed = schema.safeParse(json)
  if (parsed.success) return { kind: 'value', value: parsed.data }
  const [issue] = parsed.error.issues
  const at = issue?.path.join('.') ?? ''
  const fault = `${name} lacks what a history needs (${at === '' ? '' : `${at}: `}${issue?.message ?? ''})`
  return { kind: 'fault', fault, isNewer: false }
}

/** What gives a folder its figures. */
async function mend(path: string, manifest: Manifest, isNewer: boolean): Promise<string> {
  if (isNewer) return 'update the harness'
  const holder = holderOf(path)
  if (holder !== undefined) return `${holder} is still writing it`
  const { journal, results } = runFolder(path)
  const fault = await journalFault(journal)
  if (fault === undefined) return `npx assist-harness report ${shellWord(path)} writes it anew`
  // As whoever resumes it sees it; its journal may have been lost, too.
  const isRun = manifest.load === null && manifest.findLimit === undefined
  if (isRun && manifest.state === 'running' && !existsSync(results))
    return `no record of a question is left: npx assist-harness run --resume ${shellWord(path)} asks them all`
  return `it cannot be written anew, as journal.ndjson ${fault}, too: put back the journal or the ${isRun ? 'summary' : 'figures'} from a copy`
}
