// `junit.xml` for Jenkins, GitLab and the viewers of GitHub. A question set is a testsuite; a question is a
// testcase, and so is a gate.
import { replyOf } from '../domain/attempt.ts'
import type { GateDecision, GateOutcome } from '../domain/summary.ts'
import { cut, singleSpaced as oneLine } from '../domain/text.ts'
import type { AnsweredTurn } from '../domain/turn.ts'
import { DERIVED_ID, type Question } from '../domain/question.ts'
import { xmlAttribute, xmlText } from './escape.ts'
import { standingOfQuestion, type Standing } from './standing.ts'

export interface JunitRun {
  readonly name: string
  readonly target: string | undefined
  /** ISO 8601, UTC. */
  readonly startedAt: string
  /** The question sets' file names, by `Question.file`. */
  readonly files: readonly string[]
  readonly gates: readonly GateOutcome[]
  readonly judged: GateDecision
  /** Questions that failed or ended in an error: they share the room for answers. */
  readonly failing: number
}

interface Case {
  /** Failures that do not fail the run count as skipped. */
  readonly kind: Standing['kind']
  readonly name: string
  readonly className: string
  /** Milliseconds. 0 if nothing was sent: the schema requires a number. */
  readonly ms: number
  /** XML with the reason why it did not pass; empty if it passed. */
  readonly inside: string
}

/** A suite begins with its totals, so its cases are kept: as text, which is a quarter of their memory. */
interface RenderedCase {
  readonly kind: Standing['kind']
  readonly ms: number
  readonly xml: string
}

interface Suite {
  readonly name: string
  readonly stem: string
  readonly properties: Readonly<Record<string, string>>
  readonly cases: readonly RenderedCase[]
}

// In characters.
const MAX_LENGTH = { source: 80, thread: 200, message: 300, sentence: 600, question: 500, answer: 2000 }
/**
 * In characters, of all failed cases together: GitLab rejects files of 30 MB, 100,000 cases that passed need
 * 8 MB, and a character of most scripts has up to three bytes.
 */
const MAX_FAILED = 6e6
/** What each failed case has, however many there are. */
const MIN_FAILED = 60

/**
 * Yields the file's text in pieces. It is valid by both published schemas (JUnit.xsd of Windy Road,
 * junit-10.xsd of Jenkins' xUnit plugin). That is why the root has no totals, and each suite has an empty
 * `system-out`.
 */
export function* renderJunit(questions: Iterable<readonly AnsweredTurn[]>, run: JunitRun): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n'
  let id = 0
  for (const suite of suitesOf(questions, run)) yield* renderSuite(suite, id++, run)
  yield '</testsuites>\n'
}

function* suitesOf(questions: Iterable<readonly AnsweredTurn[]>, run: JunitRun): Generator<Suite> {
  let file: number | undefined
  let cases: RenderedCase[] = []
  const names = new Set<string>()
  for (const repeats of questions) {
    const question = repeats[0]?.question
    if (question === undefined) continue
    if (file !== question.file) {
      if (file !== undefined) yield suiteOfSet(file, cases, run)
      ;[file, cases] = [question.file, []]
    }
    cases.push(renderCase(caseOf(repeats, question, run, names)))
  }
  if (file !== undefined) yield suiteOfSet(file, cases, run)
  if (run.gates.length > 0) yield suiteOfGates(run)
}

function caseOf(
  repeats: readonly AnsweredTurn[],
  question: Question,
  run: JunitRun,
  names: Set<string>,
): Case {
  const { files, judged, failing } = run
  const standing = standingOfQuestion(repeats, judged)
  const name = nameOf(question, names)
  names.add(name)
  const stem = stemOf(files[question.file])
  const details = [
    `at ${oneLine(`${files[question.file] ?? 'unknown file'}:${question.line}`)}`,
    ...repeats.flatMap(transcribe),
  ]
  return {
    kind: 'excuse' in standing ? 'skipped' : standing.kind,
    name: ofTarget(name, run),
    className: classOf(run, isLone(question) ? [stem] : [stem, cut(question.thread, MAX_LENGTH.thread)]),
    ms: repeats.reduce((sum, { serviceMs = 0 }) => sum + serviceMs, 0),
    inside: insideOf(standing, details, Math.max(MIN_FAILED, MAX_FAILED / Math.max(1, failing))),
  }
}

/**
 * CI servers know a case by its name, so an edited text must keep it. A derived id changes with the text; a
 * question without an id of its own is named by its conversation, where that has a name.
 */
function nameOf(question: Question, names: ReadonlySet<string>): string {
  const { id, thread, turn } = question
  const name = DERIVED_ID.test(id) && !isLone(question) ? `${thread} turn ${turn}` : id
  return names.has(name) ? id : name
}

/** Its conversation has no name of its own. */
const isLone = ({ id, thread }: Question): boolean => thread === id || thread.startsWith(`${id} (`)

const ofTarget = (name: string, { target }: JunitRun): string =>
  target === undefined ? name : `${target} / ${name}`

/** Jenkins treats the part before the last dot as the package. */
const classOf = ({ target }: JunitRun, parts: readonly string[]): string =>
  [...(target === undefined ? [] : [target]), ...parts].map((part) => part.replaceAll('.', '_')).join('.')

const stemOf = (path = 'questions'): string => path.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '')

/** GitLab shows only the text, Jenkins the message and the text. So both contain the reasons. */
function insideOf(standing: Standing, details: readonly string[], room: number): string {
  switch (standing.kind) {
    case 'passed':
      return ''
    case 'skipped':
      return skippedElement(standing.why, room)
    case 'failed':
    case 'errored': {
      if (standing.excuse !== undefined) return skippedElement(standing.excuse.why, room)
      const sentences = standing.sentences.map((text) => oneLine(cut(text, MAX_LENGTH.sentence)))
      return element(
        standing.kind === 'failed' ? 'failure' : 'error',
        { type: standing.type, message: cut(sentences.join('; '), Math.min(MAX_LENGTH.message, room / 5)) },
        xmlText(
          cut([...sentences.map((sentence) => `- ${sentence}`), ...details].join('\n'), (room * 4) / 5),
        ),
      )
    }
  }
}

/** `why` is text: not every schema allows an attribute here. */
const skippedElement = (why: string, room: number): string =>
  element('skipped', {}, xmlText(oneLine(cut(why, Math.min(MAX_LENGTH.sentence, room)))))

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

function suiteOfSet(file: number, cases: readonly RenderedCase[], run: JunitRun): Suite {
  const path = run.files[file] ?? 'questions'
  const stem = stemOf(path)
  return { name: ofTarget(stem, run), stem, properties: { run: run.name, dataset: path }, cases }
}

/** Each failed gate fails a case, so that the file agrees with the exit code. */
function suiteOfGates(run: JunitRun): Suite {
  const cases = run.gates.map(({ name, passed, reason: { text } }) => {
    const standing: Standing = passed
      ? { kind: 'passed' }
      : { kind: 'failed', type: 'gate', sentences: [text] }
    return renderCase({
      kind: standing.kind,
      name: ofTarget(cut(name, MAX_LENGTH.thread), run),
      className: classOf(run, ['gates']),
      ms: 0,
      inside: insideOf(standing, [], MAX_FAILED),
    })
  })
  return { name: ofTarget('gates', run), stem: 'gates', properties: { run: run.name }, cases }
}

function renderCase({ kind, name, className: classname, ms, inside }: Case): RenderedCase {
  const indented = inside === '' ? '' : `\n      ${inside}\n    `
  const xml = element('testcase', { name, classname, time: seconds(ms) }, indented)
  return { kind, ms, xml: `    ${xml}\n` }
}

const CASES_A_PIECE = 500

function* renderSuite(suite: Suite, id: number, { startedAt }: JunitRun): Generator<string> {
  const { name, stem, properties, cases } = suite
  const count = (kind: Case['kind']): number => cases.filter((rendered) => rendered.kind === kind).length
  const attributes = {
    id,
    name: xmlAttribute(name) === '' ? 'unnamed' : name,
    package: stem,
    // The schema allows no time zone.
    timestamp: startedAt.slice(0, 19),
    // The journal does not record the host.
    hostname: 'localhost',
    tests: cases.length,
    failures: count('failed'),
    errors: count('errored'),
    skipped: count('skipped'),
    time: seconds(cases.reduce((sum, { ms }) => sum + ms, 0)),
  }
  yield `  <testsuite${attributesOf(attributes)}>\n    <properties>\n`
  for (const [key, value] of Object.entries(properties))
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

/** `inside` is XML. */
const element = (name: string, attributes: Attributes, inside = ''): string =>
  `<${name}${attributesOf(attributes)}${inside === '' ? '/>' : `>${inside}</${name}>`}`

const attributesOf = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${xmlAttribute(String(value))}"`)
    .join('')

const seconds = (ms: number): string => (ms / 1000).toFixed(3)
