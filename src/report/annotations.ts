// Annotations for failed questions, failed gates and faults: what a CI system shows beside log and file.
import type { GateOutcome } from '../domain/summary.ts'
import { plural } from '../domain/format.ts'
import type { FailedQuestion, Failures } from './standing.ts'
import { shorten } from './escape.ts'

/** GitHub shows ten annotations of a step and silently drops the others. */
const MAX_ANNOTATIONS = 10
const MAX_SENTENCES = 5
const MAX_LENGTH = 300
/** These gates need no annotation: their failed questions have one. */
const LISTED_AS_QUESTIONS: ReadonlySet<string> = new Set(['errors', 'expectations', 'must_pass'])

export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice'
  readonly title: string
  /** Like the title, foreign text: whoever writes it escapes it. */
  readonly lines: readonly string[]
  /** Relative to the working directory. */
  readonly file?: string
  readonly line?: number
}

export interface Annotations {
  readonly count: number
  readonly newly: readonly Annotation[]
  readonly gates: readonly Annotation[]
  readonly failures: readonly Annotation[]
  /** They fail no gate. */
  readonly excused: readonly Annotation[]
}

/**
 * `paths`: the question sets by `Question.file`, relative to the working directory; undefined if a set is
 * outside of it. `target`: begins each title; undefined for a target without a name.
 */
export function annotationsOf(
  { failed, errored }: Failures,
  gates: readonly GateOutcome[],
  paths: readonly (string | undefined)[],
  target: string | undefined,
): Annotations {
  const prefix = target === undefined ? '' : `${shorten(target, 60)} / `
  const found = [...failed.items, ...errored.items]
  const ofRanks = (...ranks: FailedQuestion['rank'][]): Annotation[] =>
    found.filter(({ rank }) => ranks.includes(rank)).map((question) => annotationOf(question, paths, prefix))
  const failedGates = gates
    .filter(({ name, passed }) => !passed && !LISTED_AS_QUESTIONS.has(name))
    .map(({ name, reason }): Annotation => ({
      level: 'error',
      title: `${prefix}gate failed: ${shorten(name, 60)}`,
      lines: [shorten(reason.text, MAX_LENGTH)],
    }))
  return {
    count: failed.count + errored.count + failedGates.length,
    newly: ofRanks('newly'),
    gates: failedGates,
    failures: ofRanks('mustPass', 'other'),
    excused: ofRanks('tolerated', 'known'),
  }
}

/**
 * At most ten for all runs of a command, in this order: newly failing questions, up to the
 * room left for the gates, failed gates, other failures, failures that fail no gate. The last one counts the
 * rest.
 */
export function annotate(runs: readonly Annotations[]): Annotation[] {
  const count = runs.reduce((sum, run) => sum + run.count, 0)
  const room = count > MAX_ANNOTATIONS ? MAX_ANNOTATIONS - 1 : MAX_ANNOTATIONS
  // The first of each run, then the second of each.
  const all = (kind: 'newly' | 'gates' | 'failures' | 'excused'): Annotation[] =>
    runs
      .flatMap((run) => run[kind].map((annotation, index) => ({ annotation, index })))
      .sort((a, b) => a.index - b.index)
      .map(({ annotation }) => annotation)
  const [newly, gates] = [all('newly'), all('gates')]
  const first = newly.splice(0, Math.max(1, room - gates.length))
  const shown = [...first, ...gates, ...newly, ...all('failures'), ...all('excused')].slice(0, room)
  if (count <= MAX_ANNOTATIONS) return shown
  const rest = `${plural(count - shown.length, 'more failure')}: see results.csv`
  return [...shown, { level: 'notice', title: 'assist-harness', lines: [rest] }]
}

/** A fault of an option or a file, at its line where it has one (`set.csv:3 (row 2)`). */
export function annotateFault({ path, message }: Readonly<Record<'path' | 'message', string>>): Annotation {
  const [, file, line] = /^(.+?):(\d+)(?: \(row \d+\))?$/.exec(path) ?? []
  const place = file === undefined ? {} : { file, line: Number(line) }
  return { level: 'error', title: 'assist-harness', lines: [shorten(message, MAX_LENGTH)], ...place }
}

function annotationOf(
  { question, failure, rank }: FailedQuestion,
  paths: readonly (string | undefined)[],
  prefix: string,
): Annotation {
  const kind = failure.kind === 'failed' ? 'failed expectation' : failure.type
  const path = paths[question.file]
  const lines = [...failure.sentences.slice(0, MAX_SENTENCES), `Question: ${question.message}`]
  return {
    level: rank === 'tolerated' || rank === 'known' ? 'warning' : 'error',
    title: `${prefix}${shorten(question.id, 60)}: ${kind}`,
    lines: lines.map((line) => shorten(line, MAX_LENGTH)),
    ...(path === undefined ? {} : { file: path, line: question.line }),
  }
}
