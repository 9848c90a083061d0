// What parts of one run must have in common, setting by setting.
import { expect, test } from 'vitest'
import { noteOddities, refuseOtherRuns } from '../../../src/cli/merging/agree.ts'
import type { Part } from '../../../src/cli/merging/parts.ts'
import { runFolder } from '../../../src/cli/run-folder.ts'
import type { Manifest } from '../../../src/domain/manifest.ts'
import type { Shard } from '../../../src/domain/shard.ts'
import { manifest } from '../../support/summaries.ts'

const { options } = manifest

function partOf(index: number, more: Partial<Manifest>, of = 2): Part {
  const shard: Shard = { index, of, maxCalls: null, numbered: 9, whole: null }
  return { folder: runFolder(`part-${index}`), manifest: { ...manifest, shard, ...more }, shard }
}

const refuse = (one: Partial<Manifest>, other: Partial<Manifest>, said = {}): void =>
  refuseOtherRuns([partOf(1, one), partOf(2, other)], said)

const desk = (organization: string, keyFingerprint: string, more: object = {}): Partial<Manifest> => ({
  target: { ...manifest.target, organization, keyFingerprint, ...more },
})
const gates = { ...options.gates, thresholds: ['coverage>=1%'] }
const url = 'https://desk.example.com'

test.each<[string, Partial<Manifest>, Partial<Manifest>]>([
  ['another key of a named organization', desk('acme', '00000001'), desk('acme', '00000002')],
  [
    'keys of their own, where nobody named it',
    desk(`${url} 00000001`, '00000001'),
    desk(`${url} 00000002`, '00000002'),
  ],
  [
    'a part that was resumed with another key',
    desk(`${url} 00000001`, '00000001'),
    desk(`${url} deadbeef`, '00000001'),
  ],
  ['both resumed with other keys', desk(`${url} 0000000a`, '00000001'), desk(`${url} deadbeef`, '00000002')],
  [
    'sandboxes of their own',
    desk('a', '00000001', { sandbox: true }),
    desk('b', '00000001', { sandbox: true }),
  ],
])('%s: one run', (_, one, other) => {
  expect(() => refuse(one, other)).not.toThrow()
})

test.each<[string, Partial<Manifest>, Partial<Manifest>, string]>([
  ['names', desk('acme', '00000001'), desk('another', '00000001'), '--organization: acme, and another'],
  [
    'names that end alike',
    desk('north deadbeef', '00000001'),
    desk('south deadbeef', '00000001'),
    '--organization: north deadbeef, and south deadbeef',
  ],
  [
    'names that are alike but for their ends',
    desk('acme 0000000a', '00000001'),
    desk('acme 0000000b', '00000001'),
    '--organization: acme 0000000a, and acme 0000000b',
  ],
  [
    'one that is named',
    desk(`${url} 00000001`, '00000001'),
    desk('acme', '00000001'),
    `--organization: not named, of ${url}, and acme`,
  ],
  [
    'one that is named, and that of a sandbox',
    desk('acme', '00000001'),
    desk('sandbox at http://127.0.0.1:1', '00000001', { sandbox: true }),
    '--organization: acme, and that of the sandbox',
  ],
  [
    'addresses, where nobody named it',
    desk(`${url} 00000001`, '00000001'),
    desk('https://b.example 00000002', '00000001', { baseUrl: 'https://b.example' }),
    `--organization: not named, of ${url}, and not named, of https://b.example`,
  ],
  [
    'keys of hashed references',
    { options: { ...options, hashKey: '0000000a' } },
    { options: { ...options, hashKey: '0000000b' } },
    'the key in ASSIST_HASH_KEY (its fingerprint): 0000000a, and 0000000b',
  ],
  ['repeats', {}, { options: { ...options, repeat: 2 } }, '--repeat: 1, and 2'],
  [
    'tags',
    {},
    { options: { ...options, selection: { ...options.selection, tags: ['n1'] } } },
    '--tag: [], and ["n1"]',
  ],
  [
    'gates',
    {},
    { options: { ...options, gates } },
    '--threshold: [], and ["coverage>=1%"] (say it with merge, and it holds for all)',
  ],
])('other %s: refused', (_, one, other, words) => {
  expect(() => refuse(one, other)).toThrow(words)
})

const file = (digest: string): Pick<Manifest, 'datasets'> => ({
  datasets: [{ path: 'set.csv', digest: `sha256:${digest}`, turns: 1 }],
})
const whole = (content: string | undefined, more: object = {}): Shard['whole'] => ({
  questions: 48,
  threads: 27,
  turns: [48],
  digest: 'ids',
  ...(content === undefined ? {} : { content }),
  ...more,
})
const asked = (index: number, digest: string, all: Shard['whole']): Part => {
  const part = partOf(index, file(digest))
  return { ...part, shard: { ...part.shard, whole: all } }
}
const differences = (one: Part, other: Part): string => {
  try {
    refuseOtherRuns([one, other], {})
    return ''
  } catch (error) {
    return String(error)
  }
}

test.each<[string, Part, Part]>([
  ['the same bytes', asked(1, 'aa', whole(undefined)), asked(2, 'aa', whole('x'))],
  ['the same questions in other bytes', asked(1, 'aa', whole('x')), asked(2, 'bb', whole('x'))],
  ['a whole that one does not know', asked(1, 'aa', null), asked(2, 'aa', whole('x'))],
])('%s: one set', (_, one, other) => {
  expect(differences(one, other)).toBe('')
})

test.each<[string, Part, Part, string[]]>([
  ['another text under the same ids', asked(1, 'aa', whole('x')), asked(2, 'bb', whole('y')), []],
  [
    'other bytes, of which no more is known',
    asked(1, 'aa', whole(undefined)),
    asked(2, 'bb', whole(undefined)),
    [],
  ],
  [
    'a question more',
    asked(1, 'aa', whole('x')),
    asked(2, 'bb', whole('y', { questions: 49, threads: 28, digest: 'more' })),
    ['the questions chosen: 48 questions in 27 threads, and 49 in 28'],
  ],
  [
    'another question',
    asked(1, 'aa', whole('x')),
    asked(2, 'bb', whole('y', { digest: 'other' })),
    ['the questions chosen: 48 questions in 27 threads, and as many, but not the same'],
  ],
])('%s: another set', (_, one, other, more) => {
  const lines = differences(one, other).split('\n').slice(1, -1)
  expect(lines).toEqual([
    expect.stringContaining('the question sets: set.csv (sha256:aa), and set.csv (sha256:bb) (for each part'),
    ...more.map((line) => `  ${line}`),
  ])
})

test('what merge says holds for all', () => {
  expect(() => refuse({}, { options: { ...options, gates } }, { threshold: ['coverage>=2%'] })).not.toThrow()
})

test('different keys are noted, but for those of sandboxes', () => {
  const notes = (isSandbox: boolean): string[] =>
    noteOddities([
      partOf(1, desk('x', '00000001', { sandbox: isSandbox })),
      partOf(2, desk('x', '00000002', { sandbox: isSandbox })),
    ])
  expect(notes(true)).toEqual([])
  expect(notes(false)).toEqual([
    'the parts were asked with different keys (00000001, 00000002): they must be of one organization',
  ])
})
