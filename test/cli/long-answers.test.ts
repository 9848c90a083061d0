// Answers of megabytes: the run that got them is asked again, reported, reviewed, compared and merged as any other.
import { expect, test } from 'vitest'
import { answerJson, goodReply, openEndpoint } from '../support/endpoint.ts'
import { KEY_ENV } from '../support/runs.ts'
import { openWorkplace } from '../support/workplace.ts'

const { put, read, rows, type } = openWorkplace(
  { 'assist-harness.yaml': 'rate: unlimited\n', 'set.csv': 'id,message\na,One?\nb,Two?\n' },
  KEY_ENV,
)
/** With quotes and line ends, in more bytes than a row of a question set may have. */
const LONG = 'She said "yes",\nand wrote it down, and so on, and on. '.repeat(90_000)

test(
  'an answer of five megabytes stops no command that reads its results again',
  { timeout: 120_000 },
  async () => {
    const { url, calls } = await openEndpoint((call) =>
      answerJson(call, 200, { ...goodReply(call), message: call.body.message === 'One?' ? LONG : 'short' }),
    )
    const succeed = async (line: string): Promise<void> => {
      const { code, screen } = await type(line, { ASSIST_BASE_URL: url })
      expect(code, screen).toBe(0)
      expect(screen).not.toContain('.edited.csv')
    }
    const column = (run: string, name: string) => rows(run, 'results.csv').map((row) => row[name])
    const answers = [LONG, 'short']
    await succeed('run set.csv --out monday')
    put('monday/results.csv', read('monday/results.csv').replace(/,,\n$/, ',good,\n'))

    await succeed('report monday')
    await succeed('run monday/results.csv --out tuesday --reviews monday/results.csv')
    for (const run of ['monday', 'tuesday'])
      expect([column(run, 'answer'), column(run, 'review')]).toEqual([answers, ['', 'good']])
    await succeed('compare monday tuesday --out compared')
    await succeed('compare monday tuesday --out compared')
    expect(calls.map(({ body }) => body.message)).toEqual(['One?', 'Two?', 'One?', 'Two?'])

    for (const shard of ['1', '2'])
      await succeed(`run monday/results.csv --out shard-${shard} --shard ${shard}/2`)
    await succeed('merge shard-1 shard-2 --out merged')
    expect(column('merged', 'answer')).toEqual(answers)
  },
)
