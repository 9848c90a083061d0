// Protects `junit.xml`: valid by the published schemas for any turns, with the cases and reasons that CI servers show.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import type { Repeats } from '../../src/analysis/figures/graded.ts'
import type { AttemptResult } from '../../src/domain/attempt.ts'
import { OUTCOMES } from '../../src/domain/outcome.ts'
import type { Question } from '../../src/domain/question.ts'
import type { AnsweredTurn } from '../../src/domain/turn.ts'
import { type JunitRun, renderJunit } from '../../src/report/junit.ts'
import { hostileText } from '../support/hostile.ts'
import { failed, makeQuestion, makeReply, makeTurn, standingsOf } from '../support/recorded.ts'

const read = (name: string): string => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8')

/** Adds `skipped`, which the published schema has today and this file does not. */
function withSkipped(schema: string): string {
  const changed = schema
    .replace('<xs:choice minOccurs="0">', '$&<xs:element name="skipped"/>')
    .replace(
      /<xs:attribute name="errors" type="xs:int" use="required">/,
      '<xs:attribute name="skipped" type="xs:int" use="optional"/>$&',
    )
  if (changed.split('skipped').length !== 3) throw new Error('the schema is not the expected one')
  return changed
}

const schemas = {
  'Windy Road': withSkipped(read('JUnit.xsd')),
  'Jenkins, version 4': read('jenkins-junit-4.xsd'),
} as const

/** The errors of each file by every schema; none if it is valid. Many files take hardly longer than one. */
async function validationErrorsOfEach(files: readonly string[]): Promise<string[][]> {
  const xml = files.map((contents, place) => ({ fileName: `${place}.xml`, contents }))
  const found = await Promise.all(
    Object.entries(schemas).map(async ([name, schema]) => {
      const { errors } = await validateXML({ xml, schema, maxMemoryPages: 4096 })
      // An excerpt of the file follows its message, without a file name.
      let file: string | undefined
      return errors.map(({ message, loc }) => {
        file = loc?.fileName ?? file
        return { file, text: `${name}: ${message}` }
      })
    }),
  )
  return xml.map(({ fileName }) =>
    found.flat().flatMap(({ file, text }) => (file === undefined || file === fileName ? [text] : [])),
  )
}

const validationErrors = async (xml: string): Promise<string[]> =>
  (await validationErrorsOfEach([xml])).flat()

const run: JunitRun = {
  name: 'nightly',
  target: undefined,
  startedAt: '2026-11-21T12:00:00.123Z',
  files: ['sets/it-support.csv'],
  gates: [],
}

function graded(
  id: string,
  thread: string,
  more: Partial<AnsweredTurn> = {},
  grade: Partial<AnsweredTurn> = {},
  question: Partial<Question> = {},
): AnsweredTurn {
  return makeTurn({ question: makeQuestion(id, thread, 1, question), ...more, ...grade })
}

const wrong = failed('the answer does not contain "VPN"', 'the source is GENERAL_KNOWLEDGE')

/** Groups turns into questions; repeats follow each other. */
function questionsOf(turns: readonly AnsweredTurn[]): Repeats[] {
  const questions: [AnsweredTurn, ...AnsweredTurn[]][] = []
  for (const one of turns) {
    if (one.repeat > 1 && questions.length > 0) questions.at(-1)?.push(one)
    else questions.push([one])
  }
  return questions
}

const render = (turns: readonly AnsweredTurn[], more: Partial<JunitRun> = {}): string =>
  [...renderJunit(standingsOf(questionsOf(turns)), { ...run, ...more })].join('')

const overloaded: AttemptResult = {
  kind: 'rejection',
  httpStatus: 503,
  error: { code: 'OVERLOADED', message: 'Come back <later>' },
}
const everyStanding: readonly AnsweredTurn[] = [
  graded('a1', 'a', { result: makeReply('KNOWLEDGE_BASE', 'Use the\nportal.') }, { grade: 'passed' }),
  graded('a2', 'a', { serviceMs: 812.4 }, wrong, { tags: ['access', 'vpn'], line: 3 }),
  graded('a2', 'a', { repeat: 2 }, wrong, { tags: ['access', 'vpn'], line: 3 }),
  graded('b1', 'b1', { outcome: 'server_error', result: overloaded }),
  graded('c1', 'c', { outcome: 'skipped', result: undefined, serviceMs: undefined }),
  graded('c2', 'c', { outcome: undefined, result: undefined, serviceMs: undefined }),
  graded('d1', 'd1', { contextLost: true }, { grade: 'notGraded' }),
]

test('a run with every kind of turn matches the published schemas, and has all that a reader of JUnit alone needs', async () => {
  const xml = render(everyStanding)
  expect(await validationErrors(xml)).toEqual([])
  await expect(xml).toMatchFileSnapshot('outputs/every-standing.xml')
})

/** Class and name of each case. */
const namesOf = (xml: string): string[] =>
  [...xml.matchAll(/<testcase name="([^"]*)" classname="([^"]*)"/g)].map(
    ([, name, classname]) => `${classname}: ${name}`,
  )

const DERIVED = ['q-0123456789abcdef', 'q-0123456789abcdee', 'q-0123456789abcded'] as const

test.each<[string, readonly AnsweredTurn[], Partial<JunitRun>, readonly string[]]>([
  [
    'its target and its id',
    [graded('a1', 'a1')],
    { target: 'eu.production' },
    ['eu_production.it-support: eu.production / a1'],
  ],
  [
    'a derived id, where nothing else has a name',
    [graded(DERIVED[0], DERIVED[0]), graded(DERIVED[1], `${DERIVED[1]} (2)`)],
    {},
    [`it-support: ${DERIVED[0]}`, `it-support: ${DERIVED[1]}`],
  ],
  [
    'a derived id, where another case has its name',
    [graded('vpn turn 1', 'vpn'), graded(DERIVED[2], 'vpn')],
    {},
    ['it-support.vpn: vpn turn 1', `it-support.vpn: ${DERIVED[2]}`],
  ],
])('a case is named by %s', (_, turns, more, names) => {
  expect(namesOf(render(turns, more))).toEqual(names)
})

test('answers share the room of a file that GitLab accepts', () => {
  const result = makeReply('KNOWLEDGE_BASE', '𝛂&<\u0001'.repeat(500))
  const turns = Array.from({ length: 5000 }, (_, index) =>
    graded(`question-${index}`, `question-${index}`, { result }, wrong),
  )
  const xml = render(turns)
  expect(xml.match(/answer {3}\|/g)).toHaveLength(500)
  expect(xml.match(/- the answer does not contain "VPN"/g)).toHaveLength(5000)
  const whole = xml.indexOf('<testcase name="question-500"')
  const each = Buffer.byteLength(xml.slice(whole)) / 4500
  expect(Buffer.byteLength(xml.slice(0, whole)) + 100_000 * each).toBeLessThan(28e6)
})

describe('hostile text', () => {
  test('of a megabyte is truncated', async () => {
    const answer = '<x>]]>\u0000'.repeat(150_000)
    const xml = render([graded('a', 'a', { result: makeReply('X', answer) }, wrong)])
    expect(xml.length).toBeLessThan(40_000)
    expect(xml).toContain('…')
    expect(await validationErrors(xml)).toEqual([])
  })

  const text = hostileText(12)
  const result = fc.oneof(
    text.map((message) => makeReply(message, message)),
    text.map(
      (message) => ({ kind: 'rejection', httpStatus: 500, error: { code: message, message } }) as const,
    ),
    fc.constant(undefined),
  )
  const grade = fc.oneof(
    fc.constant<Partial<AnsweredTurn>>({}),
    text.map((sentence): Partial<AnsweredTurn> => ({
      grade: 'failed',
      failures: [{ expectation: 'expect_regex', sentence }],
    })),
  )
  const turn = fc
    .record({
      text: fc.array(text, { minLength: 6, maxLength: 6 }),
      file: fc.integer({ min: 0, max: 2 }),
      outcome: fc.option(fc.constantFrom(...OUTCOMES), { nil: undefined }),
      result,
      grade,
      repeat: fc.integer({ min: 1, max: 2 }),
      contextLost: fc.boolean(),
      serviceMs: fc.option(fc.double({ min: 0, max: 1e7, noNaN: true }), { nil: undefined }),
    })
    .map(
      ({ text: [id = '', thread = '', message = '', tag = ''], file, grade: one, ...more }): AnsweredTurn =>
        graded(id, thread, more, one, { message, tags: [tag], file }),
    )

  // Five runs for each case, validated at once.
  const someRun = fc.record({ turns: fc.array(turn, { maxLength: 25 }), name: text })

  test('gives a valid file without workflow commands', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(someRun, { minLength: 5, maxLength: 5 }), async (someRuns) => {
        const files = someRuns.map(({ turns, name }) => render(turns, { name, files: [name, 'b.csv'] }))
        expect((await validationErrorsOfEach(files)).flat()).toEqual([])
        for (const xml of files) {
          expect(xml.split(/[\n\u0085\u2028\u2029]/).filter((line) => /^\s*::/.test(line))).toEqual([])
          expect(xml).not.toMatch(/##[a-z]*\[/i)
        }
      }),
      { numRuns: 5 },
    )
  })
})
