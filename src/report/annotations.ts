// GitHub annotations of turns that failed or ended in an error, as workflow commands.
import type { GradedTurn } from '../domain/graded-turn.ts'
import { plural } from '../domain/digits.ts'
import { standingOf } from './standing.ts'
import { shorten, visible } from './visible.ts'

/** GitHub shows ten errors of a step and drops the others without a word. */
const MOST = 10
const MOST_SENTENCES = 5
const LONGEST = 300

export interface AnnotationGatherer {
  add(graded: GradedTurn): void
  /** One line each: first those of the set's first ten turns that failed or ended in an error, then how many more there are. */
  finish(): string[]
}

/** `paths`: the question sets' files by `Question.file`, relative to the repository; undefined where there is none. */
export function createAnnotationGatherer(paths: readonly (string | undefined)[]): AnnotationGatherer {
  const annotations: string[] = []
  let hidden = 0
  return {
    add: (graded) => {
      const standing = standingOf(graded)
      if (standing.kind !== 'failed' && standing.kind !== 'errored') return
      if (annotations.length === MOST) {
        hidden += 1
        return
      }
      const { question, repeat } = graded.turn
      const path = paths[question.file]
      const kind = standing.kind === 'failed' ? 'failed expectation' : standing.type
      const repeated = repeat === 1 ? '' : ` (repeat ${repeat})`
      const lines = [...standing.sentences.slice(0, MOST_SENTENCES), `Question: ${question.message}`]
      annotations.push(
        command(
          'error',
          {
            ...(path === undefined ? {} : { file: path, line: String(question.line) }),
            title: `${shorten(question.id, 60)}${repeated}: ${kind}`,
          },
          lines.map((line) => shorten(line, LONGEST)),
        ),
      )
    },
    finish: () =>
      hidden === 0
        ? annotations
        : [
            ...annotations,
            command('notice', { title: 'assist-harness' }, [
              `${plural(hidden, 'more turn')} failed or ended in an error: see results.csv`,
            ]),
          ],
  }
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
