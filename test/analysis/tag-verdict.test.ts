// Which tags fall short: beyond chance, over all tags at once, and by threads rather than turns.
import { describe, expect, test } from 'vitest'
import { coverageOf, type ThreadTally } from '../../src/analysis/coverage.ts'
import { parseThreshold } from '../../src/analysis/gates/expression.ts'
import { noteTags, judgeTags } from '../../src/analysis/tag-notes.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { makeQuestion } from '../support/questions.ts'
import { makeSummary } from '../support/summaries.ts'
import { makeReply, makeTurn } from '../support/turns.ts'

const none = { errors: 0, context: 0 }
const questions = (grounded: number, answered: number): ThreadTally[] =>
  Array.from({ length: answered }, (_, place) => ({
    grounded: place < grounded ? 1 : 0,
    answered: 1,
    questions: 1,
    squares: 1,
  }))
const tag = (name: string, threads: readonly ThreadTally[]): Parameters<typeof judgeTags>[0][number] => ({
  tag: name,
  coverage: coverageOf(threads, none),
})

test('short beyond chance, short by chance, kept, and without answers', () => {
  const verdicts = judgeTags(
    [
      tag('vpn', questions(20, 50)),
      tag('hr', questions(7, 10)),
      tag('mail', questions(49, 50)),
      tag('new', []),
    ],
    0.8,
  )
  expect(verdicts.map((one) => [one.tag, one.verdict])).toEqual([
    ['vpn', 'below'],
    ['hr', 'unclear'],
    ['mail', 'kept'],
    ['new', 'unknown'],
  ])
  // P(X ≤ 7) of 10 at 0.8, three tags with answers, second smallest.
  expect(verdicts[1]?.p).toBeCloseTo(0.3222, 4)
  expect(verdicts[1]?.adjusted).toBeCloseTo(2 * 0.3222, 3)
  expect(verdicts[3]).toEqual({ tag: 'new', verdict: 'unknown', p: null, adjusted: null })
})

test('what one tag alone would show, many do not', () => {
  const alone = judgeTags([tag('a', questions(12, 20))], 0.8)
  const others = Array.from({ length: 30 }, (_, place) => tag(`t${place}`, questions(16, 20)))
  const among = judgeTags([tag('a', questions(12, 20)), ...others], 0.8)
  expect(alone[0]?.verdict).toBe('below')
  expect(among[0]?.verdict).toBe('unclear')
})

test('twenty turns of two threads are no twenty questions', () => {
  const threads = [8, 4].map((grounded) => ({ grounded, answered: 10, questions: 10, squares: 10 }))
  expect(judgeTags([tag('a', threads)], 0.8)[0]?.verdict).toBe('unclear')
})

test('a rate of 100 % is broken by one answer', () => {
  const verdicts = judgeTags([tag('a', questions(49, 50)), tag('b', questions(50, 50))], 1)
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(['below', 'kept'])
})

test('of runs whose twelve tags all keep the rate, at most one in twenty names a tag', () => {
  const random = seededRandom(8)
  let alarms = 0
  for (let run = 0; run < 400; run += 1) {
    const tags = Array.from({ length: 12 }, (_, place) => {
      const grounded = Array.from({ length: 25 }, random).filter((value) => value < 0.8).length
      return tag(`t${place}`, questions(grounded, 25))
    })
    if (judgeTags(tags, 0.8).some(({ verdict }) => verdict === 'below')) alarms += 1
  }
  // 20 of 400 expected at most; three standard deviations are 13.
  expect(alarms).toBeLessThanOrEqual(33)
})

describe('the note on tags', () => {
  const tagged = (name: string, grounded: number, answered: number) =>
    Array.from({ length: answered }, (_, place) =>
      makeTurn({
        question: makeQuestion(`${name}${place}`, `${name}${place}`, 1, { tags: [name] }),
        result: makeReply(place < grounded ? 'KNOWLEDGE_BASE' : 'MODEL'),
      }),
    )
  const { tags } = makeSummary([...tagged('good', 40, 40), ...tagged('bad', 5, 40), ...tagged('odd', 2, 3)])
  const noteFor = (...expressions: string[]): string[] =>
    noteTags(
      expressions.flatMap((one) => {
        const parsed = parseThreshold(one)
        return parsed.kind === 'threshold' ? [parsed.threshold] : []
      }),
      tags,
    )

  test('names those below the coverage asked for, beyond chance', () => {
    expect(noteFor('coverage>=80%')).toEqual([
      'below a coverage of 80 % beyond chance (Holm over 3 tags): bad',
    ])
  })

  test('is silent where no coverage is asked of the whole', () => {
    expect(noteFor('coverage[bad]>=80%', 'coverage<=99%', 'errors<=1%')).toEqual([])
  })
})
