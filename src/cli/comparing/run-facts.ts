// What a comparison tells of each of its runs before any figure: what it is called, what it asked, and how much of it.
import { basename, resolve } from 'node:path'
import type { TurnSummary } from '../../analysis/comparison/turn-summary.ts'
import type { ComparedRunFacts } from '../../domain/comparison/comparison.ts'
import type { ComparedRun, ReadRun } from './compared-run.ts'

/** Runs of one name are told apart by their folders. */
export function factsOf(runs: readonly (ReadRun & { readonly run: ComparedRun })[]): ComparedRunFacts[] {
  const names = runs.map(({ run }) => basename(resolve(run.path)))
  const facts: ComparedRunFacts[] = []
  for (const [place, { run, turns, summary }] of runs.entries()) {
    const { manifest } = run
    const name = names[place] ?? ''
    facts.push({
      label: names.indexOf(name) === names.lastIndexOf(name) ? name : run.path,
      id: manifest?.runId ?? name,
      target: manifest?.target.name ?? 'another tool',
      organization: manifest?.target.organization ?? '',
      startedAt: manifest?.startedAt ?? null,
      state: summary?.state ?? 'complete',
      datasets: manifest?.datasets.map(({ path }) => path) ?? [name],
      turns: turns.length,
      questions: countQuestions(turns),
    })
  }
  return facts
}

function countQuestions(turns: Iterable<TurnSummary>): number {
  const ids = new Set<string>()
  for (const { id } of turns) void ids.add(id)
  return ids.size
}
