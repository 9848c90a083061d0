// What the server and the page of the workbench tell each other, as JSON. Paths are relative to the folder,
// with `/`. Every answer that is not 2xx is a `Refusal`.
import type { Decision, NamedSection, NewDecision } from '../domain/articles.ts'
import type { PageTurn } from '../domain/conversations.ts'
import type { ListedRun } from '../domain/listed-run.ts'
import type { Review } from '../domain/review.ts'
import type { ToDo } from '../domain/to-do.ts'
import type { SetChange, SetFault, SetTable } from '../domain/viewed-set.ts'
import type { Block } from '../report/document.ts'
import type { PageData } from '../page/store.ts'

export type { SetFault } from '../domain/viewed-set.ts'

export interface Saved {
  readonly path: string
  readonly change: SetChange | null
}

/** The status says why: 400 invalid, 401 no session, 403 not allowed, 404 not there, 507 disk. */
export interface Refusal {
  readonly error: string
  readonly faults: readonly SetFault[]
}

export interface WorkbenchSession {
  readonly folder: string
  readonly isReadOnly: boolean
  readonly targets: readonly TargetInfo[]
  /** The name of that of the last run, which may be gone; null before the first run. */
  readonly lastTarget: string | null
  /** The path of the last run that was held against articles. */
  readonly articles: string | null
  readonly calls: Calls
  readonly sets: readonly string[]
  /** The account that serves the workbench is proposed as the reviewer. */
  readonly reviewer: string
}

export interface TargetInfo {
  readonly name: string
  /** The sandbox is, unless `--max-calls` counts its calls, too. */
  readonly isFree: boolean
  readonly baseUrl: string | null
  /** It says why nothing can be sent there, and what to do. */
  readonly problem: string | null
}

/** Only calls that cost are counted: those to targets off this machine, or all if `--max-calls` was given. */
export interface Calls {
  readonly made: number
  readonly max: number | null
}

/** `GET /api/events` sends these; `runs` once any of them is new or changed. */
export type WorkbenchEvent =
  | { readonly kind: 'runs'; readonly runs: readonly ListedRun[] }
  | { readonly kind: 'calls'; readonly calls: Calls }
  /** A person has saved it, in any tab. A decision holds for all runs beside that run. */
  | { readonly kind: 'review'; readonly run: string; readonly review: Review }
  | { readonly kind: 'decision'; readonly run: string; readonly decision: NewDecision }

export interface RunView {
  readonly run: ListedRun
  /** This process sends it, and can stop it. */
  readonly isOwn: boolean
  readonly report: PageData | null
  /** It says why there is no report, and none to come; empty otherwise. */
  readonly reason: string
  /** A later one replaces an earlier one of the same question and answer. */
  readonly reviews: readonly Review[]
  /** They hold whatever the report says. */
  readonly decisions: readonly Decision[]
  /** The sets demand or forbid these texts of their questions by now, by id. */
  readonly expected: Readonly<Record<string, readonly string[]>>
  /** Reviews are saved in the run itself, or in the candidate of a comparison; null: nowhere. */
  readonly reviewed: string | null
  /** The articles that the run was held against. */
  readonly articles: readonly Pick<NamedSection, 'article' | 'title'>[]
  /** Expectations are written there, in the order of the run's files. */
  readonly sets: readonly string[]
  /** Headers of these sets, each like `--column`. */
  readonly columns: readonly string[]
}

/** It `says` how often the gate fails without a reason: `would have failed 1 of 38 such nights`. */
export interface SeriesGate {
  readonly series: string
  readonly says: string
}

export interface RunToDo {
  readonly run: ListedRun
  readonly items: readonly ToDo[]
}

export interface SetView {
  readonly path: string
  /** A workbook is saved as CSV beside it; any other set under its own path. */
  readonly savedAs: string
  /** Headers that are read as known columns, each like `--column`. */
  readonly columns: readonly string[]
  readonly table: SetTable
  readonly digest: string | null
  readonly faults: readonly SetFault[]
  /** They show what `validate` and `estimate` show; empty with faults. */
  readonly blocks: readonly Block[]
  readonly worstCalls: number
}

/** A file of the changed folder. */
export interface EncodedFile {
  /** The path in its folder, with `/`. */
  readonly name: string
  readonly base64: string
}

export interface TriedEdit {
  readonly says: string
  readonly blocks: readonly Block[]
  /** The set that sends again what the edit affects; null where it affects nothing. */
  readonly affected: string | null
}

export interface Asked {
  readonly conversation: string
  readonly turn: PageTurn
}
