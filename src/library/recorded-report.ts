// The report of a run or a comparison as data, for programs that show it: read from its page, which carries
// all that it shows.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { readPage } from '../page/read.ts'
import type { PageData } from '../page/store.ts'
import { isHeld } from '../store/lock.ts'
import { readManifest } from '../store/manifest.ts'
import { isRun, runFolder } from '../store/folder.ts'
import { messageOf } from '../options/faults.ts'
import { type Ports, realPorts } from './ports.ts'
import { report } from './report.ts'

export interface RecordedReport {
  /** Null while a process writes the run, and for one without a question sent. */
  readonly page: PageData | null
  /** Says why there is none; empty otherwise. */
  readonly reason: string
  /** Paths of the question sets. */
  readonly sets: readonly string[]
}

export interface RecordedReportOptions {
  readonly folder: string
  /** False: a page that is missing, or of an older version, is not written again. Default: true. */
  readonly mayWrite?: boolean
}

export async function recordedReport(
  options: RecordedReportOptions,
  ports: Ports = realPorts(),
): Promise<RecordedReport> {
  const { folder, mayWrite = true } = options
  const sets = isRun(folder)
    ? readManifest(runFolder(folder)).datasets.map(({ source }) => resolve(folder, source))
    : []
  const recorded = pageIn(folder)
  if (recorded !== undefined) return { page: recorded, reason: '', sets }
  if (!mayWrite || !isRun(folder)) return { page: null, reason: 'It has no report of this version.', sets }
  if (isHeld(folder)) return { page: null, reason: '', sets }
  try {
    await report({ run: folder }, ports)
  } catch (error) {
    return { page: null, reason: messageOf(error), sets }
  }
  return { page: pageIn(folder) ?? null, reason: '', sets }
}

function pageIn(folder: string): PageData | undefined {
  const { page } = runFolder(folder)
  return existsSync(page) ? readPage(readFileSync(page, 'utf8')) : undefined
}
