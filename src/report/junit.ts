// `junit.xml`: a thread is a testsuite, a question a testcase, and so is each gate; for Jenkins, GitLab and the viewers of GitHub.
import type { GateOutcome } from '../domain/summary.ts'
import type { GradedTurn, TurnRecord } from '../domain/turn.ts'
import type { Question } from '../domain/question.ts'
import { junitCase, seconds, type JunitCase } from './junit-case.ts'
import type { Judged } from './standing.ts'
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

interface Suite {
  readonly question: Question
  readonly cases: JunitCase[]
  readonly conversationIds: Set<string>
  readonly tags: Set<string>
  /** Whether the thread is one question that stands alone, and bears its name. */
  isLone: boolean
}

/** Conversations of a thread that are named; each repeat and restart opens another. */
const MOST_CONVERSATIONS = 20

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
    suite.cases.push(junitCase(repeats, place, run.judged))
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
      suite.conversationIds.add(cut(result.reply.conversationId, 200))
    if (question.id !== question.thread) suite.isLone = false
  }
}

function renderThread(
  { question, cases, conversationIds, tags, isLone }: Suite,
  id: number,
  run: JunitRun,
): string {
  const { thread, file } = question
  const path = run.files[file] ?? 'questions'
  const stem = path.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '')
  // Jenkins takes what stands before the last dot for the package: there the file, behind it the thread.
  const className = isLone ? stem : `${stem}.${cut(thread, 200).replaceAll('.', '_')}`
  const name = run.files.length > 1 ? `${stem} / ${cut(thread, 200)}` : cut(thread, 200)
  const properties = {
    run: run.name,
    dataset: path,
    ...(tags.size === 0 ? {} : { tags: cut([...tags].join('; '), 1000) }),
    ...(conversationIds.size === 0 ? {} : { conversationId: [...conversationIds].join('; ') }),
  }
  return renderSuite({ id, name, stem, properties, className, cases }, run)
}

/** A gate that fails the run must fail a case; so must a run that has not come to its end. */
function renderGates(id: number, run: JunitRun): string {
  const cases = run.gates.map((gate): JunitCase => {
    const [name, reason] = [xmlAttribute(cut(gate.name, 200)), xmlText(oneLine(cut(gate.reason.text, 2000)))]
    const head = `<testcase name="${name}" classname="gates" time="0.000"`
    return {
      standing: gate.passed ? 'passed' : 'failed',
      ms: 0,
      element: () =>
        gate.passed
          ? `    ${head}/>\n`
          : `    ${head}>\n      <failure type="gate" message="${xmlAttribute(cut(gate.reason.text, 300))}">- ${reason}</failure>\n    </testcase>\n`,
      transcript: `- ${name}: ${reason}`,
    }
  })
  const properties = { run: run.name }
  return renderSuite({ id, name: 'gates', stem: 'gates', properties, className: 'gates', cases }, run)
}

interface RenderedSuite {
  readonly id: number
  readonly name: string
  readonly stem: string
  readonly properties: Readonly<Record<string, string>>
  readonly className: string
  readonly cases: readonly JunitCase[]
}

function renderSuite({ id, name, stem, properties, className, cases }: RenderedSuite, run: JunitRun): string {
  const count = (kind: JunitCase['standing']): number =>
    cases.filter(({ standing }) => standing === kind).length
  const time = seconds(cases.reduce((sum, { ms }) => sum + ms, 0))
  // The schema's time has no zone. The host is whoever ran this, which a report that can be made again does not know.
  const attributes = {
    id: String(id),
    name: xmlAttribute(name) || 'unnamed',
    package: xmlAttribute(stem),
    timestamp: run.startedAt.slice(0, 19),
    hostname: 'localhost',
    tests: String(cases.length),
    failures: String(count('failed')),
    errors: String(count('errored')),
    skipped: String(count('skipped')),
    time,
  }
  return [
    `  <testsuite ${Object.entries(attributes)
      .map(([key, value]) => `${key}="${value}"`)
      .join(' ')}>\n`,
    '    <properties>\n',
    ...Object.entries(properties).map(
      ([key, value]) => `      <property name="${key}" value="${xmlAttribute(value)}"/>\n`,
    ),
    '    </properties>\n',
    ...cases.map((one) => one.element(className)),
    `    <system-out>${cases.map(({ transcript }) => transcript).join('\n\n')}</system-out>\n`,
    '    <system-err/>\n',
    '  </testsuite>\n',
  ].join('')
}
