// Protects the sample of a drafted set: it is seeded and stratified, and its weights add up to all tickets.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Candidate, type Group, joinEqual, sampleGroups } from '../../../src/analysis/draft/sample.ts'
import { weightedInterval } from '../../../src/stats/intervals.ts'
import { seededRandom } from '../../../src/stats/random.ts'

const ticket = (message: string, tag = ''): Candidate => ({
  id: '',
  message,
  original: '',
  isShortened: false,
  tags: tag === '' ? [] : [tag],
})

const sum = (weights: readonly { readonly weight: number }[]): number =>
  weights.reduce((all, { weight }) => all + weight, 0)

test('tickets whose texts are equal when folded are one row, in the most frequent spelling', () => {
  const texts = ['Reset my  password?', 'reset my password?', 'reset my password?', 'Reset the password?']
  expect(joinEqual(texts.map((text) => ticket(text)))).toMatchObject([
    { message: 'reset my password?', weight: 3 },
    { message: 'Reset the password?', weight: 1 },
  ])
})

test('the weights of a sample add up to all tickets, whatever their groups are', () => {
  const anyGroups = fc.array(
    fc.record({ weight: fc.integer({ min: 1, max: 50 }), tag: fc.constantFrom('', 'vpn', 'mail') }),
    { minLength: 1, maxLength: 60 },
  )
  fc.assert(
    fc.property(anyGroups, fc.integer({ min: 1, max: 60 }), fc.nat(), (all, limit, seed) => {
      const groups = all.map(({ weight, tag }, index) => ({ ...ticket(`q${index}`, tag), weight }))
      const sample = sampleGroups(groups, limit, seed)
      expect(sample.length).toBeLessThanOrEqual(limit)
      expect(sum(sample)).toBe(sum(groups))
      expect(sample.every(({ weight }) => Number.isInteger(weight))).toBe(true)
      expect(sampleGroups(groups, limit, seed)).toEqual(sample)
    }),
  )
})

test('each category has its share of the sample', () => {
  const groups = Array.from({ length: 300 }, (_, index) => ({
    ...ticket(`q${index}`, index % 3 === 0 ? 'vpn' : 'mail'),
    weight: 1,
  }))
  for (const seed of [1, 2, 3]) {
    const tags = sampleGroups(groups, 30, seed).map((group) => group.tags[0])
    expect(tags.filter((tag) => tag === 'vpn')).toHaveLength(10)
  }
})

test('the weighted share is an unbiased estimate for all tickets, and its interval covers theirs', () => {
  const random = seededRandom(1)
  const SAMPLES = 400
  // Every third text recurs, and categories differ in how many tickets are grounded.
  const all = Array.from({ length: 400 }, (_, index) => {
    const group = ticket(`q${index}`, `category ${index % 5}`)
    const weight = index % 3 === 0 ? Math.ceil(random() * 9) : 1
    return { ...group, weight, isGrounded: random() < 0.3 + 0.1 * (index % 5) }
  })
  const isGrounded = new Map(all.map((group) => [group.message, group.isGrounded]))
  const shareOf = (groups: readonly Group[]): number =>
    sum(groups.filter(({ message }) => isGrounded.get(message))) / sum(groups)
  const truth = shareOf(all)
  const samples = Array.from({ length: SAMPLES }, (_, seed) => sampleGroups(all, 80, seed))
  const shares = samples.map(shareOf)
  const mean = shares.reduce((total, share) => total + share, 0) / SAMPLES
  const spread = Math.sqrt(shares.reduce((total, share) => total + (share - mean) ** 2, 0) / (SAMPLES - 1))
  expect(Math.abs(mean - truth)).toBeLessThan(3 * (spread / Math.sqrt(SAMPLES)))
  const covering = samples.filter((sample) => {
    const weights = sample.map(({ weight }) => weight)
    const clusters = sample.map(({ message, weight }) => ({
      successes: isGrounded.get(message) === true ? weight : 0,
      trials: weight,
    }))
    const { low, high } = weightedInterval(clusters, weights) ?? { low: 1, high: 0 }
    return low <= truth && truth <= high
  })
  expect(covering.length / SAMPLES).toBeGreaterThanOrEqual(0.95)
})
