// What the server and the page of the workbench tell each other, as JSON. Paths are relative to the folder,
// with `/`. Every answer that is not 2xx is a `Refusal`.
import type { PageTurn } from '../domain/conversations.ts'
import type { ArticleRecord } from '../domain/articles.ts'
import type { ListedRun } from '../domain/listed-run.ts'
import type { Rating, Review } from '../domain/review.ts'
import type { SetFault, ViewedSet } from '../domain/viewed-set.ts'
import type { Document } from '../report/document.ts'
import type { PageContents } from '../page/store.ts'

export type { SetFault, SetSurvey } from '../domain/viewed-set.ts'

/** Why something was not done: 400 invalid, 401 no session, 403 not allowed, 404 not there, 507 disk. */
export interface Refusal {
  readonly error: string
  readonly faults: readonly SetFault[]
}

/** What was made: its path. */
export interface Made {
  readonly path: string
}

/** `GET /api/session` */
export interface Session {
  /** Its name, for the header. */
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

/** `GET /api/runs` is all `ListedRun`s, in any order. */

/** `GET /api/events`: server-sent events. `runs` holds those that are new or changed. */
export type WorkbenchEvent =
  | { readonly kind: 'runs'; readonly runs: readonly ListedRun[] }
  | { readonly kind: 'calls'; readonly calls: Calls }

/** `GET /api/run?path=`: a run or a comparison. `report`: null until it has one. */
export interface RunView {
  readonly run: ListedRun
  /** This process sends it, and can stop it. */
  readonly isOwn: boolean
  readonly report: Report | null
  /** Why there is none, and none to come; empty otherwise. */
  readonly reason: string
  /** In the order of making: a later one replaces an earlier one of the same question and answer. */
  readonly reviews: readonly Review[]
  /** Where reviews are saved: the run itself, or the candidate of a comparison; null: nowhere. */
  readonly reviewed: string | null
  /** The question sets, in the order of the run's files; null for one outside of the folder. */
  readonly sets: readonly (string | null)[]
}

export interface Report {
  readonly document: Document
  /** Null for a report without conversations. */
  readonly contents: PageContents | null
  /** Blocks of turns: JSON, gzip, base64. */
  readonly turns: readonly string[]
}

/** `POST /api/review`. Without a rating and a note, the review is taken back. */
export interface ReviewRequest {
  readonly run: string
  readonly id: string
  readonly message: string
  readonly answer: string
  readonly review: Rating | null
  readonly note: string
  readonly reviewer: string
}

/** `POST /api/compare`, answered by `{ path }`. */
export interface CompareRequest {
  readonly baseline: string
  readonly candidate: string
}

/** `POST /api/report`: writes the files of a run again, with a workbook. Answered by `ReportFiles`. */
export interface ReportRequest {
  readonly run: string
}
/** Each is at `GET /file?path=`. */
export interface ReportFiles {
  readonly files: readonly { readonly path: string; readonly bytes: number }[]
}

/** `GET /api/set?path=&column=NAME=HEADER…`: a set with all that is wrong with it. */
export interface SetView extends ViewedSet {
  readonly path: string
}

/**
 * `POST /api/set`: saved only if it is valid, as CSV; the old file stays beside it. Answered by `{ path }`;
 * faults are in the `Refusal`, each with the row of this table.
 */
export interface SaveSetRequest {
  readonly path: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Of the view that was edited: nothing is written if the file is another by now. */
  readonly digest: string | null
}

/**
 * `POST /api/set/add`: appends a question, or sets cells of the question with that id or message; a set that
 * is not there is made. Answered by `{ path }`.
 */
export interface AddToSetRequest {
  readonly path: string
  /** By column: `message`, `expect_contains`, … */
  readonly cells: Readonly<Record<string, string>>
}

/** `POST /api/upload?name=`: the file is the body (`application/octet-stream`). Answered by `{ path }`. */

/** `POST /api/start`, answered by `{ path }` of the run once it sends. */
export interface StartRequest {
  readonly set: string
  /** As `--column`: `message=Description`. */
  readonly columns: readonly string[]
  readonly target: string
  /** Null: no budget; only for the sandbox. */
  readonly maxCalls: number | null
  /** A run to compare it with at the end. */
  readonly baseline: string | null
}

/** `POST /api/stop`: as Ctrl-C; answered by `{}`. `POST /api/resume`: answered by `{ path }`. */
export interface StopRequest {
  readonly run: string
}
export interface ResumeRequest {
  readonly run: string
  /** Of the whole run; null: as it was. */
  readonly maxCalls: number | null
}

/**
 * `POST /api/again`: sends these questions with those before them in their conversations, in a run of its
 * own that is compared with `run`. Answered by `{ path }`.
 */
export interface AgainRequest {
  readonly run: string
  readonly ids: readonly string[]
  readonly target: string
}

/** `POST /api/ask`: one question, in the conversation of an earlier one. */
export interface AskRequest {
  readonly target: string
  /** Of an earlier `Asked`; null starts one. */
  readonly conversation: string | null
  readonly message: string
}
export interface Asked {
  readonly conversation: string
  /** With its likely article and its facts, where the target has articles. */
  readonly turn: PageTurn
}

/** `GET /api/articles` */
export interface ArticlesView {
  /** With the records of the last run that has articles. */
  readonly articles: readonly ArticleRecord[]
  /** That run; null where none was held against them. */
  readonly run: string | null
}
