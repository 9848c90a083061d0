// What the server and the page of the workbench tell each other, as JSON. Paths are relative to the folder,
// with `/`. Every answer that is not 2xx is a `Refusal`.
import type { PageTurn } from '../domain/conversations.ts'
import type { ListedRun } from '../domain/listed-run.ts'
import type { Review } from '../domain/review.ts'
import type { SetFault, ViewedSet } from '../domain/viewed-set.ts'
import type { PageContents } from '../page/store.ts'
import type { Document } from '../report/document.ts'
import type { Requests } from './requests.ts'

export type { SetFault, SetSurvey } from '../domain/viewed-set.ts'
export type { Requests } from './requests.ts'

export interface Views {
  readonly '/api/session': WorkbenchSession
  readonly '/api/runs': readonly ListedRun[]
  /** `?path=` of a run or a comparison. */
  readonly '/api/run': RunView
  /** `?path=&column=NAME=HEADER…` */
  readonly '/api/set': SetView
  /** The last run that was held against articles; null without one. */
  readonly '/api/articles': { readonly run: string | null }
}

/** What POST answers, beside `/api/upload?name=`, whose body is the file (`application/octet-stream`). */
export interface Answers extends Record<keyof Requests, unknown> {
  readonly '/api/review': Nothing
  readonly '/api/compare': Made
  readonly '/api/report': ReportFiles
  /** Once it sends. */
  readonly '/api/start': Made
  readonly '/api/stop': Nothing
  readonly '/api/resume': Made
  readonly '/api/again': Made
  readonly '/api/ask': Asked
  readonly '/api/set': Made
  readonly '/api/set/add': Made
}

export type Nothing = Readonly<Record<string, never>>

export interface Made {
  readonly path: string
}

/** Why something was not done: 400 invalid, 401 no session, 403 not allowed, 404 not there, 507 disk. */
export interface Refusal {
  readonly error: string
  readonly faults: readonly SetFault[]
}

export interface WorkbenchSession {
  readonly folder: string
  readonly isReadOnly: boolean
  readonly targets: readonly TargetInfo[]
  readonly calls: Calls
  /** Tables of the folder that may be question sets, and the one that is shipped. */
  readonly sets: readonly string[]
  /** The account of this machine that serves it. */
  readonly reviewer: string
}

/** `isSandbox`: costs nothing. `problem`: why nothing can be sent there, and what to do. */
export interface TargetInfo {
  readonly name: string
  readonly isSandbox: boolean
  readonly baseUrl: string | null
  readonly problem: string | null
}

/** Calls of this session that cost: those to targets off this machine, or all if `--max-calls` was given. */
export interface Calls {
  readonly made: number
  /** Null: no limit. */
  readonly max: number | null
}

/** `GET /api/events`: server-sent events. `runs` holds those that are new or changed. */
export type WorkbenchEvent =
  | { readonly kind: 'runs'; readonly runs: readonly ListedRun[] }
  | { readonly kind: 'calls'; readonly calls: Calls }

/** A run or a comparison. `report`: null until it has one. */
export interface RunView {
  readonly run: ListedRun
  /** This process sends it, and can stop it. */
  readonly isOwn: boolean
  readonly report: Report | null
  /** Why there is none, and none to come; empty otherwise. */
  readonly reason: string
  /** A later one replaces an earlier one of the same question and answer. */
  readonly reviews: readonly Review[]
  /** Where reviews are saved: the run itself, or the candidate of a comparison; null: nowhere. */
  readonly reviewed: string | null
  /** The question sets, in the order of the run's files; null for one outside of the folder. */
  readonly sets: readonly (string | null)[]
}

export interface Report {
  readonly document: Document
  readonly contents: PageContents | null
  /** Blocks of turns: JSON, gzip, base64. */
  readonly turns: readonly string[]
}

/** Each is at `GET /file?path=`. */
export interface ReportFiles {
  readonly files: readonly { readonly path: string; readonly bytes: number }[]
}

export interface SetView extends ViewedSet {
  readonly path: string
}

export interface Asked {
  readonly conversation: string
  /** With its likely article and its facts, where the target has articles. */
  readonly turn: PageTurn
}
