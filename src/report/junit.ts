// `junit.xml`: a thread is a testsuite, a turn a testcase; for Jenkins, GitLab and the viewers of GitHub.
import type { GradedTurn } from '../domain/graded-turn.ts'
import type { Question } from '../domain/question.ts'
import type { TurnRecord } from '../domain/turn.ts'
import { junitCase, seconds, type JunitCase } from './junit-case.ts'
import { cut, xmlAttribute } from './xml.ts'

export interface JunitRun {
  readonly name: string
  /** ISO 8601, UTC. */
  readonly startedAt: string
  /** The question sets' file names, by `Question.file`. */
  readonly files: readonly string[]
  /**
   * How many turns, repeats included, come of the turn's thread: with the last of them its suite is written.
   * Absent or too high: the suite waits for the end of all turns.
   */
  readonly turnsOfThread?: (turn: TurnRecord) => number
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
export function* renderJunit(turns: Iterable<GradedTurn>, run: JunitRun): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n'
  const open = new Map<string, Suite>()
  let written = 0
  for (const graded of turns) {
    const { question } = graded.turn
    const key = JSON.stringify([question.file, question.thread])
    const suite = open.get(key) ?? openSuite(question)
    open.set(key, suite)
    addTurn(suite, graded, `${run.files[question.file] ?? 'unknown file'}:${question.line}`)
    if (suite.cases.length !== run.turnsOfThread?.(graded.turn)) continue
    open.delete(key)
    yield renderSuite(suite, written++, run)
  }
  for (const suite of open.values()) yield renderSuite(suite, written++, run)
  yield '</testsuites>\n'
}

const openSuite = (question: Question): Suite => ({
  question,
  cases: [],
  conversationIds: new Set(),
  tags: new Set(),
  isLone: true,
})

function addTurn(suite: Suite, graded: GradedTurn, place: string): void {
  const { question, result } = graded.turn
  suite.cases.push(junitCase(graded, place))
  for (const tag of question.tags) suite.tags.add(tag)
  if (result?.kind === 'reply' && suite.conversationIds.size < MOST_CONVERSATIONS)
    suite.conversationIds.add(cut(result.reply.conversationId, 200))
  if (question.id !== question.thread) suite.isLone = false
}

function renderSuite(
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
  const properties = {
    run: run.name,
    dataset: path,
    ...(tags.size === 0 ? {} : { tags: cut([...tags].join('; '), 1000) }),
    ...(conversationIds.size === 0 ? {} : { conversationId: [...conversationIds].join('; ') }),
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
