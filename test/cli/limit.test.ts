// The limit of an organization in the reports of a run, through the built program, against limiters whose truth is known.
import { rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Summary } from '../../src/domain/summary.ts'
import { limitSentence } from '../../src/report/limit-document.ts'
import { sandboxConfigSchema } from '../../src/sandbox/config.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { openWorkplace } from '../support/workplace.ts'

const questions = Array.from({ length: 70 }, (_, number) => `Question ${number}?`)
const { at, read, summary, type } = openWorkplace({ 'set.csv': `message\n${questions.join('\n')}\n` })

/** Asks faster than the rule allows. */
async function runAgainst(name: string, rule: object | undefined): Promise<Summary['pacing']> {
  rmSync(at(name), { recursive: true, force: true })
  const sandbox = await startSandbox({
    config: sandboxConfigSchema.parse({
      latency: { kind: 'constant', delay: '30ms' },
      ...(rule === undefined ? {} : { rateLimit: { rules: [rule], retryAfter: 'none' } }),
    }),
  })
  const line = `run set.csv --base-url ${sandbox.url} --rate 30/s --out ${name}`
  await type(line, { ASSIST_API_KEY: sandbox.apiKey })
  await sandbox.close()
  return summary(name).pacing
}

type Limit = NonNullable<Summary['pacing']['limit']>

describe.concurrent(
  'where calls were refused, the limit is found, and every report says the same of it',
  () => {
    test.each<[string, object, (limit: Limit) => boolean]>([
      [
        'a bucket: its rate and its size',
        { kind: 'token-bucket', limit: 12, window: '1s', burst: 10 },
        (limit) =>
          limit.kind === 'token-bucket' &&
          Math.abs(limit.ratePerSecond / 12 - 1) < 0.05 &&
          Math.abs(limit.burst - 10) <= 1,
      ],
      [
        'a window: its number',
        { kind: 'fixed-window', limit: 15, window: '1s' },
        (limit) => limit.kind.endsWith('window') && 'limit' in limit && limit.limit === 15,
      ],
    ])('%s', async (name, rule, isTrue) => {
      const out = name.split(':')[0]?.replace(' ', '-') ?? ''
      const measure = async () => runAgainst(out, rule)
      const isFound = ({ limit }: Summary['pacing']) => limit !== null && isTrue(limit)
      // A machine that is busy elsewhere disturbs a measurement: it is taken three times at most.
      let pacing = await measure()
      for (let time = 2; time <= 3 && !isFound(pacing); time += 1) pacing = await measure()
      const { limit } = pacing
      expect([isFound(pacing), limit]).toEqual([true, limit])
      if (limit === null) throw new Error('no limit')
      expect(limit).toMatchObject({ calls: summary(out).quota.attempts, refused: pacing.rateLimited })
      const sentence = limitSentence(limit)
      expect(sentence).toMatch(/confidence\)$/)
      expect(read(out, 'report.html').includes(sentence), sentence).toBe(true)
      expect((await type(`report ${out}`)).code).toBe(0)
      expect(summary(out).pacing.limit).toEqual(limit)
    })
  },
)

test('no refusal, no finding: nothing is claimed', async () => {
  expect(await runAgainst('none', undefined)).toMatchObject({ rateLimited: 0, limit: null })
  const page = read('none/report.html')
  expect(page).toContain('never met: no call got 429')
  expect(page).not.toContain('Accepted rate')
  expect(page).toContain('Rate of this run')
})
