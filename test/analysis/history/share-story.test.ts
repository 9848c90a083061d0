// What is said of a share over the runs: changes against noise, lowest since, steps; and how rarely chance says any of it.
import { describe, expect, test } from 'vitest'
import { makeHistory } from '../../../src/analysis/history/make-history.ts'
import type { ShareStory } from '../../../src/domain/history.ts'
import { seededRandom } from '../../../src/stats/random.ts'
import { nightOf, type Night } from '../../support/nights.ts'
import { recordedNight } from '../../support/recorded-nights.ts'

const storyOf = (nights: readonly Partial<Night>[]): ShareStory | undefined => {
  const runs = nights.map((night, number) => recordedNight({ startedAt: nightOf(number), ...night }))
  const wishes = { harnessVersion: '0', since: undefined, targets: undefined }
  return makeHistory({ runs, loads: [], leftOut: [] }, wishes).series[0]?.story.find(
    ({ figure }) => figure === 'coverage',
  )
}
const grounded = (...counts: readonly number[]): Partial<Night>[] =>
  counts.map((count) => ({ grounded: count }))

describe('against earlier runs', () => {
  test('one run has nothing to be held against', () => {
    expect(storyOf(grounded(80))).toEqual({ figure: 'coverage', sinceBefore: null, sinceFirst: null })
  })

  test('two runs: a difference with its interval, and no second look at the same', () => {
    const story = storyOf(grounded(80, 60))
    expect(story).toMatchObject({ sinceBefore: { since: 0, isMoreThanNoise: true }, sinceFirst: null })
    expect(story?.sinceBefore?.difference).toBeCloseTo(-0.2, 12)
    expect(storyOf(grounded(80, 78))?.sinceBefore?.isMoreThanNoise).toBe(false)
  })

  test('the interval is wider than a single look would need', () => {
    // One look at 82 and 70 of 100 (z 1.96) would leave out 0; four looks do not.
    const { high = Number.NaN, difference = Number.NaN } = storyOf(grounded(82, 70))?.sinceBefore ?? {}
    expect(difference).toBeCloseTo(-0.12, 12)
    expect(high).toBeGreaterThan(0)
  })

  test('the first of the last twenty complete runs', () => {
    const nights = grounded(...Array.from({ length: 30 }, () => 80))
    expect(storyOf(nights)?.sinceFirst?.since).toBe(10)
    const withLost = nights.map((night, number) =>
      number === 20 ? { ...night, state: 'incomplete' as const } : night,
    )
    expect(storyOf(withLost)?.sinceFirst?.since).toBe(9)
  })

  test('a run that is not complete is held against none, be it the last one', () => {
    const nights = [...grounded(80, 20, 79, 10)].map((night, number) =>
      number % 2 === 1 ? { ...night, state: 'interrupted' as const } : night,
    )
    expect(storyOf(nights)).toMatchObject({ sinceBefore: { since: 0, isMoreThanNoise: false } })
  })

  test('questions and settings that changed in between are said, on a run that is apart, too', () => {
    const nights: Partial<Night>[] = [
      {},
      { digest: 'sha256:1', state: 'incomplete' },
      { digest: 'sha256:1', groundedSources: ['FAQ'] },
    ]
    expect(storyOf(nights)?.sinceBefore).toMatchObject({ isOfOtherQuestions: true, isOfOtherSettings: true })
    expect(storyOf(nights.slice(1))?.sinceBefore).toBeNull()
  })
})

describe('lowest and highest since', () => {
  test.each<[string, number[], ShareStory['extreme']]>([
    ['lower than five before', [70, 80, 81, 82, 83, 84, 75], { kind: 'lowest', since: 0, runs: 5 }],
    ['as low as one before', [75, 80, 81, 82, 83, 84, 75], { kind: 'lowest', since: 0, runs: 5 }],
    ['of all', [80, 81, 82, 83, 84, 75], { kind: 'lowest', since: null, runs: 5 }],
    ['higher than all', [80, 81, 82, 83, 84, 90], { kind: 'highest', since: null, runs: 5 }],
    ['of too few', [81, 82, 83, 84, 75], undefined],
    ['neither', [80, 70, 82, 83, 60, 75], undefined],
    ['all alike', [80, 80, 80, 80, 80, 80, 80], undefined],
  ])('%s', (_, counts, extreme) => {
    expect(storyOf(grounded(...counts))?.extreme).toEqual(extreme)
  })

  test('only runs of the same questions count', () => {
    const nights = grounded(60, 80, 81, 82, 83, 84, 75).map((night, number) => ({
      ...night,
      digest: number === 0 ? 'sha256:0' : 'sha256:1',
    }))
    expect(storyOf(nights)?.extreme).toEqual({ kind: 'lowest', since: null, runs: 5 })
  })
})

describe('since when', () => {
  const before = Array.from({ length: 8 }, (_, night) => 88 + (night % 3))
  const after = Array.from({ length: 6 }, (_, night) => 84 + (night % 2))

  test('a step that is smaller than the noise of two runs shows in many of them', () => {
    const story = storyOf(grounded(...before, ...after))
    expect(story?.sinceBefore?.isMoreThanNoise).toBe(false)
    expect(story?.step).toMatchObject({ last: 7, first: 8, runsBefore: 8, runsSince: 6, isAbrupt: true })
  })

  test('a slow rise moves, and at no one run', () => {
    const rise = Array.from({ length: 20 }, (_, night) => 60 + night)
    expect(storyOf(grounded(...rise))?.step).toMatchObject({ isAbrupt: false })
  })

  test('a change of the questions is no step of the answers', () => {
    const nights = grounded(...before, ...after).map((night, number) => ({
      ...night,
      digest: number < 8 ? 'sha256:0' : 'sha256:1',
    }))
    expect(storyOf(nights)?.step).toBeUndefined()
  })
})

test('where nothing changes, few series say that something did', () => {
  const random = seededRandom(3)
  const series = 120
  const [differences, steps] = [{ found: 0 }, { found: 0 }]
  for (let one = 0; one < series; one += 1) {
    const counts = Array.from({ length: 12 }, () => {
      let yes = 0
      for (let question = 0; question < 100; question += 1) yes += Number(random() < 0.8)
      return yes
    })
    const story = storyOf(grounded(...counts))
    if ([story?.sinceBefore, story?.sinceFirst].some((change) => change?.isMoreThanNoise === true))
      differences.found += 1
    if (story?.step !== undefined) steps.found += 1
  }
  const most = (level: number): number => level + 3 * Math.sqrt((level * (1 - level)) / series)
  // Two of the four looks are taken here.
  expect(differences.found / series).toBeLessThanOrEqual(most(0.025))
  expect(steps.found / series).toBeLessThanOrEqual(most(0.01))
})
