// `junit.xml` for Jenkins, GitLab and GitHub: a set is a testsuite; a question or gate is a testcase.
import { replyOf } from '../domain/attempt.ts'
import type { GateOutcome } from '../domain/summary.ts'
import { cut, singleSpaced as oneLine } from '../domain/text.ts'
import { type AnsweredTurn, type JudgedStanding, type Outcomes, withAnswer } from '../domain/turn.ts'
import { DERIVED_ID, type Question } from '../domain/question.ts'
import { xmlAttribute, xmlText } from './escape.ts'

export interface JunitRun {
  readonly name: string
  readonly target: string | undefined
  /** It is in ISO 8601, UTC. */
  readonly startedAt: string
  /** The file names of question sets stand by `Question.file`. */
  readonly files: readonly string[]
  readonly gates: readonly GateOutcome[]
}

// In characters.
const MAX_LENGTH = { source: 80, thread: 200, message: 300, sentence: 600, question: 500, answer: 2000 }
/** Failed cases without their answers have the beginning of one reason. */
const MAX_SHORT = 60

/**
 * Yields the file in pieces. It is valid by both published schemas (JUnit.xsd of Windy Road, junit-10.xsd of
 * Jenkins' xUnit plugin): hence the root has no totals, and each suite has an empty `system-out`.
 */
export function* renderJunit(standings: readonly JudgedStanding[], run: JunitRun): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n'
  const names = new Set<string>()
  let id = 0
  for (let from = 0; from < standings.length; id += 1) {
    const file = standings[from]?.question.file ?? 0
    const next = standings.findIndex(({ question }, index) => index > from && question.file !== file)
    const ofFile = standings.slice(from, next === -1 ? standings.length : next)
    const path = run.files[file]
    const cases = ofFile.map((standing) => caseOf(standing, path, names, run))
    yield* renderSuite(cases, id, run, path ?? 'questions')
    from += ofFile.length
  }
  if (run.gates.length > 0) {
    const cases = run.gates.map((gate) => caseOfGate(gate, run))
    yield* renderSuite(cases, id, run)
  }
  yield '</testsuites>\n'
}

/** A suite begins with its totals, so its cases are kept: as text, which is a quarter of their memory. */
interface Case {
  /** Failures that do not fail the run count as skipped. */
  readonly kind: Outcomes['kind']
  /** The schema requires a number of milliseconds. */
  readonly ms: number
  readonly xml: string
}

function caseOf(standing: JudgedStanding, path: string | undefined, names: Set<string>, run: JunitRun): Case {
  const { question, serviceMs, turns } = standing
  const name = nameOf(question, names)
  names.add(name)
  const thread = isLone(question) ? [] : [cut(question.thread, MAX_LENGTH.thread)]
  const attributes = {
    name: ofTarget(name, run),
    classname: classOf(run, [stemOf(path ?? 'questions'), ...thread]),
  }
  const place = `at ${oneLine(`${path ?? 'unknown file'}:${question.line}`)}`
  if (standing.kind === 'passed' || standing.kind === 'skipped')
    return renderCase(standing, attributes, serviceMs, [])
  const details = turns && [place, ...turns.flatMap(transcribe)]
  const { excuse } = standing
  const outcomes = excuse === undefined ? standing : ({ kind: 'skipped', why: excuse } as const)
  return renderCase(outcomes, attributes, serviceMs, details)
}

/** Each failed gate fails a case, so that the file agrees with the exit code. */
function caseOfGate({ name, passed, reason: { text } }: GateOutcome, run: JunitRun): Case {
  const outcomes = passed
    ? ({ kind: 'passed' } as const)
    : ({ kind: 'failed', type: 'gate', unmet: [{ sentence: text }] } as const)
  const attributes = { name: ofTarget(cut(name, MAX_LENGTH.thread), run), classname: classOf(run, ['gates']) }
  return renderCase(outcomes, attributes, 0, [])
}

/**
 * CI servers know a case by its name, so an edited text must keep it. A derived id changes with the text, so
 * such a question is named by its conversation, where that has a name.
 */
function nameOf(question: Question, names: ReadonlySet<string>): string {
  const { id, thread, turn } = question
  const name = DERIVED_ID.test(id) && !isLone(question) ? `${thread} turn ${turn}` : id
  return names.has(name) ? id : name
}

const isLone = ({ id, thread }: Question): boolean => thread === id || thread.startsWith(`${id} (`)

const ofTarget = (name: string, { target }: JunitRun): string =>
  target === undefined ? name : `${target} / ${name}`

/** Jenkins treats the part before the last dot as the package. */
const classOf = ({ target }: JunitRun, parts: readonly string[]): string =>
  [...(target === undefined ? [] : [target]), ...parts].map((part) => part.replaceAll('.', '_')).join('.')

const stemOf = (path: string): string => path.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '')

/** GitLab shows only the text, Jenkins the message, too: both have the reasons if there is room. */
function renderCase(
  outcomes: Outcomes,
  attributes: Attributes,
  ms: number,
  details: readonly string[] | undefined,
): Case {
  const { kind } = outcomes
  const max = details === undefined ? MAX_SHORT : MAX_LENGTH.sentence
  const cutLine = (text: string): string => oneLine(cut(text, max))
  let inside = ''
  // Text: not every schema allows an attribute here.
  if (kind === 'skipped') inside = element('skipped', {}, xmlText(cutLine(outcomes.why)))
  else if (kind !== 'passed') {
    const { type, unmet } = outcomes
    const sentences = unmet
      .slice(0, details === undefined ? 1 : unmet.length)
      .map(withAnswer)
      .map(cutLine)
    inside = element(
      kind === 'failed' ? 'failure' : 'error',
      { type, message: cut(sentences.join('; '), MAX_LENGTH.message) },
      xmlText([...sentences.map((sentence) => `- ${sentence}`), ...(details ?? [])].join('\n')),
    )
  }
  const indented = inside === '' ? '' : `\n      ${inside}\n    `
  const xml = element('testcase', { ...attributes, time: seconds(ms) }, indented)
  return { kind, ms, xml: `    ${xml}\n` }
}

function transcribe({ question, repeat, outcome, result, serviceMs }: AnsweredTurn): string[] {
  const reply = replyOf(result)
  const facts = [
    outcome ?? 'no outcome',
    ...(reply === undefined ? [] : [`source ${cut(reply.contextSource, MAX_LENGTH.source) || '(empty)'}`]),
    ...(serviceMs === undefined ? [] : [`${seconds(serviceMs)} s`]),
  ]
  return [
    `Turn ${question.turn}${repeat === 1 ? '' : `, repeat ${repeat}`}: ${oneLine(facts.join(', '))}`,
    ...quote('question', cut(question.message, MAX_LENGTH.question)),
    ...(reply === undefined ? [] : quote('answer', cut(reply.message, MAX_LENGTH.answer))),
  ]
}

/** Puts a bar before each line, so that no line can begin with a command of a CI server. */
const quote = (label: string, text: string): string[] =>
  text
    .split(/\r\n|[\r\n\u0085\u2028\u2029]/)
    .map((line, index) => `  ${(index === 0 ? label : '').padEnd(8)} | ${line}`)

const CASES_A_PIECE = 500

/** The suite of gates has no `dataset`. */
function* renderSuite(
  cases: readonly Case[],
  id: number,
  run: JunitRun,
  dataset?: string,
): Generator<string> {
  const stem = dataset === undefined ? 'gates' : stemOf(dataset)
  const name = ofTarget(stem, run)
  const count = (kind: Case['kind']): number => cases.filter((rendered) => rendered.kind === kind).length
  const attributes = {
    id,
    name: xmlAttribute(name) === '' ? 'unnamed' : name,
    package: stem,
    // The schema allows no time zone.
    timestamp: run.startedAt.slice(0, 19),
    // The journal does not record the host.
    hostname: 'localhost',
    tests: cases.length,
    failures: count('failed'),
    errors: count('errored'),
    skipped: count('skipped'),
    time: seconds(cases.reduce((sum, { ms }) => sum + ms, 0)),
  }
  yield `  <testsuite${attributesOf(attributes)}>\n    <properties>\n`
  for (const [key, value] of Object.entries({ run: run.name, ...(dataset !== undefined && { dataset }) }))
    yield `      ${element('property', { name: key, value })}\n`
  yield '    </properties>\n'
  for (let from = 0; from < cases.length; from += CASES_A_PIECE)
    yield cases
      .slice(from, from + CASES_A_PIECE)
      .map(({ xml }) => xml)
      .join('')
  yield '    <system-out/>\n    <system-err/>\n  </testsuite>\n'
}

type Attributes = Readonly<Record<string, string | number>>

const element = (name: string, attributes: Attributes, inside = ''): string =>
  `<${name}${attributesOf(attributes)}${inside === '' ? '/>' : `>${inside}</${name}>`}`

const attributesOf = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${xmlAttribute(String(value))}"`)
    .join('')

const seconds = (ms: number): string => (ms / 1000).toFixed(3)
