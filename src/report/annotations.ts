// GitHub annotations of questions that failed or ended in an error, and of failed gates, as workflow commands.
import type { GateOutcome } from '../domain/summary.ts'
import type { GradedTurn } from '../domain/turn.ts'
import { plural } from '../domain/text.ts'
import type { Question } from '../domain/question.ts'
import { standingOfQuestion, type Judged, type Standing } from './standing.ts'
import { shorten, terminalText as visible } from './escape.ts'

/** GitHub shows ten errors of a step and drops the others without a word. */
const MOST = 10
const MOST_SENTENCES = 5
const LONGEST = 300
/** Gates whose failing questions are named themselves. */
const TOLD_BY_QUESTIONS: ReadonlySet<string> = new Set(['errors', 'expectations', 'must_pass'])

export interface AnnotationGatherer {
  /** The answers to one question. */
  add(repeats: readonly GradedTurn[]): void
  /** One line each: newly failing questions, gates that failed, other failures, what fails no gate; then how many more there are. */
  finish(gates: readonly GateOutcome[]): string[]
}

/** `paths`: the question sets' files by `Question.file`, relative to the repository; undefined where there is none. */
export function createAnnotationGatherer(
  paths: readonly (string | undefined)[],
  judged: Judged,
): AnnotationGatherer {
  const found: Record<'newly' | 'other' | 'excused', string[]> = { newly: [], other: [], excused: [] }
  let count = 0
  return {
    add: (repeats) => {
      const standing = standingOfQuestion(repeats, judged)
      const failure = standing.kind === 'skipped' ? standing.excused : standing
      const question = repeats[0]?.turn.question
      if (question === undefined || failure === undefined || failure.kind === 'passed') return
      count += 1
      const isNew = judged.before?.byId.get(question.id) === 'passed'
      const list = found[standing.kind === 'skipped' ? 'excused' : isNew ? 'newly' : 'other']
      if (list.length < MOST)
        list.push(annotate(question, failure, paths[question.file], standing.kind === 'skipped'))
    },
    finish: (gates) => {
      const failed = gates
        .filter(({ name, passed }) => !passed && !TOLD_BY_QUESTIONS.has(name))
        .map(({ name, reason }) =>
          command('error', { title: `gate failed: ${shorten(name, 60)}` }, [shorten(reason.text, LONGEST)]),
        )
      const { newly, other, excused } = found
      const shown = [...newly, ...failed, ...other, ...excused].slice(0, MOST)
      const hidden = count + failed.length - shown.length
      if (hidden === 0) return shown
      const rest = `${plural(hidden, 'more failure')}: see results.csv`
      return [...shown, command('notice', { title: 'assist-harness' }, [rest])]
    },
  }
}

function annotate(
  question: Question,
  failure: Exclude<Standing, { kind: 'passed' | 'skipped' }>,
  path: string | undefined,
  isExcused: boolean,
): string {
  const kind = failure.kind === 'failed' ? 'failed expectation' : failure.type
  const lines = [...failure.sentences.slice(0, MOST_SENTENCES), `Question: ${question.message}`]
  return command(
    isExcused ? 'warning' : 'error',
    {
      ...(path === undefined ? {} : { file: path, line: String(question.line) }),
      title: `${shorten(question.id, 60)}: ${kind}`,
    },
    lines.map((line) => shorten(line, LONGEST)),
  )
}

/**
 * `::name key=value,…::line%0Aline`. Escaped as the toolkit does (actions/toolkit, packages/core/src/command.ts): the runner
 * takes it back, and reads one line as one command.
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
