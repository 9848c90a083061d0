// Protects the sample of a drafted set: it is seeded and stratified, and its weights add up to all tickets.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Candidate, joinEqual, sampleGroups } from '../../../src/analysis/draft/sample.ts'

const ticket = (message: string, tag = ''): Candidate => ({
  id: '',
  turns: [message],
  isStatement: false,
  tags: tag === '' ? [] : [tag],
})

const sum = (weights: readonly { readonly weight: number }[]): number =>
  weights.reduce((all, { weight }) => all + weight, 0)

test('tickets whose texts are equal when folded are one row, in the most frequent spelling', () => {
  const texts = ['Reset my  password?', 'reset my password?', 'reset my password?', 'Reset the password?']
  expect(joinEqual(texts.map((text) => ticket(text)))).toMatchObject([
    { turns: ['reset my password?'], weight: 3 },
    { turns: ['Reset the password?'], weight: 1 },
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
      expect(sum(sample)).toBeCloseTo(sum(groups), 0)
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
