// GitHub annotations for failed questions and failed gates, as workflow commands.
import type { GateOutcome } from '../domain/summary.ts'
import { plural } from '../domain/format.ts'
import type { FailedQuestion, Failures } from './standing.ts'
import { shorten, terminalText as visible } from './escape.ts'

/** GitHub shows ten annotations of a step and silently drops the others. */
const MAX_ANNOTATIONS = 10
const MAX_SENTENCES = 5
const MAX_LENGTH = 300
/** These gates need no annotation: their failed questions have one. */
const LISTED_AS_QUESTIONS: ReadonlySet<string> = new Set(['errors', 'expectations', 'must_pass'])

/** Of one run: its annotations by what they are about, and all its failures, whether they have one or not. */
export interface Annotations {
  readonly count: number
  readonly newly: readonly string[]
  readonly gates: readonly string[]
  readonly failures: readonly string[]
  /** They fail no gate. */
  readonly excused: readonly string[]
}

/**
 * `paths`: the question sets by `Question.file`, relative to the repository; undefined if a set is outside of
 * it. `target`: begins each title; undefined for a target without a name.
 */
export function annotationsOf(
  { failed, errored }: Failures,
  gates: readonly GateOutcome[],
  paths: readonly (string | undefined)[],
  target: string | undefined,
): Annotations {
  const prefix = target === undefined ? '' : `${shorten(target, 60)} / `
  const found = [...failed.items, ...errored.items]
  const ofRanks = (...ranks: FailedQuestion['rank'][]): string[] =>
    found.filter(({ rank }) => ranks.includes(rank)).map((one) => annotationOf(one, paths, prefix))
  const failedGates = gates
    .filter(({ name, passed }) => !passed && !LISTED_AS_QUESTIONS.has(name))
    .map(({ name, reason }) =>
      command('error', { title: `${prefix}gate failed: ${shorten(name, 60)}` }, [
        shorten(reason.text, MAX_LENGTH),
      ]),
    )
  return {
    count: failed.count + errored.count + failedGates.length,
    newly: ofRanks('newly'),
    gates: failedGates,
    failures: ofRanks('mustPass', 'other'),
    excused: ofRanks('tolerated', 'known'),
  }
}

/**
 * One line each, at most ten for all runs of a command, in this order: newly failing questions, up to the
 * room left for the gates, failed gates, other failures, failures that fail no gate. A last line counts the
 * rest.
 */
export function annotate(runs: readonly Annotations[]): string[] {
  const count = runs.reduce((sum, one) => sum + one.count, 0)
  const room = count > MAX_ANNOTATIONS ? MAX_ANNOTATIONS - 1 : MAX_ANNOTATIONS
  /** The first of each run, then the second of each. */
  const all = (kind: 'newly' | 'gates' | 'failures' | 'excused'): string[] =>
    runs
      .flatMap((one) => one[kind].map((line, index) => ({ line, index })))
      .sort((a, b) => a.index - b.index)
      .map(({ line }) => line)
  const [newly, gates] = [all('newly'), all('gates')]
  const first = newly.splice(0, Math.max(1, room - gates.length))
  const shown = [...first, ...gates, ...newly, ...all('failures'), ...all('excused')].slice(0, room)
  if (count <= MAX_ANNOTATIONS) return shown
  const rest = `${plural(count - shown.length, 'more failure')}: see results.csv`
  return [...shown, command('notice', { title: 'assist-harness' }, [rest])]
}

/** A fault of an option or a file, at its line where it has one (`set.csv:3 (row 2)`). */
export function annotateFault({ path, message }: Readonly<Record<'path' | 'message', string>>): string {
  const [, file, line] = /^(.+?):(\d+)(?: \(row \d+\))?$/.exec(path) ?? []
  const place = file === undefined || line === undefined ? {} : { file, line }
  return command('error', { ...place, title: 'assist-harness' }, [shorten(message, MAX_LENGTH)])
}

function annotationOf(
  { question, failure, rank }: FailedQuestion,
  paths: readonly (string | undefined)[],
  prefix: string,
): string {
  const kind = failure.kind === 'failed' ? 'failed expectation' : failure.type
  const path = paths[question.file]
  const lines = [...failure.sentences.slice(0, MAX_SENTENCES), `Question: ${question.message}`]
  return command(
    rank === 'tolerated' || rank === 'known' ? 'warning' : 'error',
    {
      ...(path === undefined ? {} : { file: path, line: String(question.line) }),
      title: `${prefix}${shorten(question.id, 60)}: ${kind}`,
    },
    lines.map((line) => shorten(line, MAX_LENGTH)),
  )
}

/**
 * `::name key=value,…::line%0Aline`, escaped as the toolkit does (actions/toolkit,
 * packages/core/src/command.ts). The runner reads one line as one command.
 */
function command(
  name: string,
  properties: Readonly<Record<string, string>>,
  lines: readonly string[],
): string {
  const written = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(visible(value))}`)
  return `::${name} ${written.join(',')}::${lines.map((line) => escapeData(visible(line))).join('%0A')}`
}

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
