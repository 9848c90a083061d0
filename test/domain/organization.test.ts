// What a run's organization is called: by its name, or by its address and a key.
import { describe, expect, test } from 'vitest'
import { organizationUnder, originOfUnnamed } from '../../src/domain/organization.ts'
import { manifest } from '../support/summaries.ts'

const DESK = 'https://desk.example.com'
const target = (organization: string, keyFingerprint = '0000000a') => ({
  ...manifest.target,
  baseUrl: `${DESK}/api`,
  organization,
  keyFingerprint,
})

describe('asked with another key', () => {
  test.each([
    ['a name stays', 'acme', 'acme'],
    ['a name of two words stays', 'acme support', 'acme support'],
    ['a sandbox stays', 'demo at http://127.0.0.1:1', 'demo at http://127.0.0.1:1'],
    ['one that nobody named is called by the new key', `${DESK} 0000000a`, `${DESK} 0000000b`],
    ['so is one still called by a key before', `${DESK} 00000001`, `${DESK} 0000000b`],
    [
      'a name that only looks like another address stays',
      'https://other.example.com 00000001',
      'https://other.example.com 00000001',
    ],
  ])('%s', (_, was, is) => {
    expect(organizationUnder(target(was), '0000000b')).toBe(is)
  })

  test('it is still known that nobody named it', () => {
    const organization = organizationUnder(target(`${DESK} 0000000a`), '0000000b')
    expect(originOfUnnamed(target(organization, '0000000b'))).toBe(DESK)
  })
})
