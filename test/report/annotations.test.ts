// Protects annotations: the runner of GitHub reads them as intended, whatever their text.
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { githubAnnotation } from '../../src/cli/screen.ts'
import type { AnsweredTurn } from '../../src/domain/turn.ts'
import type { Decision } from '../../src/analysis/comparing/judged-run.ts'
import type { GateOutcome } from '../../src/domain/summary.ts'
import { annotate as annotateRuns, type Annotation, annotationsOf } from '../../src/report/annotations.ts'
import { failuresOf } from '../../src/report/failures.ts'
import { hostileText } from '../support/hostile.ts'
import { failed, makeQuestion, makeTurn, standingsOf } from '../support/recorded.ts'

type Judged = readonly [decision: Decision, gates?: GateOutcome[]]

function annotationsFor(
  turns: readonly AnsweredTurn[],
  path?: string,
  [decision, gates = []]: Judged = [{ isGreen: false }],
): Annotation[] {
  const failures = failuresOf(
    standingsOf(
      turns.map((one) => [one]),
      decision,
    ),
  )
  return annotateRuns([annotationsOf(failures, gates, [path], undefined)])
}

const root = process.cwd()
const annotate = (turns: readonly AnsweredTurn[], path = 'sets/vpn.csv'): string[] =>
  annotationsFor(turns, path).map((one) => githubAnnotation(one, root))

const turn = (
  grade: Partial<AnsweredTurn>,
  more: Partial<AnsweredTurn> = {},
  id = 'q1',
  message = 'How?',
): AnsweredTurn => makeTurn({ question: makeQuestion(id, 't', 1, { line: 7, message }), ...more, ...grade })

const serverError: Partial<AnsweredTurn> = {
  outcome: 'server_error',
  result: { kind: 'rejection', httpStatus: 503, error: { message: 'busy: 100%' } },
}

/** Parses a line like the runner (actions/runner, ActionCommand): trimmed, `::` first, properties up to the next `::`. */
function readCommand(line: string) {
  const text = line.trimStart()
  const end = text.indexOf('::', 2)
  if (!text.startsWith('::') || end === -1) return undefined
  const [name = '', ...rest] = text.slice(2, end).split(' ')
  const unescape = (value: string): string =>
    value
      .replaceAll('%0D', '\r')
      .replaceAll('%0A', '\n')
      .replaceAll('%3A', ':')
      .replaceAll('%2C', ',')
      .replaceAll('%25', '%')
  const properties = rest
    .join(' ')
    .split(',')
    .map((one) => [one.slice(0, one.indexOf('=')), unescape(one.slice(one.indexOf('=') + 1))])
  return {
    name,
    properties: Object.fromEntries(properties) as Record<string, string>,
    data: text.slice(end + 2),
  }
}

test.each<[string, AnsweredTurn, string[]]>([
  [
    'that failed has file, line, reasons and question',
    turn(failed('no "VPN"', 'too slow')),
    ['::error file=sets/vpn.csv,line=7,title=q1%3A failed expectation::no "VPN"%0Atoo slow%0AQuestion: How?'],
  ],
  [
    "that ended in an error has the endpoint's message",
    turn({ grade: 'notGraded' }, serverError),
    [
      '::error file=sets/vpn.csv,line=7,title=q1%3A server_error::server_error (HTTP 503): busy: 100%25%0AQuestion: How?',
    ],
  ],
  ['that passed has none', turn({ grade: 'passed' }), []],
  ['that was skipped has none', turn({ grade: 'none' }, { outcome: 'skipped', result: undefined }), []],
  ['that was not sent has none', turn({ grade: 'none' }, { outcome: undefined, result: undefined }), []],
])('a turn %s', (_, one, expected) => {
  expect(annotate([one])).toEqual(expected)
})

const failures = (count: number, nameOf = (place: number) => `q${place}`): AnsweredTurn[] =>
  Array.from({ length: count }, (_, place) => turn(failed('x'), {}, nameOf(place)))

test.each([
  [10, undefined],
  [11, '2 more failures'],
  [500, '491 more failures'],
])('of %i failures ten lines are left, of which the last one counts the others', (count, more) => {
  const lines = annotate(failures(count))
  expect(lines).toHaveLength(10)
  expect(lines[0]).toContain('title=q0%3A')
  if (more === undefined) expect(lines[9]).toMatch(/^::error/)
  else expect(lines[9]).toBe(`::notice title=assist-harness::${more}: see results.csv`)
})

test('several targets share the ten, each with its name', () => {
  const gate = { name: 'complete', passed: false, reason: { code: 'x', text: 'stopped' } }
  const twelve = failuresOf(standingsOf(failures(12).map((one) => [one])))
  const runs = ['production', 'staging'].map((target) => annotationsOf(twelve, [gate], [undefined], target))
  const titles = annotateRuns(runs).map(({ title }) => title)
  expect(titles).toEqual([
    'production / gate failed: complete',
    'staging / gate failed: complete',
    ...['q0', 'q1', 'q2'].flatMap((id) =>
      ['production', 'staging'].map((target) => `${target} / ${id}: failed expectation`),
    ),
    'production / q3: failed expectation',
    'assist-harness',
  ])
})

test('of many newly failing questions eight are shown, and a failed gate that no question shows', () => {
  const many = Array.from({ length: 12 }, (_, place) => `new${place}`)
  const before = { baseline: 'accepted', byId: new Map(many.map((id) => [id, 'passed'] as const)) }
  const reason = { code: 'x', text: 'failed' }
  const gates = ['errors', 'baseline verdicts'].map((name) => ({ name, passed: false, reason }))
  const turns = failures(12, (place) => `new${place}`)
  const shown = annotationsFor(turns, undefined, [{ isGreen: false, before }, gates])
  expect(shown.map(({ title }) => title)).toEqual([
    ...many.slice(0, 8).map((id) => `${id}: failed expectation`),
    'gate failed: baseline verdicts',
    'assist-harness',
  ])
  const green = annotationsFor(turns.slice(0, 1), undefined, [{ isGreen: true }])
  expect(green).toMatchObject([{ level: 'warning', title: 'new0: failed expectation' }])
})

/** Of a set below the working directory. */
const pathOf = (text: string): string => `sets/${text.replaceAll('.', '')}.csv`

test('hostile text stays inside its annotation', () => {
  const text = hostileText(12)
  fc.assert(
    fc.property(text, text, text, fc.boolean(), (id, message, sentence, isError) => {
      const one = turn(failed(sentence), isError ? serverError : {}, id, message)
      const lines = annotate([one], pathOf(sentence)).flatMap((line) => line.split(/[\n\r\u0085\u2028]/))
      expect(lines).toHaveLength(1)
      const read = readCommand(lines[0] ?? '')
      expect(read?.name).toBe('error')
      expect(Object.keys(read?.properties ?? {})).toEqual(['file', 'line', 'title'])
      expect(read?.properties['line']).toBe('7')
      expect(read?.properties['title']).toMatch(isError ? /: server_error$/ : /: failed expectation$/)
      expect(lines[0]).not.toContain('##[')
    }),
  )
})

test('a file is named from the root of the checkout, and not at all outside of it', () => {
  const one: Annotation = { level: 'error', title: 't', lines: ['x'], file: 'sets/vpn.csv', line: 3 }
  expect(githubAnnotation(one, root)).toBe('::error file=sets/vpn.csv,line=3,title=t::x')
  const here = root.split(/[\\/]/).at(-1)
  expect(githubAnnotation(one, join(root, '..'))).toBe(`::error file=${here}/sets/vpn.csv,line=3,title=t::x`)
  expect(githubAnnotation(one, join(root, 'other'))).toBe('::error title=t::x')
})
