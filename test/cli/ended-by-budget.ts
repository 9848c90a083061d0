// Runs that their budget ends at some moment: the command that they print, pasted, has calls enough for what is left.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { answerJson, goodReply } from '../support/endpoint.ts'
import { openEndpoint } from '../support/open-endpoint.ts'
import { readSummary, runProgram, type Ended } from '../support/program.ts'
import { KEY_ENV, resumeWords, runWords } from '../support/runs.ts'

/** A run after so many calls, and what it was doing then. */
export interface Moment {
  readonly maxCalls: number
  readonly why: string
}

export function testMustPass(folder: string, moments: readonly Moment[]): void {
  const go = async (...words: readonly string[]): Promise<Ended> =>
    runProgram(words, { cwd: folder, env: KEY_ENV })

  describe('has calls for all that must pass', () => {
    const set = join(folder, 'must.csv')
    const rows = ['a1,a,A1,', 'a2,a,A2,yes', 'b1,b,B1,yes', 'c1,c,C1,', 'd1,d,D1,yes']
    writeFileSync(
      set,
      `id,thread,message,must_pass,expect_contains\n${rows.map((row) => `${row},right`).join('\n')}\n`,
    )
    /** Every answer is wrong. */
    const openWrong = async (): ReturnType<typeof openEndpoint> =>
      openEndpoint((call) => answerJson(call, 200, { ...goodReply(call), message: 'wrong' }))

    test.for(moments)('of a run that was ended $why', async ({ maxCalls }) => {
      const endpoint = await openWrong()
      const out = join(folder, `must-${maxCalls}`)
      const more = ['--confirm', '3', '--max-calls', `${maxCalls}`]
      const short = await go(...runWords(set, endpoint, out, ...more))
      expect(short.code, short.stderr).toBe(4)
      const words = resumeWords(short.stderr)
      expect(resumeWords((await go('report', out)).stderr)).toEqual(words)
      const resumed = await go(...words)
      // Done, and what must pass has not.
      expect(resumed.code, resumed.stderr).toBe(1)
      expect(readSummary(out).mustPass.map(({ confirmations }) => confirmations)).toEqual([3, 3, 3])
      expect(endpoint.calls).toHaveLength(5 + 3 * (2 + 1 + 1))
    })
  })
}

export function testFailing(folder: string, moments: readonly { maxCalls: number; more: string[] }[]): void {
  const go = async (...words: readonly string[]): Promise<Ended> =>
    runProgram(words, { cwd: folder, env: KEY_ENV })

  describe('has calls for a thread in which a call has failed', () => {
    test.for(moments)('once it is known to fail ($maxCalls calls, $more)', async ({ maxCalls, more }) => {
      const set = join(folder, 'fails.csv')
      const rows =
        more.length === 0 ? ['a,t,fine,,', 'b,t,fails,,'] : ['a,t,fine,zzz,yes', 'b,t,fails,zzz,yes']
      writeFileSync(set, `id,thread,message,expect_contains,must_pass\n${rows.join('\n')}\n`)
      const endpoint = await openEndpoint(
        (call) => call.body.message === 'fails' && answerJson(call, 500, { success: false }),
      )
      const out = join(folder, `fails-${maxCalls}`)
      let ended = await go(...runWords(set, endpoint, out, '--max-calls', `${maxCalls}`, ...more))
      // That it fails may not have been known to the first of the commands, nor to the second whether its confirmation does.
      let pasted = 0
      while (ended.code === 4 && pasted < 3) {
        ended = await go(...resumeWords(ended.stderr))
        pasted += 1
      }
      expect(ended.code, ended.stderr).toBe(1)
    })
  })
}
