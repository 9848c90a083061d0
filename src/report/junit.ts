// `junit.xml`: a thread is a testsuite, a question a testcase, and so is each gate; for Jenkins, GitLab and the viewers of GitHub.
import type { GateOutcome } from '../domain/summary.ts'
import type { GradedTurn, TurnRecord } from '../domain/turn.ts'
import type { Question } from '../domain/question.ts'
import { standingOfQuestion, type Judged, type Standing } from './standing.ts'
import { cut, singleSpaced as oneLine, xmlAttribute, xmlText } from './escape.ts'

export interface JunitRun {
  readonly name: string
  /** ISO 8601, UTC. */
  readonly startedAt: string
  /** The question sets' file names, by `Question.file`. */
  readonly files: readonly string[]
  /**
   * How many questions come of the turn's thread: with the last of them its suite is written. Absent or too high: the suite
   * waits for the end of all.
   */
  readonly questionsOfThread?: (turn: TurnRecord) => number
  readonly gates: readonly GateOutcome[]
  readonly judged: Judged
}

interface Case {
  readonly standing: Standing['kind']
  readonly name: string
  /** Milliseconds; 0 where nothing was sent, since the schema wants a number. */
  readonly ms: number
  /** XML: how it stands; empty where it passed. */
  readonly inside: string
  /** XML: lines that never begin with anything but our own words. */
  readonly transcript: string
}

/** A thread. */
interface Suite {
  readonly question: Question
  readonly cases: Case[]
  readonly conversationIds: Set<string>
  readonly tags: Set<string>
  /** Whether the thread is one question that stands alone, and bears its name. */
  isLone: boolean
}

/** Conversations of a thread that are named; each repeat and restart opens another. */
const MOST_CONVERSATIONS = 20
// CI servers refuse files of some ten megabytes: enough of a text to judge it by, no more.
const LONGEST = { name: 80, question: 500, answer: 2000, message: 300, thread: 200, reason: 2000 }
const MOST_SENTENCES = 20

/**
 * The file's text in pieces, valid by both published schemas (JUnit.xsd of Windy Road, junit-10.xsd of Jenkins' xUnit
 * plugin): that is why the root has no totals and the conversation stands with the suite, not the case. Held at a
 * time: the threads that are open there, at most some 10,000 characters a turn, however long the answer.
 */
export function* renderJunit(questions: Iterable<readonly GradedTurn[]>, run: JunitRun): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n'
  const open = new Map<string, Suite>()
  let written = 0
  for (const repeats of questions) {
    const [first] = repeats
    if (first === undefined) continue
    const { question } = first.turn
    const key = JSON.stringify([question.file, question.thread])
    const suite = open.get(key) ?? openSuite(question)
    open.set(key, suite)
    const place = `${run.files[question.file] ?? 'unknown file'}:${question.line}`
    suite.cases.push(caseOf(repeats, question, place, run.judged))
    addTurns(suite, repeats)
    if (suite.cases.length !== run.questionsOfThread?.(first.turn)) continue
    open.delete(key)
    yield renderThread(suite, written++, run)
  }
  for (const suite of open.values()) yield renderThread(suite, written++, run)
  if (run.gates.length > 0) yield renderGates(written, run)
  yield '</testsuites>\n'
}

const openSuite = (question: Question): Suite => ({
  question,
  cases: [],
  conversationIds: new Set(),
  tags: new Set(),
  isLone: true,
})

function addTurns(suite: Suite, repeats: readonly GradedTurn[]): void {
  for (const { turn } of repeats) {
    const { question, result } = turn
    for (const tag of question.tags) suite.tags.add(tag)
    if (result?.kind === 'reply' && suite.conversationIds.size < MOST_CONVERSATIONS)
      suite.conversationIds.add(cut(result.reply.conversationId, LONGEST.thread))
    if (question.id !== question.thread) suite.isLone = false
  }
}

/** `place` says where the question stands, such as `set.csv:12`. */
function caseOf(
  repeats: readonly GradedTurn[],
  { id, message }: Question,
  place: string,
  judged: Judged,
): Case {
  const standing = standingOfQuestion(repeats, judged)
  const transcript = repeats.map(({ turn }) => transcribe(turn)).join('\n')
  return {
    standing: standing.kind,
    // Stable across runs as long as the question is, and readable where the id was derived.
    name: `${cut(id, LONGEST.name)}: ${cut(message, LONGEST.name)}`,
    ms: repeats.reduce((sum, { turn }) => sum + (turn.serviceMs ?? 0), 0),
    inside: describeStanding(standing, transcript, place),
    transcript: xmlText(transcript),
  }
}

/** GitLab shows the text alone, Jenkins the message and the text: both tell the whole. */
function describeStanding(standing: Standing, transcript: string, place: string): string {
  switch (standing.kind) {
    case 'passed':
      return ''
    case 'skipped':
    case 'excused':
      // As text: an attribute here is not known to every schema.
      return element('skipped', {}, xmlText(oneLine(cut(standing.why, 2 * LONGEST.message))))
    case 'failed':
    case 'errored': {
      const sentences = standing.sentences
        .slice(0, MOST_SENTENCES)
        .map((one) => oneLine(cut(one, 2 * LONGEST.message)))
      const body = [...sentences.map((one) => `- ${one}`), `at ${oneLine(place)}`, transcript].join('\n')
      return element(
        standing.kind === 'failed' ? 'failure' : 'error',
        { type: standing.type, message: cut(sentences.join('; '), LONGEST.message) },
        xmlText(body),
      )
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
    ...quote('question', cut(question.message, LONGEST.question)),
    ...(reply === undefined ? [] : quote('answer', cut(reply.message, LONGEST.answer))),
  ].join('\n')
}

/** A bar before each line: whatever the text says, no line of it begins with a command. */
function quote(label: string, text: string): string[] {
  return text
    .split(/\r\n|[\r\n\u0085\u2028\u2029]/)
    .map((line, place) => `  ${(place === 0 ? label : '').padEnd(8)} | ${line}`)
}

function renderThread(
  { question, cases, conversationIds, tags, isLone }: Suite,
  id: number,
  run: JunitRun,
): string {
  const path = run.files[question.file] ?? 'questions'
  const stem = path.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '')
  const thread = cut(question.thread, LONGEST.thread)
  return renderSuite(run, cases, {
    id,
    name: run.files.length > 1 ? `${stem} / ${thread}` : thread,
    stem,
    // Jenkins takes what stands before the last dot for the package: there the file, behind it the thread.
    className: isLone ? stem : `${stem}.${thread.replaceAll('.', '_')}`,
    properties: {
      dataset: path,
      ...(tags.size === 0 ? {} : { tags: cut([...tags].join('; '), 1000) }),
      ...(conversationIds.size === 0 ? {} : { conversationId: [...conversationIds].join('; ') }),
    },
  })
}

/** A gate that fails the run must fail a case; so must a run that has not come to its end. */
function renderGates(id: number, run: JunitRun): string {
  const cases = run.gates.map(({ name: gate, passed, reason: { text } }): Case => {
    const [name, reason] = [cut(gate, LONGEST.thread), xmlText(oneLine(cut(text, LONGEST.reason)))]
    const failure = { type: 'gate', message: cut(text, LONGEST.message) }
    return {
      standing: passed ? 'passed' : 'failed',
      name,
      ms: 0,
      inside: passed ? '' : element('failure', failure, `- ${reason}`),
      transcript: `- ${xmlAttribute(name)}: ${reason}`,
    }
  })
  return renderSuite(run, cases, { id, name: 'gates', stem: 'gates', className: 'gates', properties: {} })
}

interface SuiteFacts {
  readonly id: number
  readonly name: string
  readonly stem: string
  readonly className: string
  readonly properties: Readonly<Record<string, string>>
}

function renderSuite(
  run: JunitRun,
  cases: readonly Case[],
  { id, name, stem, className: classname, properties }: SuiteFacts,
): string {
  const count = (...kinds: Case['standing'][]): number =>
    cases.filter(({ standing }) => kinds.includes(standing)).length
  const attributes = {
    id,
    name: xmlAttribute(name) === '' ? 'unnamed' : name,
    package: stem,
    // The schema's time has no zone.
    timestamp: run.startedAt.slice(0, 19),
    // The host is whoever ran this, which a report that can be made again does not know.
    hostname: 'localhost',
    tests: cases.length,
    failures: count('failed'),
    errors: count('errored'),
    skipped: count('skipped', 'excused'),
    time: seconds(cases.reduce((sum, { ms }) => sum + ms, 0)),
  }
  const lines = [
    '    <properties>',
    ...Object.entries({ run: run.name, ...properties }).map(
      ([key, value]) => `      ${element('property', { name: key, value })}`,
    ),
    '    </properties>',
    ...cases.map((one) => {
      const inside = one.inside === '' ? '' : `\n      ${one.inside}\n    `
      return `    ${element('testcase', { name: one.name, classname, time: seconds(one.ms) }, inside)}`
    }),
    `    <system-out>${cases.map(({ transcript }) => transcript).join('\n\n')}</system-out>`,
    '    <system-err/>',
  ]
  return `  ${element('testsuite', attributes, `\n${lines.join('\n')}\n  `)}\n`
}

/** `inside` is XML; without it the element is empty. */
function element(name: string, attributes: Readonly<Record<string, string | number>>, inside = ''): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${xmlAttribute(String(value))}"`)
  const head = `<${name}${written.join('')}`
  return inside === '' ? `${head}/>` : `${head}>${inside}</${name}>`
}

/** With thousandths, the way the schema wants them. */
const seconds = (ms: number): string => (ms / 1000).toFixed(3)
