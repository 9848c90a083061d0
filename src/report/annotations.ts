// GitHub annotations for failed questions and failed gates, as workflow commands.
import type { GateOutcome } from '../domain/summary.ts'
import { plural } from '../domain/text.ts'
import type { FailedQuestion, Failures } from './standing.ts'
import { shorten, terminalText as visible } from './escape.ts'

/** GitHub shows ten errors of a step and silently drops the others. */
const MOST = 10
const MOST_SENTENCES = 5
const LONGEST = 300
/** These gates need no annotation: their failed questions have one. */
const LISTED_AS_QUESTIONS: ReadonlySet<string> = new Set(['errors', 'expectations', 'must_pass'])

/**
 * One line each, in this order: newly failing questions, up to the room left for the gates, failed gates, other failures,
 * failures that fail no gate. A last line counts the rest.
 * `paths`: the question sets by `Question.file`, relative to the repository; undefined if a set is outside of it.
 */
export function annotate(
  { failed, errored }: Failures,
  gates: readonly GateOutcome[],
  paths: readonly (string | undefined)[],
): string[] {
  const found = [...failed.items, ...errored.items]
  const ofRanks = (...ranks: FailedQuestion['rank'][]): string[] =>
    found.filter(({ rank }) => ranks.includes(rank)).map((one) => annotationOf(one, paths))
  const failedGates = gates
    .filter(({ name, passed }) => !passed && !LISTED_AS_QUESTIONS.has(name))
    .map(({ name, reason }) =>
      command('error', { title: `gate failed: ${shorten(name, 60)}` }, [shorten(reason.text, LONGEST)]),
    )
  const newly = ofRanks('newly')
  const all = [
    ...newly.splice(0, Math.max(1, MOST - failedGates.length)),
    ...failedGates,
    ...newly,
    ...ofRanks('mustPass', 'other'),
    ...ofRanks('tolerated', 'known'),
  ]
  const shown = all.slice(0, MOST)
  const hidden = failed.count + errored.count + failedGates.length - shown.length
  if (hidden === 0) return shown
  const rest = `${plural(hidden, 'more failure')}: see results.csv`
  return [...shown, command('notice', { title: 'assist-harness' }, [rest])]
}

/** A fault of an option or a file, at its line where it has one (`set.csv:3 (row 2)`). */
export function annotateFault({ path, message }: Readonly<Record<'path' | 'message', string>>): string {
  const [, file, line] = /^(.+?):(\d+)(?: \(row \d+\))?$/.exec(path) ?? []
  const place = file === undefined || line === undefined ? {} : { file, line }
  return command('error', { ...place, title: 'assist-harness' }, [shorten(message, LONGEST)])
}

function annotationOf(
  { question, failure, rank }: FailedQuestion,
  paths: readonly (string | undefined)[],
): string {
  const kind = failure.kind === 'failed' ? 'failed expectation' : failure.type
  const path = paths[question.file]
  const lines = [...failure.sentences.slice(0, MOST_SENTENCES), `Question: ${question.message}`]
  return command(
    rank === 'tolerated' || rank === 'known' ? 'warning' : 'error',
    {
      ...(path === undefined ? {} : { file: path, line: String(question.line) }),
      title: `${shorten(question.id, 60)}: ${kind}`,
    },
    lines.map((line) => shorten(line, LONGEST)),
  )
}

/**
 * `::name key=value,…::line%0Aline`, escaped as the toolkit does (actions/toolkit, packages/core/src/command.ts). The runner
 * reads one line as one command.
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
