// Protects the one grammar of durations: what an option accepts, a threshold and the sandbox's config file accept, too.
import { expect, test } from 'vitest'
import { parseThreshold } from '../../src/analysis/judging/threshold.ts'
import { readOptions } from '../../src/options/settings.ts'
import { durationSchema } from '../../src/sandbox/latency.ts'

test.each([
  ['500ms', 500],
  ['30s', 30_000],
  ['2m', 120_000],
  ['1min', 60_000],
  ['2 min', 120_000],
  ['1.5h', 5_400_000],
  ['.5s', 500],
  ['1d', 86_400_000],
  [' 3S ', 3000],
  ['30', undefined],
  ['1 minute', undefined],
  ['-1s', undefined],
  ['s', undefined],
])('%j is %s ms, wherever it stands', (text, ms) => {
  const limit = parseThreshold(`latency.p95<${text.trim()}`)
  const isNumber = /^\d+$/.test(text)
  expect(durationSchema.safeParse(text).data).toBe(ms)
  if (!isNumber) expect(limit.kind === 'threshold' ? limit.threshold.limit : undefined).toBe(ms)
  const option = () => readOptions('run', { timeout: text }).timeout
  if (ms === undefined) expect(option).toThrow('timeout must be a time like 30s')
  else expect(option()).toBe(ms)
})
