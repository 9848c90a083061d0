// Which settings of two runs are said to differ, and what is said of them.
import { expect, test } from 'vitest'
import { settingDifferences } from '../../../src/analysis/comparison/settings.ts'
import type { Manifest } from '../../../src/domain/manifest.ts'
import { makeManifest } from '../../support/summaries.ts'

type Options = Manifest['options']
const run = makeManifest()
const target = (more: Partial<Manifest['target']>): Manifest =>
  makeManifest({ target: { ...run.target, ...more } })
const options = (more: Partial<Options>): Manifest => makeManifest({ options: { ...run.options, ...more } })
const named = (baseline: Manifest, candidate: Manifest): string[] =>
  settingDifferences(baseline, candidate).map(({ setting }) => setting)

const unnamed = (baseUrl: string, keyFingerprint: string): Manifest =>
  target({ baseUrl, keyFingerprint, organization: `${baseUrl} ${keyFingerprint}` })
const sandbox = (port: number): Manifest['target'] => ({
  ...run.target,
  sandbox: true,
  baseUrl: `http://127.0.0.1:${port}`,
  organization: `sandbox at http://127.0.0.1:${port}`,
})

test.each<[string, Manifest, Manifest, string[]]>([
  ['a run and itself', run, run, []],
  ['the target is only called otherwise', run, target({ name: 'production' }), []],
  [
    'two sandboxes on two ports',
    makeManifest({ target: sandbox(1) }),
    makeManifest({ target: sandbox(2) }),
    [],
  ],
  [
    'two sandboxes of two versions',
    makeManifest({ target: sandbox(1) }),
    makeManifest({ target: sandbox(2), harnessVersion: '0.1.1' }),
    ['harness version'],
  ],
  ['a sandbox and a real one', makeManifest({ target: sandbox(1) }), run, ['endpoint']],
  ['another organization', run, target({ organization: 'umbrella' }), ['organization']],
  ['only one names its organization', run, unnamed('https://desk.example.com', 'aaaa'), ['organization']],
  [
    'another address',
    unnamed('https://a.example', 'aaaa'),
    unnamed('https://b.example', 'bbbb'),
    ['base URL'],
  ],
  ['a renewed key', unnamed('https://a.example', 'aaaa'), unnamed('https://a.example', 'bbbb'), ['API key']],
  ['a renewed key of a named one', run, target({ keyFingerprint: 'bbbb' }), []],
  [
    'an edited set',
    run,
    makeManifest({ datasets: [{ path: 'set.csv', digest: 'sha256:1', turns: 1 }] }),
    ['question set'],
  ],
  [
    'a renamed file',
    run,
    makeManifest({ datasets: [{ path: 'other.csv', digest: 'sha256:0', turns: 1 }] }),
    [],
  ],
  ['tags', run, options({ tag: ['vpn'] }), ['questions selected']],
  ['a seed without a sample', run, options({ seed: 7 }), []],
  ['a seed with a sample', options({ sample: 5 }), options({ sample: 5, seed: 7 }), ['questions selected']],
  ['the order of tags', options({ tag: ['a', 'b'] }), options({ tag: ['b', 'a'] }), []],
  ['format', run, options({ format: 'native' }), ['reading of the set']],
  ['rotating ids', run, options({ rotatingIds: true }), ['rotating ids']],
  ['timeout', run, options({ timeout: 2000 }), ['timeout']],
  ['on ambiguous', run, options({ onAmbiguous: 'fail' }), ['on ambiguous failures']],
  ['repeats', run, options({ repeat: 3 }), ['repeats']],
  ['a patch', run, makeManifest({ harnessVersion: '0.1.9' }), []],
  ['a minor version before 1.0', run, makeManifest({ harnessVersion: '0.2.0' }), ['harness version']],
  [
    'a minor version after 1.0',
    makeManifest({ harnessVersion: '1.1.0' }),
    makeManifest({ harnessVersion: '1.2.0' }),
    [],
  ],
  ['grounded sources', run, options({ groundedSources: ['KB', 'KNOWLEDGE_BASE'] }), ['grounded sources']],
  ['pass policy', run, options({ passPolicy: 'any' }), ['pass policy']],
  ['thresholds of its own', run, options({ threshold: ['errors<=1%'] }), []],
  ['rate', run, options({ rate: '60/min' }), ['rate']],
  ['share', run, options({ share: 0.5 }), ['rate']],
  ['concurrency', run, options({ concurrency: 8 }), ['concurrency']],
  ['what changes nothing', run, options({ hashEndUserRefs: true }), []],
  [
    'several, the gravest first',
    run,
    makeManifest({
      target: { ...run.target, organization: 'umbrella' },
      options: { ...run.options, concurrency: 2, timeout: 5000 },
    }),
    ['organization', 'timeout', 'concurrency'],
  ],
])('%s', (_, baseline, candidate, settings) => {
  expect(named(baseline, candidate)).toEqual(settings)
  expect(named(candidate, baseline)).toEqual(settings)
  const mirrored = settingDifferences(candidate, baseline)
  for (const [place, one] of settingDifferences(baseline, candidate).entries()) {
    expect(mirrored[place]).toMatchObject({ baseline: one.candidate, candidate: one.baseline })
    expect(one.meaning).toMatch(/^[A-Z].*\.$/)
  }
})

test('sentences name the run that they are about, and values read as people say them', () => {
  const slow = options({ timeout: 120_000 })
  expect(settingDifferences(slow, options({ timeout: 30_000 }))).toEqual([
    {
      setting: 'timeout',
      baseline: '2 min',
      candidate: '30 s',
      meaning:
        'An answer that takes longer than 30 s is an error in the candidate and an answer in the other run: errors and slow percentiles may differ for that reason alone.',
    },
  ])
  const chosen = options({ tag: ['vpn', 'mail'], grep: 'reset', sample: 20, seed: 3 })
  expect(settingDifferences(run, chosen)[0]).toMatchObject({
    baseline: 'all',
    candidate: 'tags mail, vpn; matching reset; sample of 20 threads with seed 3',
  })
  const paced = options({ share: 0.5 })
  expect(settingDifferences(run, paced)[0]?.candidate).toBe('auto, at most 50 % of the limit')
  const edited = makeManifest({ datasets: [{ path: 'set.csv', digest: 'sha256:12345678aa', turns: 1 }] })
  expect(settingDifferences(run, edited)[0]).toMatchObject({
    baseline: 'set.csv (0)',
    candidate: 'set.csv (12345678)',
  })
})
