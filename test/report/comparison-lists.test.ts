// Which changed questions stand in which list, and in which words.
import { describe, expect, test } from 'vitest'
import { CHANGE_KINDS, type ChangedFact, type ChangeKind } from '../../src/domain/comparison/change.ts'
import { describeFacts, whatChanged } from '../../src/report/comparison-change.ts'
import { changeLists, isUnchanged, setLists } from '../../src/report/comparison-lists.ts'
import { makeCandidate, makeShown } from '../support/comparisons.ts'

const listsOf = (kinds: readonly ChangeKind[]): string[] =>
  changeLists(makeCandidate({ changes: [makeShown('q', kinds)] })).map(({ title }) => title)

describe('the lists', () => {
  test.each(CHANGE_KINDS)('have a place, and one only, for %s', (kind) => {
    expect(listsOf([kind])).toHaveLength(1)
  })

  test('come in the order of their gravity, with a question in each that it belongs to', () => {
    expect(listsOf(['failToPass', 'factsChanged', 'groundingLost'])).toEqual([
      'Lost from the knowledge base',
      'An answer says something else: facts changed',
      'Mended',
    ])
  })

  test('count a question once, however it lost its answer, and those that are not at hand', () => {
    const { availability } = makeCandidate()
    const [list] = changeLists(
      makeCandidate({
        availability: { ...availability, answerToError: ['a', 'b'], answerToSkipped: ['b', 'c'] },
        changes: [makeShown('a', ['answerToError'])],
      }),
    )
    expect(list).toMatchObject({ title: 'No answer any more (availability, not quality)', count: 3 })
    expect(list?.changes.map(({ id }) => id)).toEqual(['a'])
  })

  test('say of repeats that some of them were answered, before or now', () => {
    const { availability } = makeCandidate()
    const said = (answeredToo: readonly string[]): string[] =>
      changeLists(
        makeCandidate({
          availability: { ...availability, answerToError: ['a', 'b'], errorToAnswer: ['c'], answeredToo },
        }),
      ).map(({ title, tally }) => `${title}: ${tally}`)
    expect(said(['b'])).toEqual([
      'No answer at least once (availability, not quality): without an answer at least once now',
      'Answered now, and had no answer before: answered now',
    ])
    expect(said(['c'])).toEqual([
      'No answer any more (availability, not quality): without an answer now',
      'Answered each time now, and not always before: answered each time now',
    ])
  })

  test('show what must pass first, and no question twice', () => {
    const [a, b, c] = [
      makeShown('a', ['groundingLost']),
      makeShown('b', ['groundingLost'], { mustPass: true }),
      makeShown('c', ['groundingLost']),
    ] as const
    const [list] = changeLists(makeCandidate({ changes: [a, b, c] }), [c])
    expect(list?.changes.map(({ id }) => id)).toEqual(['b', 'c', 'a'])
  })

  test('hold no change where all that they have failed before', () => {
    const changes = (kind: ChangeKind): boolean =>
      isUnchanged(changeLists(makeCandidate({ changes: [makeShown('q', [kind])] })))
    expect(CHANGE_KINDS.filter(changes)).toEqual(['failInBoth'])
    expect(isUnchanged([])).toBe(true)
  })

  test('of the sets: an edited question with both its texts', () => {
    expect(setLists(makeCandidate({ edited: [{ id: 'q', baseline: 'old?', candidate: 'new?' }] }))).toEqual([
      {
        key: 'edited',
        title: 'Edited: text changed, so answers are not compared',
        count: 1,
        questions: [{ id: 'q', message: 'new?', before: 'old?' }],
      },
    ])
  })
})

describe('changed facts', () => {
  const fact = (kind: string, text: string): ChangedFact => ({ kind, text })
  test.each<[string, ChangedFact[], ChangedFact[], string]>([
    ['one for another', [fact('duration', '14 days')], [fact('duration', '10 days')], '14 days → 10 days'],
    ['gone', [fact('number', '3')], [], 'gone: 3'],
    ['new', [], [fact('negation', 'not')], 'new: “not”'],
    [
      'of two kinds',
      [fact('number', '14'), fact('url', 'a.example')],
      [fact('duration', '10 days'), fact('url', 'b.example')],
      'gone: 14; a.example → b.example; new: 10 days',
    ],
    [
      'of many',
      ['1', '2', '3', '4', '5', '6'].map((text) => fact('number', text)),
      [fact('number', '7')],
      '1, 2, 3, 4, 2 more → 7',
    ],
    ['none', [], [], ''],
  ])('%s', (_, factsLost, factsGained, words) => {
    expect(describeFacts({ factsLost, factsGained })).toBe(words)
  })
})

describe('what changed', () => {
  test.each<[string, string, string]>([
    [
      'over repeats',
      whatChanged(
        makeShown('q', ['groundingLost'], { candidate: { source: 'MODEL', groundingRate: 1 / 3 } }),
        'lost',
      ),
      'grounded 100.0 % → 33.3 %; KNOWLEDGE_BASE → MODEL',
    ],
    [
      'a source without a name',
      whatChanged(makeShown('q', ['sourceChanged'], { baseline: { source: '' } }), 'sourceChanged'),
      '(empty) → KNOWLEDGE_BASE',
    ],
    [
      'an error',
      whatChanged(
        makeShown('q', ['answerToError'], { candidate: { outcome: 'timeout', source: '(error)' } }),
        'noAnswer',
      ),
      'timeout',
    ],
    [
      'skipped',
      whatChanged(
        makeShown('q', ['answerToSkipped'], { candidate: { outcome: 'skipped', source: '(skipped)' } }),
        'noAnswer',
      ),
      'skipped',
    ],
    [
      'another answer',
      whatChanged(makeShown('q', ['otherAnswer'], { similarity: 0.12 }), 'otherAnswer'),
      'the answers agree by 12.0 %',
    ],
    [
      'another answer, with its facts',
      whatChanged(
        makeShown('q', ['otherAnswer'], {
          similarity: 0.12,
          factsLost: [{ kind: 'duration', text: '14 days' }],
          factsGained: [{ kind: 'negation', text: 'not' }],
        }),
        'otherAnswer',
      ),
      'the answers agree by 12.0 %; gone: 14 days; new: “not”',
    ],
  ])('%s', (_, words, expected) => {
    expect(words).toBe(expected)
  })
})
