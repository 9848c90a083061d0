// Answers of megabytes: the run that got them is asked again, reported, reviewed, compared and merged as any other.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answerJson, goodReply, startEndpoint } from '../support/endpoint.ts'
import { readResults, runProgram } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** With quotes and line ends, in more bytes than a row of a question set may have. */
const LONG = 'She said "yes",\nand wrote it down, and so on, and on. '.repeat(90_000)

test(
  'an answer of five megabytes stops no command that reads its results again',
  { timeout: 120_000 },
  async () => {
    const folder = temporaryFolder()
    const endpoint = await startEndpoint((call) =>
      answerJson(call, 200, { ...goodReply(call), message: call.body.message === 'One?' ? LONG : 'short' }),
    )
    const program = async (...words: string[]): Promise<void> => {
      const env = { ASSIST_API_KEY: 'test-key-0123456789', ASSIST_BASE_URL: endpoint.url }
      const { code, screen } = await runProgram(words, { cwd: folder, env })
      expect(code, screen).toBe(0)
      expect(screen).not.toContain('.edited.csv')
    }
    const run = async (set: string, out: string, ...words: string[]): Promise<void> =>
      program('run', set, '--rate', 'unlimited', '--out', out, ...words)
    const answersOf = (out: string): (string | undefined)[] =>
      readResults(join(folder, out)).map(({ answer }) => answer)
    try {
      writeFileSync(join(folder, 'set.csv'), 'id,message\na,One?\nb,Two?\n')
      const answers = [LONG, 'short']
      await run('set.csv', 'monday')
      const results = join(folder, 'monday', 'results.csv')
      writeFileSync(results, readFileSync(results, 'utf8').replace(/,,\n$/, ',good,\n'))

      await program('report', 'monday')
      expect(answersOf('monday')).toEqual(answers)
      expect(readResults(join(folder, 'monday')).map(({ review }) => review)).toEqual(['', 'good'])
      await run('monday/results.csv', 'tuesday', '--reviews', 'monday/results.csv')
      expect(answersOf('tuesday')).toEqual(answers)
      expect(readResults(join(folder, 'tuesday')).map(({ review }) => review)).toEqual(['', 'good'])
      await program('compare', 'monday', 'tuesday', '--out', 'compared')
      await program('compare', 'monday', 'tuesday', '--out', 'compared')
      expect(endpoint.calls.map(({ body }) => body.message)).toEqual(['One?', 'Two?', 'One?', 'Two?'])

      for (const part of ['1', '2']) await run('monday/results.csv', `part-${part}`, '--shard', `${part}/2`)
      await program('merge', 'part-1', 'part-2', '--out', 'merged')
      expect(answersOf('merged')).toEqual(answers)
    } finally {
      await endpoint.close()
    }
  },
)
