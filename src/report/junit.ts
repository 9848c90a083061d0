// `junit.xml` for Jenkins, GitLab and the viewers of GitHub. A conversation is a testsuite; a question is a testcase, and so is a gate.
import type { GateOutcome } from '../domain/summary.ts'
import { cut } from '../domain/text.ts'
import type { GradedTurn, TurnRecord } from '../domain/turn.ts'
import type { Question } from '../domain/question.ts'
import { singleSpaced as oneLine, xmlAttribute, xmlText } from './escape.ts'
import { standingOfQuestion, type Judged, type Standing } from './standing.ts'

export interface JunitRun {
  readonly name: string
  /** ISO 8601, UTC. */
  readonly startedAt: string
  /** The question sets' file names, by `Question.file`. */
  readonly files: readonly string[]
  readonly gates: readonly GateOutcome[]
  readonly judged: Judged
}

interface Case {
  /** Failures that do not fail the run count as skipped. */
  readonly kind: Standing['kind']
  readonly name: string
  /** Milliseconds. 0 if nothing was sent: the schema requires a number. */
  readonly ms: number
  /** XML with the reason why it did not pass; empty if it passed. */
  readonly inside: string
}

interface Suite {
  readonly name: string
  /** A file name without its ending. */
  readonly stem: string
  readonly className: string
  readonly properties: Readonly<Record<string, string>>
  readonly cases: readonly Case[]
}

// In characters. CI servers reject files of some ten megabytes.
const LONGEST = { name: 80, thread: 200, message: 300, sentence: 600, question: 500, answer: 2000 }

/**
 * Yields the file's text in pieces. It is valid by both published schemas (JUnit.xsd of Windy Road, junit-10.xsd of Jenkins' xUnit
 * plugin). That is why the root has no totals, and each suite has an empty `system-out`.
 */
export function* renderJunit(questions: Iterable<readonly GradedTurn[]>, run: JunitRun): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n'
  let id = 0
  for (const suite of suitesOf(questions, run)) yield renderSuite(suite, id++, run)
  yield '</testsuites>\n'
}

/** One for consecutive questions of a thread, and one for the gates. */
function* suitesOf(questions: Iterable<readonly GradedTurn[]>, run: JunitRun): Generator<Suite> {
  let first: Question | undefined
  let cases: Case[] = []
  for (const repeats of questions) {
    const question = repeats[0]?.turn.question
    if (question === undefined) continue
    if (first?.file !== question.file || first.thread !== question.thread) {
      if (first !== undefined) yield suiteOfThread(first, cases, run)
      ;[first, cases] = [question, []]
    }
    cases.push(caseOf(repeats, question, run))
  }
  if (first !== undefined) yield suiteOfThread(first, cases, run)
  if (run.gates.length > 0) yield suiteOfGates(run)
}

function caseOf(repeats: readonly GradedTurn[], question: Question, { files, judged }: JunitRun): Case {
  const standing = standingOfQuestion(repeats, judged)
  const place = `${files[question.file] ?? 'unknown file'}:${question.line}`
  return {
    kind: 'excuse' in standing ? 'skipped' : standing.kind,
    // Stays the same across runs, and is readable even if the id was derived.
    name: `${cut(question.id, LONGEST.name)}: ${cut(question.message, LONGEST.name)}`,
    ms: repeats.reduce((sum, { turn }) => sum + (turn.serviceMs ?? 0), 0),
    inside: insideOf(standing, [`at ${oneLine(place)}`, ...repeats.flatMap(({ turn }) => transcribe(turn))]),
  }
}

/** GitLab shows only the text, Jenkins the message and the text. So both contain the reasons. */
function insideOf(standing: Standing, details: readonly string[]): string {
  switch (standing.kind) {
    case 'passed':
      return ''
    case 'skipped':
      return skippedElement(standing.why)
    case 'failed':
    case 'errored': {
      if (standing.excuse !== undefined) return skippedElement(standing.excuse.why)
      const sentences = standing.sentences.map((one) => oneLine(cut(one, LONGEST.sentence)))
      return element(
        standing.kind === 'failed' ? 'failure' : 'error',
        { type: standing.type, message: cut(sentences.join('; '), LONGEST.message) },
        xmlText([...sentences.map((one) => `- ${one}`), ...details].join('\n')),
      )
    }
  }
}

/** `why` is text: not every schema allows an attribute here. */
const skippedElement = (why: string): string =>
  element('skipped', {}, xmlText(oneLine(cut(why, LONGEST.sentence))))

function transcribe({ question, repeat, outcome, result, serviceMs }: TurnRecord): string[] {
  const reply = result?.kind === 'reply' ? result.reply : undefined
  const facts = [
    outcome ?? 'no outcome',
    ...(reply === undefined ? [] : [`source ${cut(reply.contextSource, LONGEST.name) || '(empty)'}`]),
    ...(serviceMs === undefined ? [] : [`${seconds(serviceMs)} s`]),
  ]
  return [
    `Turn ${question.turn}${repeat === 1 ? '' : `, repeat ${repeat}`}: ${oneLine(facts.join(', '))}`,
    ...quote('question', cut(question.message, LONGEST.question)),
    ...(reply === undefined ? [] : quote('answer', cut(reply.message, LONGEST.answer))),
  ]
}

/** Puts a bar before each line, so that no line can begin with a command of a CI server. */
const quote = (label: string, text: string): string[] =>
  text
    .split(/\r\n|[\r\n\u0085\u2028\u2029]/)
    .map((line, place) => `  ${(place === 0 ? label : '').padEnd(8)} | ${line}`)

function suiteOfThread(first: Question, cases: readonly Case[], run: JunitRun): Suite {
  const path = run.files[first.file] ?? 'questions'
  const stem = path.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '')
  const thread = cut(first.thread, LONGEST.thread)
  const isLone = cases.length === 1 && first.id === first.thread
  return {
    name: run.files.length > 1 ? `${stem} / ${thread}` : thread,
    stem,
    // Jenkins treats the part before the last dot as the package: the file. The thread follows.
    className: isLone ? stem : `${stem}.${thread.replaceAll('.', '_')}`,
    properties: { run: run.name, dataset: path },
    cases,
  }
}

/** Each failed gate fails a case, so that the file agrees with the exit code. */
function suiteOfGates({ name: run, gates }: JunitRun): Suite {
  const cases = gates.map(({ name, passed, reason: { text } }): Case => {
    const standing: Standing = passed
      ? { kind: 'passed' }
      : { kind: 'failed', type: 'gate', sentences: [text] }
    return { kind: standing.kind, name: cut(name, LONGEST.thread), ms: 0, inside: insideOf(standing, []) }
  })
  return { name: 'gates', stem: 'gates', className: 'gates', properties: { run }, cases }
}

function renderSuite(suite: Suite, id: number, { startedAt }: JunitRun): string {
  const { name, stem, className: classname, properties, cases } = suite
  const count = (kind: Case['kind']): number => cases.filter((one) => one.kind === kind).length
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
  const lines = [
    '    <properties>',
    ...Object.entries(properties).map(([key, value]) => `      ${element('property', { name: key, value })}`),
    '    </properties>',
    ...cases.map(({ name: test, ms, inside }) => {
      const indented = inside === '' ? '' : `\n      ${inside}\n    `
      return `    ${element('testcase', { name: test, classname, time: seconds(ms) }, indented)}`
    }),
    '    <system-out/>',
    '    <system-err/>',
  ]
  return `  ${element('testsuite', attributes, `\n${lines.join('\n')}\n  `)}\n`
}

/** `inside` is XML. */
function element(name: string, attributes: Readonly<Record<string, string | number>>, inside = ''): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${xmlAttribute(String(value))}"`)
  const head = `<${name}${written.join('')}`
  return inside === '' ? `${head}/>` : `${head}>${inside}</${name}>`
}

/** With three decimals, as the schema requires. */
const seconds = (ms: number): string => (ms / 1000).toFixed(3)
