// Protects the masking of all that a command prints, where several secrets were read.
import { expect, test } from 'vitest'
import { Secrets } from '../../src/library/ports.ts'

test.each([
  ['the shorter one first', ['key-01234567', 'key-01234567-of-the-gateway']],
  ['the longer one first', ['key-01234567-of-the-gateway', 'key-01234567']],
])('a secret that begins with another one is masked whole: %s', (_, values) => {
  const secrets = new Secrets()
  for (const value of values) secrets.keep(value)
  expect(secrets.mask('sent key-01234567-of-the-gateway and key-01234567.')).toMatch(
    /^sent \[key [\da-f]{8}\] and \[key [\da-f]{8}\]\.$/,
  )
})
