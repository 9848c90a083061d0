// Annotations for failed questions, failed gates and faults: what a CI system shows beside log and file.
import type { GateOutcome } from '../domain/summary.ts'
import { plural } from '../domain/format.ts'
import { type Failure, RANKS, withAnswer } from '../domain/turn.ts'
import type { Failures } from './failures.ts'
import { shorten } from './escape.ts'

/** GitHub shows ten annotations of a step and silently drops the others. */
const MAX_ANNOTATIONS = 10
/** Newly failing questions come first, and leave room for the gates that no question shows. */
const MAX_NEWLY = 8
const MAX_SENTENCES = 5
const MAX_LENGTH = 300
/** These gates need no annotation: their failed questions have one. */
const LISTED_AS_QUESTIONS: ReadonlySet<string> = new Set(['errors', 'expectations', 'must_pass'])

/** Whoever writes titles and lines escapes them: they are untrusted. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice'
  readonly title: string
  readonly lines: readonly string[]
  /** The path is relative to the working directory. */
  readonly file?: string
  readonly line?: number
}

export interface Annotations {
  readonly count: number
  /** They are ordered by rank; the gravest comes first. */
  readonly items: readonly { readonly annotation: Annotation; readonly rank: number }[]
}

/**
 * `paths` are the question sets by `Question.file`, relative to the working directory; undefined if a set is
 * outside of it. `target` begins each title; undefined for a target without a name.
 */
export function annotationsOf(
  { items, failed, errored }: Failures,
  gates: readonly GateOutcome[],
  paths: readonly (string | undefined)[],
  target: string | undefined,
): Annotations {
  const prefix = target === undefined ? '' : `${shorten(target, 60)} / `
  const failedGates = gates
    .filter(({ name, passed }) => !passed && !LISTED_AS_QUESTIONS.has(name))
    .map(({ name, reason }): Annotation => ({
      level: 'error',
      title: `${prefix}gate failed: ${shorten(name, 60)}`,
      lines: [shorten(reason.text, MAX_LENGTH)],
    }))
  const questions = items.map((failure, index) => ({
    annotation: annotationOf(failure, paths[failure.question.file], prefix),
    rank: failure.rank === 'newly' && index < MAX_NEWLY ? 0 : 2 + RANKS.indexOf(failure.rank),
  }))
  return {
    count: failed + errored + failedGates.length,
    items: [...questions, ...failedGates.map((annotation) => ({ annotation, rank: 1 }))],
  }
}

/** Lists at most ten for all runs of a command, the gravest first. The last one counts the rest. */
export function annotate(runs: readonly Annotations[]): Annotation[] {
  const count = runs.reduce((sum, run) => sum + run.count, 0)
  const room = count > MAX_ANNOTATIONS ? MAX_ANNOTATIONS - 1 : MAX_ANNOTATIONS
  const shown = runs
    .flatMap(({ items }) => items.map((item, index) => ({ ...item, index })))
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .slice(0, room)
    .map(({ annotation }) => annotation)
  if (count <= MAX_ANNOTATIONS) return shown
  const rest = `${plural(count - shown.length, 'more failure')}: see results.csv`
  return [...shown, { level: 'notice', title: 'assist-harness', lines: [rest] }]
}

/** Finds the line of a fault of an option or a file, where it has one (`set.csv:3 (row 2)`). */
export function annotateFault({ path, message }: Readonly<Record<'path' | 'message', string>>): Annotation {
  const [, file, line] = /^(.+?):(\d+)(?: \(row \d+\))?$/.exec(path) ?? []
  const place = file === undefined ? {} : { file, line: Number(line) }
  return { level: 'error', title: 'assist-harness', lines: [shorten(message, MAX_LENGTH)], ...place }
}

function annotationOf(failure: Failure, file: string | undefined, prefix: string): Annotation {
  const { question, kind, type, unmet, excuse } = failure
  const lines = [...unmet.slice(0, MAX_SENTENCES).map(withAnswer), `Question: ${question.message}`]
  return {
    level: excuse === undefined ? 'error' : 'warning',
    title: `${prefix}${shorten(question.id, 60)}: ${kind === 'failed' ? 'failed expectation' : type}`,
    lines: lines.map((line) => shorten(line, MAX_LENGTH)),
    ...(file === undefined ? {} : { file, line: question.line }),
  }
}
