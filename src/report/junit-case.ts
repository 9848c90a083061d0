// One question for `junit.xml`: its testcase, and its part of what the thread said.
import type { GradedTurn, TurnRecord } from '../domain/turn.ts'
import type { Question } from '../domain/question.ts'
import { standingOfQuestion, type Judged, type Standing } from './standing.ts'
import { cut, singleSpaced as oneLine, xmlAttribute, xmlText } from './escape.ts'

// CI servers refuse files of some ten megabytes: enough of a text to judge it by, no more.
const QUESTION_LENGTH = 500
const ANSWER_LENGTH = 2000
const MESSAGE_LENGTH = 300
const MOST_SENTENCES = 20
const NAME_LENGTH = 80

export interface JunitCase {
  readonly standing: Standing['kind']
  /** Milliseconds; 0 where nothing was sent, since the schema wants a number. */
  readonly ms: number
  /** The element, given the class to file it under. */
  element(className: string): string
  /** Lines that never begin with anything but our own words. */
  readonly transcript: string
}

/** `place` says where the question stands, such as `set.csv:12`. */
export function junitCase(repeats: readonly GradedTurn[], place: string, judged: Judged): JunitCase {
  const standing = standingOfQuestion(repeats, judged)
  const ms = repeats.reduce((sum, { turn }) => sum + (turn.serviceMs ?? 0), 0)
  const name = xmlAttribute(nameOf(repeats[0]?.turn.question))
  const transcript = repeats.map(({ turn }) => transcribe(turn)).join('\n')
  const inside = describeStanding(standing, transcript, place)
  return {
    standing: standing.kind,
    ms,
    element: (className) => {
      const head = `<testcase name="${name}" classname="${xmlAttribute(className)}" time="${seconds(ms)}"`
      return inside === '' ? `    ${head}/>\n` : `    ${head}>\n      ${inside}\n    </testcase>\n`
    },
    transcript: xmlText(transcript),
  }
}

/** Seconds with thousandths, the way the schema wants them. */
export const seconds = (ms: number): string => (ms / 1000).toFixed(3)

/** Stable across runs as long as the question is, and readable where the id was derived. */
const nameOf = (question: Question | undefined): string =>
  question === undefined ? '' : `${cut(question.id, NAME_LENGTH)}: ${cut(question.message, NAME_LENGTH)}`

/** GitLab shows the text alone, Jenkins the message and the text: both tell the whole. */
function describeStanding(standing: Standing, transcript: string, place: string): string {
  switch (standing.kind) {
    case 'passed':
      return ''
    case 'skipped':
      // As text: an attribute here is not known to every schema.
      return `<skipped>${xmlText(oneLine(cut(standing.why, 2 * MESSAGE_LENGTH)))}</skipped>`
    case 'failed':
    case 'errored': {
      const element = standing.kind === 'failed' ? 'failure' : 'error'
      const sentences = standing.sentences
        .slice(0, MOST_SENTENCES)
        .map((one) => oneLine(cut(one, 2 * MESSAGE_LENGTH)))
      const message = xmlAttribute(cut(sentences.join('; '), MESSAGE_LENGTH))
      const body = [...sentences.map((one) => `- ${one}`), `at ${oneLine(place)}`, transcript].join('\n')
      return `<${element} type="${xmlAttribute(standing.type)}" message="${message}">${xmlText(body)}</${element}>`
    }
  }
}

function transcribe({ question, repeat, outcome, result, serviceMs }: TurnRecord): string {
  const reply = result?.kind === 'reply' ? result.reply : undefined
  const facts = [
    outcome ?? 'no outcome',
    ...(reply === undefined ? [] : [`source ${cut(reply.contextSource, 100) || '(empty)'}`]),
    ...(serviceMs === undefined ? [] : [`${seconds(serviceMs)} s`]),
  ]
  const repeated = repeat === 1 ? '' : `, repeat ${repeat}`
  return [
    `Turn ${question.turn}${repeated}: ${oneLine(facts.join(', '))}`,
    ...quote('question', cut(question.message, QUESTION_LENGTH)),
    ...(reply === undefined ? [] : quote('answer', cut(reply.message, ANSWER_LENGTH))),
  ].join('\n')
}

/** A bar before each line: whatever the text says, no line of it begins with a command. */
function quote(label: string, text: string): string[] {
  return text
    .split(/\r\n|[\r\n\u0085\u2028\u2029]/)
    .map((line, place) => `  ${(place === 0 ? label : '').padEnd(8)} | ${line}`)
}
