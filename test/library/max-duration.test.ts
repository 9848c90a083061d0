// Protects --max-duration: a run stops in time, with 4, and a resume sends the rest.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../src/library/index.ts'
import { temporaryFolder } from '../support/temporary.ts'

test('a run stops after its longest time, and a resume with more of it sends the rest', async () => {
  const folder = temporaryFolder()
  const set = join(folder, 'set.csv')
  const questions = Array.from({ length: 6 }, (_, index) => `q${index},How do I set up the VPN?`)
  writeFileSync(set, ['id,message', ...questions].join('\n'))
  const sent = { datasets: [set], sandbox: true, rate: '2/s', out: join(folder, 'run') }
  const stopped = await run({ ...sent, maxDuration: '700ms' })
  expect(stopped).toMatchObject({ exitCode: 4, state: 'incomplete' })
  expect(stopped.summary.reason).toContain('time is up after 700 ms (--max-duration)')
  expect(stopped.summary.turns.notSent).toBeGreaterThan(0)
  const finished = await run({ resume: stopped.folder, maxDuration: '1h', rate: 'unlimited' })
  expect(finished).toMatchObject({ exitCode: 0, state: 'complete' })
  expect(finished.summary.turns).toMatchObject({ answered: 6, notSent: 0 })
  expect(finished.summary.quota.attempts).toBe(6)
})
