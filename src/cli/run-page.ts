// `report.html` of a run: its turns with what became of them since the baseline, where it has one.
import { basename } from 'node:path'
import type { Asked } from '../analysis/asked.ts'
import { runTurns, type RunTurnOptions } from '../analysis/page/run-turns.ts'
import type { ComparisonRow } from '../domain/comparison/change.ts'
import type { Manifest } from '../domain/manifest.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { PageChange, PageTurn } from '../domain/page.ts'
import type { Reviewing } from '../domain/review.ts'
import type { TurnRecord } from '../domain/turn.ts'
import { changeOf, reviewOf } from '../report/page/comparison-turn.ts'
import type { SafeHtml } from '../report/page/html.ts'
import { renderPage } from '../report/page/page.ts'
import { pageAssets } from './page-assets.ts'

/** `regression.csv, 2026-11-20 02:00 UTC`: the same wherever the folder is moved. */
export function nameOfRun({ datasets, startedAt }: Manifest): string {
  const files = datasets.map(({ path }) => basename(path))
  return `${files.join(', ')}, ${startedAt.slice(0, 16).replace('T', ' ')} UTC`
}

export interface RunPage {
  readonly runId: string
  /** Of the run, wherever its folder is moved. */
  readonly name: string
  readonly overview: SafeHtml
  readonly questions: Iterable<Asked>
  readonly groundedSources: readonly string[]
  /** Undefined where no review is known at all. */
  readonly reviewingOf: ((turn: TurnRecord) => Reviewing) | undefined
  readonly baseline: { readonly name: string; readonly changes: PageChanges } | undefined
}

/** Of each question that changed, what became of it, and the repeat that shows it. */
export type PageChanges = ReadonlyMap<string, ShownAt>

interface ShownAt {
  readonly repeat: number
  /** Of the candidate, at that repeat. */
  readonly answer: string | null
  readonly outcome: Outcome | null
  readonly change: PageChange
}

export interface ChangeGatherer {
  readonly add: (row: ComparisonRow) => void
  readonly found: PageChanges
}

/** Rows in which nothing happened are let go, with their answers. */
export function createChangeGatherer(): ChangeGatherer {
  const found = new Map<string, ShownAt>()
  return {
    found,
    add: (row) => {
      if (row.presence === 'both' && row.kinds.length === 0) return
      const { id, candidate } = row
      const change = candidate === null ? null : changeOf(row)
      if (change === null || candidate === null) return
      const { repeat, answer, outcome } = candidate
      found.set(id, { repeat, answer, outcome, change })
    },
  }
}

/** The file's text in pieces. */
export function* renderRunPage(page: RunPage): Generator<string> {
  const { runId, name, overview, questions, groundedSources, reviewingOf, baseline } = page
  // What became of a question was found at one of its repeats; it is so of all that came to the same.
  const changeOfTurn: RunTurnOptions['changeOf'] = ({ question, repeat, outcome }, answer) => {
    const known = baseline?.changes.get(question.id)
    if (known === undefined) return { change: null, changeAt: null }
    const isSame = known.repeat === repeat || (known.answer === answer && known.outcome === (outcome ?? null))
    if (isSame) return { change: known.change, changeAt: null }
    // Where both runs gave the same answer there, nothing is shown that would be worth the way.
    const isNews = known.answer === null || known.answer !== known.change.answer
    return { change: null, changeAt: isNews ? known.repeat : null }
  }
  const turns = function* (): Generator<PageTurn> {
    for (const asked of questions)
      yield* runTurns(asked, {
        groundedSources,
        reviewOf: (turn) => reviewOf(reviewingOf?.(turn) ?? null),
        changeOf: changeOfTurn,
      })
  }
  yield* renderPage({
    title: name,
    overview,
    turns: turns(),
    kind: 'run',
    names: { candidate: name, ...(baseline === undefined ? {} : { baseline: baseline.name }) },
    runs: [runId],
    table: 'results.csv',
    assets: pageAssets(),
  })
}
