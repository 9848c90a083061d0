// The command that an incomplete run prints: pasted, it has calls enough to end the run, whatever is asked again.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answerJson } from '../support/endpoint.ts'
import { openEndpoint } from '../support/open-endpoint.ts'
import { projectRoot, readSummary, runProgram, type Ended } from '../support/program.ts'
import { KEY_ENV, resumeWords, runWords } from '../support/runs.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { testFailing, testMustPass } from './ended-by-budget.ts'

const folder = temporaryFolder()
const go = async (...words: readonly string[]): Promise<Ended> =>
  runProgram(words, { cwd: folder, env: KEY_ENV })

test('has calls for the conversations that the sandbox of the resume does not know', async () => {
  const set = join(projectRoot, 'datasets', 'follow-ups.csv')
  const out = join(folder, 'forgotten')
  const short = await go('run', set, '--sandbox', '--rate', 'unlimited', '--max-calls', '60', '--out', out)
  expect(short.code, short.stderr).toBe(4)
  const words = resumeWords(short.stderr)
  expect(resumeWords((await go('report', out)).stderr)).toEqual(words)
  const resumed = await go(...words)
  expect(resumed.code, resumed.stderr).toBe(0)
  const [, threads, more] =
    /knows no conversation of before: (\d+) threads that had begun will start again, (\d+) calls more/.exec(
      resumed.stderr,
    ) ?? []
  const [, left] = /^Going on: (\d+) of \d+ turns left to ask/m.exec(resumed.stderr) ?? []
  expect(resumed.stderr).toMatch(new RegExp(`^Calls {2}${Number(left) + Number(more)} if nothing fails`, 'm'))
  const { quota, warnings, turns } = readSummary(out)
  expect(warnings.join('\n')).toContain(`Threads were asked again ${threads} times from the start`)
  expect(quota.attempts).toBe(turns.total + Number(more))
  expect(words.at(-1)).toBe(`${quota.attempts}`)
})

// The other moments: resume-moments.test.ts.
testMustPass(folder, [{ maxCalls: 7, why: 'in the first round of confirmations' }])
testFailing(folder, [{ maxCalls: 4, more: ['--confirm', '1'] }])

test('has calls for as many refusals as there were', async () => {
  const set = join(folder, 'refused.csv')
  writeFileSync(
    set,
    `message\n${Array.from({ length: 40 }, (_, place) => `Question ${place}?`).join('\n')}\n`,
  )
  // Every third call.
  const endpoint = await openEndpoint(
    (call) =>
      call.number % 3 === 0 &&
      answerJson(call, 429, { success: false, error: { code: 'RATE_LIMITED', message: 'later' } }),
  )
  const out = join(folder, 'refused')
  const short = await go(...runWords(set, endpoint, out, '--max-calls', '9'))
  expect(short.code, short.stderr).toBe(4)
  // 6 are answered; the other 34 take 51.
  expect(resumeWords(short.stderr).at(-1)).toBe('60')
})

test('a budget that leaves just what is needed is not said to be enough whatever fails', async () => {
  const endpoint = await openEndpoint()
  const out = join(folder, 'exact')
  const set = join(folder, 'plain.csv')
  writeFileSync(set, 'message\nOne\nTwo\nThree\n')
  await go(...runWords(set, endpoint, out, '--max-calls', '1'))
  const resumed = await go('run', '--resume', out, '--max-calls', '3')
  expect(resumed.code, resumed.stderr).toBe(0)
  expect(resumed.stderr).toMatch(
    /^Calls {2}2 if nothing fails, and --max-calls leaves no more: a failure or a 429 stops the run early$/m,
  )
})
