// What a run's organization is called: by its name, or by its address and a key.
import { expect, test } from 'vitest'
import { isUnnamed } from '../../../src/analysis/comparison/settings.ts'
import { manifest } from '../../support/summaries.ts'

const DESK = 'https://desk.example.com'

test.each([
  ['a name', 'acme', false],
  ['a name of two words', 'acme support', false],
  ['a sandbox', 'demo at http://127.0.0.1:1', false],
  ['one that nobody named is called by the key', `${DESK} 0000000a`, true],
  ['so is one still called by a key before', `${DESK} 00000001`, true],
  ['a name that only looks like another address', 'https://other.example.com 00000001', false],
])('%s', (_, organization, expected) => {
  const target = { ...manifest.target, baseUrl: `${DESK}/api`, organization, keyFingerprint: '0000000a' }
  expect(isUnnamed(target)).toBe(expected)
})
