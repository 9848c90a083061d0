// Gaps grouped by what they are about: together what belongs together, the same in any order, in bounded time.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clusterGaps, type GapItem } from '../../../src/analysis/gaps/cluster-gaps.ts'
import { drawSample, seededRandom } from '../../../src/stats/random.ts'
import { scoreClustering } from '../../support/clustering-scores.ts'
import { GAP_QUESTIONS } from '../../support/gap-questions.ts'
import { cpuMs } from '../../support/cpu-time.ts'

const item = (message: string, number: number, more: Partial<GapItem> = {}): GapItem => ({
  id: `q${String(number).padStart(5, '0')}`,
  message,
  weight: 1,
  tags: [],
  ...more,
})
const cluster = (...messages: readonly string[]): ReturnType<typeof clusterGaps> =>
  clusterGaps(messages.map((one, number) => item(one, number)))
const groupsOf = (messages: readonly string[]): string[][] =>
  cluster(...messages).map(({ questions }) => questions.map(({ message }) => message))

function score(
  labelled: readonly (readonly [message: string, label: string])[],
): ReturnType<typeof scoreClustering> {
  const clusters = clusterGaps(labelled.map(([message], number) => item(message, number)))
  const clusterOf = new Map(clusters.flatMap((one, place) => one.questions.map(({ id }) => [id, `${place}`])))
  return scoreClustering(
    labelled.map(([, label]) => label),
    labelled.map(([message], number) => clusterOf.get(item(message, number).id) ?? ''),
  )
}

describe('ten articles, asked in several words', () => {
  const labelled = Object.entries(GAP_QUESTIONS).flatMap(([article, messages]) =>
    messages.map((message) => [message, article] as const),
  )

  test('are told apart, and found again', () => {
    const { precision, recall, adjustedRand } = score(labelled)
    expect(precision).toBe(1)
    expect(recall).toBeGreaterThan(0.85)
    expect(adjustedRand).toBeGreaterThan(0.9)
  })

  test('are named by their terms, as the questions write them', () => {
    const names = cluster(...labelled.map(([message]) => message)).map(({ name }) => name)
    expect(names).toContain('training budget')
    expect(names).toContain('shared mailbox')
    expect(names.some((name) => name.includes('VPN'))).toBe(true)
  })
})

const banking = fileURLToPath(new URL('../../../../shared/data/banking77-test.csv', import.meta.url))

// Intents that words alone hardly part ("card arrival", "card delivery estimate"): the bar is what TF-IDF reaches.
test.skipIf(!existsSync(banking))(
  'a thousand questions of BANKING77 (skipped where the file is missing)',
  () => {
    const rows: Record<string, string>[] = parse(readFileSync(banking, 'utf8'), { columns: true })
    const sample = drawSample(rows, 1000, seededRandom(1))
    const { adjustedRand, vMeasure } = score(sample.map((row) => [row['text'] ?? '', row['category'] ?? '']))
    expect(adjustedRand).toBeGreaterThan(0.28)
    expect(vMeasure).toBeGreaterThan(0.72)
  },
)

describe('in other languages', () => {
  test.each([
    [
      'German',
      [
        'Passwort vergessen, was nun?',
        'Ich habe meine Passwörter vergessen',
        'Drucker druckt nicht',
        'Der Drucker im 2. Stock druckt leere Seiten',
      ],
    ],
    [
      'Polish',
      [
        'Jak zresetować hasło?',
        'Nie pamiętam hasła, jak je zresetować',
        'Drukarka nie drukuje',
        'Drukarka drukuje puste strony',
      ],
    ],
    [
      'Turkish',
      [
        'Şifremi nasıl sıfırlarım?',
        'Şifre sıfırlama bağlantısı çalışmıyor',
        'Yazıcı çalışmıyor',
        'Yazıcıya kağıt koymak',
      ],
    ],
    [
      'Japanese',
      [
        'パスワードをリセットする方法',
        'パスワードのリセットができません',
        'プリンターが印刷しません',
        'プリンターの用紙がありません',
      ],
    ],
    ['Chinese', ['如何重置密码', '重置密码的链接失效了', '打印机没有纸了', '打印机打印空白页']],
  ])('%s', (_, messages) => {
    const groups = groupsOf(messages)
    expect(groups.map((group) => [...group].sort())).toEqual(
      expect.arrayContaining([messages.slice(0, 2).sort(), messages.slice(2).sort()]),
    )
  })
})

describe('the list', () => {
  test('ranks by weight, then size; questions alone come last, heavy or not', () => {
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

  test('keeps equal questions together, each in its row', () => {
    const [only] = cluster('Reset password?', 'reset PASSWORD', 'Reset password?')
    expect(only?.questions).toHaveLength(3)
    expect(only?.name).toBe('Reset password')
  })

  test('holds what has no words, each by itself, under its own text', () => {
    expect(cluster('???', 'How do I?', '', '😱').map(({ name }) => name)).toEqual([
      '',
      '???',
      'How do I?',
      '😱',
    ])
  })

  test('of nothing is empty', () => {
    expect(clusterGaps([])).toEqual([])
  })

  test('takes what a follow-up is about from the question that opened its thread', () => {
    const clusters = clusterGaps([
      item('Is there a pension fund?', 1),
      item('How long does it take?', 2, { context: 'How do I book the parking garage?' }),
      item('Parking garage full', 3),
      item('How long does it take?', 4, { context: 'When is the pension fund paid?' }),
    ])
    expect(clusters.map(({ questions }) => questions.map(({ id }) => id))).toEqual([
      ['q00002', 'q00003'],
      ['q00001', 'q00004'],
    ])
  })

  test('learns from all questions what is common', () => {
    const messages = ['Northwind gym discount', 'Northwind tax return', 'Northwind gym opening']
    const all = ['vpn', 'mail', 'badge', 'desk', 'printer', 'leave'].map((word) => `Northwind ${word}`)
    const clusters = clusterGaps(
      messages.map((one, number) => item(one, number)),
      [...messages, ...all],
    )
    expect(clusters.map(({ questions }) => questions.length)).toEqual([2, 1])
  })
})

test('the order of the rows does not matter', () => {
  const words = [
    'vpn',
    'mail',
    'print',
    'badge',
    'parking',
    'gym',
    'leave',
    'reset',
    'error',
    'new',
    'desk',
    'phone',
  ]
  const message = fc.array(fc.constantFrom(...words), { maxLength: 5 }).map((picked) => picked.join(' '))
  fc.assert(
    fc.property(fc.array(message, { maxLength: 30 }), fc.nat(), (messages, seed) => {
      const items = messages.map((one, number) => item(one, number))
      const random = seededRandom(seed)
      const shuffled = items
        .map((one) => ({ one, key: random() }))
        .sort((a, b) => a.key - b.key)
        .map(({ one }) => one)
      expect(clusterGaps(shuffled)).toEqual(clusterGaps(items))
    }),
  )
})

test('every question is in exactly one group, whatever it says', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 40 }), (messages) => {
      const ids = cluster(...messages).flatMap(({ questions }) => questions.map(({ id }) => id))
      expect(ids.sort()).toEqual(messages.map((_, number) => item('', number).id))
    }),
  )
})

test('five thousand questions take two seconds at most', () => {
  const random = seededRandom(4)
  // Words as unequal as in a language: few said often, many seldom.
  const word = (): string => `word${Math.floor(3000 * random() ** 3).toString(36)}x`
  const items = Array.from({ length: 5000 }, (_, number) =>
    item(Array.from({ length: 7 }, word).join(' '), number),
  )
  // Twice that, since two threads of a core share it.
  expect(cpuMs(4000, () => clusterGaps(items))).toBeLessThan(4000)
})
