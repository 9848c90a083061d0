// Whom a resumed run asks, and behind whose limit: the organization of the key that it has now.
import { expect, test } from 'vitest'
import { NO_CONFIG } from '../../../src/cli/config.ts'
import { fingerprintOf } from '../../../src/cli/environment.ts'
import { resumeTarget } from '../../../src/cli/resume/target.ts'
import { makeManifest, manifest } from '../../support/summaries.ts'

const DESK = 'https://desk.example.com'
const KEY = 'the-right-key-0123456789'

test.each([
  ['is the one of the key where nobody named it', `${DESK} 0000000a`, `${DESK} ${fingerprintOf(KEY)}`],
  ['stays as it was named', 'acme', 'acme'],
])('the organization %s', (_, was, is) => {
  const target = {
    ...manifest.target,
    baseUrl: DESK,
    organization: was,
    apiKeyEnv: 'ASSIST_API_KEY',
    keyFingerprint: '0000000a',
  }
  const resumed = resumeTarget(makeManifest({ target }), {}, NO_CONFIG, { ASSIST_API_KEY: KEY })
  expect(resumed.organization).toBe(is)
})
