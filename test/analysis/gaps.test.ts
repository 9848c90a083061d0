// Protects the list of gaps: which questions are gaps, how they are grouped by topic, in any order and in bounded time.
import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clusterGaps, groupGaps } from '../../src/analysis/gaps/group.ts'
import { createGapCollector, type GapItem } from '../../src/analysis/gaps/collect.ts'
import { drawSample, seededRandom } from '../../src/stats/random.ts'
import { cpuMs } from '../support/cpu-time.ts'
import { makeQuestion, makeReply, makeTurn } from '../support/recorded.ts'
import { readRows } from '../support/rows.ts'

const item = (message: string, number: number, more: Partial<GapItem> = {}): GapItem => ({
  id: `q${String(number).padStart(5, '0')}`,
  message,
  weight: 1,
  ...more,
})
const cluster = (messages: readonly string[]) => clusterGaps(messages.map((one, number) => item(one, number)))
const messagesOf = (messages: readonly string[]): string[][] =>
  cluster(messages).map(({ questions }) => questions.map(({ message }) => message).sort())

/** Over all pairs of questions: which share of those in one group have one label, and the other way round. */
function score(labelled: readonly (readonly [message: string, label: string])[]) {
  const clusters = cluster(labelled.map(([message]) => message))
  const clusterOf = new Map(clusters.flatMap((one, place) => one.questions.map(({ id }) => [id, place])))
  const placed = labelled.map(([message, label], number) => ({
    label,
    cluster: clusterOf.get(item(message, number).id),
  }))
  const pairs = placed.flatMap((one, place) =>
    placed.slice(place + 1).map((other) => [one.label === other.label, one.cluster === other.cluster]),
  )
  const inBoth = pairs.filter(([isClass, isCluster]) => isClass && isCluster).length
  return {
    precision: inBoth / pairs.filter(([, isCluster]) => isCluster).length,
    recall: inBoth / pairs.filter(([isClass]) => isClass).length,
  }
}

test('each question of a topic has the article that it is near to itself; the topic that of all', () => {
  const near = (article: string) => ({ article, title: article, section: '', url: null })
  const grouped = (articles: readonly string[]) =>
    groupGaps(
      articles.map((_, number) => item(`Who repairs the printer on floor ${number}?`, number)),
      [],
      (id) => ({
        kind: 'gap',
        cause: 'unclear',
        because: '',
        decision: null,
        nearest: [near(articles[Number(id.slice(1))] ?? '')],
      }),
      false,
    ).map(({ article, questions }) => [article?.title, ...questions.map((question) => question.near?.title)])
  expect(grouped(['Printing', 'Floors'])).toEqual([[undefined, 'Printing', 'Floors']])
  expect(grouped(['Printing', 'Printing'])).toEqual([['Printing', 'Printing', 'Printing']])
})

describe('questions on ten articles in different words', () => {
  const rows: Record<string, string>[] = parse(
    readFileSync(new URL('fixtures/gap-questions.csv', import.meta.url)),
    { columns: true },
  )
  const labelled = rows.map(({ article = '', question = '' }) => [question, article] as const)

  test('are grouped by article', () => {
    const { precision, recall } = score(labelled)
    expect(precision).toBe(1)
    // Where no pair is wrong, an adjusted Rand index (Hubert and Arabie 1985) of 0.95 is this recall.
    expect(recall).toBeGreaterThan(0.91)
  })

  test('get names from their most central question and its terms', () => {
    const names = cluster(labelled.map(([message]) => message)).map(({ name }) => name)
    expect(names).toContain('How do I reset my password? · password, reset')
    expect(names).toContain('The printer on floor 2 has no toner · printer, toner')
    expect(names).toContain('I am ill today, whom do I tell?')
  })
})

test.each(readRows(new URL('fixtures/gap-languages.ndjson', import.meta.url)))(
  'groups questions in other languages: %s',
  (...messages) => {
    const groups = [messages.slice(0, 2).sort(), messages.slice(2).sort()]
    expect(messagesOf(messages)).toEqual(expect.arrayContaining(groups))
  },
)

describe('the list of groups', () => {
  test('is sorted by weight, then size; groups of one question come last, whatever their weight', () => {
    const clusters = clusterGaps([
      item('parking permit garage', 1),
      item('parking permit visitors', 2),
      item('coffee machine broken', 3, { weight: 5 }),
      item('broken coffee machine', 4, { weight: 5 }),
      item('pension fund', 5, { weight: 100 }),
    ])
    expect(clusters.map(({ weight, questions }) => [weight, questions.length])).toEqual([
      [10, 2],
      [2, 2],
      [100, 1],
    ])
  })

  test('groups equal questions, and lists each question without words alone under its text', () => {
    const equal = ['Reset password?', 'reset PASSWORD?', 'Reset\n password?']
    const wordless = ['???', 'How do I?', '', '😱', 'a'.repeat(70)]
    expect(cluster([...equal, ...wordless]).map(({ name, questions }) => [name, questions.length])).toEqual([
      ['Reset password?', 3],
      ['', 1],
      ['???', 1],
      ['How do I?', 1],
      [`${'a'.repeat(59)}…`, 1],
      ['😱', 1],
    ])
    expect(clusterGaps([])).toEqual([])
  })

  test('takes the topic of a follow-up from the first question of its thread', () => {
    const clusters = clusterGaps([
      item('Is there a pension fund?', 1),
      item('How long does it take?', 2, { context: 'How do I book the parking garage?' }),
      item('Parking garage full', 3),
      item('How long does it take?', 4, { context: 'When is the pension fund paid?' }),
    ])
    expect(new Set(clusters.map(({ questions }) => questions.map(({ id }) => id).join()))).toEqual(
      new Set(['q00001,q00004', 'q00002,q00003']),
    )
  })

  test('ignores words that are common in all questions of the run', () => {
    const messages = ['Northwind gym discount', 'Northwind tax return', 'Northwind gym opening']
    const all = ['vpn', 'mail', 'badge', 'desk', 'printer', 'leave'].map((word) => `Northwind ${word}`)
    const items = messages.map((one, number) => item(one, number))
    expect(clusterGaps(items, [...messages, ...all]).map(({ questions }) => questions.length)).toEqual([2, 1])
  })

  test('holds every question once, and does not depend on the order of rows', () => {
    const words = ['vpn', 'mail', 'badge', 'parking', 'gym', 'leave', 'reset', 'error', 'desk', 'phone']
    const message = fc.oneof(
      fc.array(fc.constantFrom(...words), { maxLength: 5 }).map((picked) => picked.join(' ')),
      fc.string({ unit: 'grapheme' }),
    )
    fc.assert(
      fc.property(fc.array(message, { maxLength: 30 }), fc.nat(), (messages, seed) => {
        const items = messages.map((one, number) => item(one, number))
        const clusters = clusterGaps(items)
        expect(clusters.flatMap(({ questions }) => questions.map(({ id }) => id)).sort()).toEqual(
          items.map(({ id }) => id),
        )
        expect(clusterGaps(drawSample(items, items.length, seededRandom(seed)).reverse())).toEqual(clusters)
      }),
    )
  })

  test('takes at most a second for two thousand questions', () => {
    const random = seededRandom(4)
    // Word frequencies as in a language: few are common, many are rare.
    const word = (): string => `word${Math.floor(3000 * random() ** 3).toString(36)}x`
    const items = Array.from({ length: 2000 }, (_, number) =>
      item(Array.from({ length: 7 }, word).join(' '), number),
    )
    // The bound is two seconds, since two threads may share a core.
    expect(cpuMs(2000, () => clusterGaps(items))).toBeLessThan(2000)
  })
})

test('a gap weighs its share of answers that were not grounded, and the heaviest gaps are kept', () => {
  const opening = makeQuestion('a', 't', 1, { message: 'How do I book a desk?' })
  const followUp = makeQuestion('b', 't', 2, { message: 'And for two?' })
  const uncovered = makeQuestion('e', 'w', 1, { expect: { source: { not: true, value: 'KNOWLEDGE_BASE' } } })
  const expecting = makeQuestion('f', 'x', 1, { expect: { source: { not: false, value: 'knowledge_base' } } })
  const turn = (question: typeof opening, source: string) => makeTurn({ question, result: makeReply(source) })
  const timeout = makeTurn({ question: followUp, outcome: 'timeout', result: undefined })
  const collect = (most: number) => {
    const collector = createGapCollector(['KNOWLEDGE_BASE'], most)
    collector.add([turn(opening, 'KNOWLEDGE_BASE'), turn(opening, 'MODEL'), turn(opening, 'MODEL')])
    collector.add([turn(followUp, 'MODEL'), timeout])
    collector.add([turn(makeQuestion('c', 'u', 1), 'KNOWLEDGE_BASE')])
    collector.add([
      makeTurn({ question: makeQuestion('d', 'v', 1), contextLost: true, result: makeReply('MODEL') }),
    ])
    collector.add([turn(uncovered, 'MODEL')])
    // Grading ignores case, too: it expects an article.
    collector.add([turn(expecting, 'MODEL')])
    return collector.finish()
  }
  const items = [
    { id: 'a', message: 'How do I book a desk?', answer: 'An answer.', weight: 2 / 3 },
    { id: 'b', message: 'And for two?', answer: 'An answer.', weight: 1, context: 'How do I book a desk?' },
    { id: 'f', message: 'message of f', answer: 'An answer.', weight: 1 },
  ]
  expect(collect(10)).toEqual({ heaviest: items, count: 3 })
  expect(collect(1)).toEqual({ heaviest: items.slice(1, 2), count: 3 })
})
