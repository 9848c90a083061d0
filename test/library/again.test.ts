// Protects questions that are sent again: they are those of the run, with what was said before them, and the
// run is their baseline.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, test } from 'vitest'
import { questionsAgain, run, type RunResult, UsageError } from '../../src/library/index.ts'
import { SHIPPED_KNOWLEDGE_BASE } from '../../src/library/ports.ts'
import { openEndpoint } from '../support/endpoint.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const pathOf = (name: string): string => join(folder, name)

/** Both have a thread `t`; one has no ids, a formula, a column of roles, and a column of its own. */
const SETS = {
  'one.csv':
    'thread,turn,message,tags,expect_contains,owner,author,role\n' +
    't,0,=How do I reset my password?,a;b,password|x\\|y,anna,,user\n' +
    't,1,"And, then?",,,bert,,user\n' +
    't,2,How do I request a laptop?,,,,,user\n' +
    ',,Where is the printer?,b,,,,user\n',
  'two.csv':
    'id,thread,message,must_pass,end_user_ref\nx1,t,How do I get VPN access?,yes,user-1\nx2,t,How long?,,\n',
}
const datasets = Object.keys(SETS).map(pathOf)
const readCsv = (path: string): Record<string, string>[] =>
  parse(readFileSync(path), { columns: true, bom: true })
let before: RunResult
let ids: readonly string[]

beforeAll(async () => {
  for (const [name, text] of Object.entries(SETS)) writeFileSync(pathOf(name), text)
  const out = pathOf('before')
  before = await run({ datasets, sandbox: true, rate: 'unlimited', repeat: 2, out })
  ids = readCsv(join(out, 'results.csv')).flatMap(({ id = '', repeat }) => (repeat === '1' ? [id] : []))
})

const again = async (of: readonly number[], name = 'again.csv') =>
  questionsAgain(
    before.folder,
    of.map((index) => ids[index] ?? ''),
    pathOf(name),
  )

describe('questionsAgain', () => {
  test.each([
    ['alone', [3], 1, 1],
    ['with those before it', [1], 1, 2],
    ['of one conversation once', [1, 0], 2, 2],
    ['of conversations of the same name', [1, 5], 2, 4],
  ])('writes a question %s', async (_, of, questions, calls) => {
    expect(await again(of)).toEqual({ questions, calls, knowledgeBase: SHIPPED_KNOWLEDGE_BASE })
    const endpoint = await openEndpoint()
    const options = { baseUrl: endpoint.url, apiKey: 'again-key-0123456789', rate: 'unlimited' }
    const sent = { datasets: [pathOf('again.csv')], out: pathOf(`sent-${String(of)}`) }
    const { summary } = await run({ ...options, ...sent })
    expect([summary.turns.total, endpoint.calls.length]).toEqual([calls, calls])
  })

  test('writes what the sets say of each', async () => {
    await again([1, 5])
    expect(readFileSync(pathOf('again.csv'), 'utf8')).toBe(
      [
        'id,thread,turn,message,tags,expect_contains,owner,author (set),must_pass,end_user_ref,part_of',
        `${ids[0]},t,1,=How do I reset my password?,a;b,password|x\\|y,anna,,,,${before.summary.run.id}`,
        `${ids[1]},t,2,"And, then?",,,bert,,,,${before.summary.run.id}`,
        `x1,t (2),1,How do I get VPN access?,,,,,yes,user-1,${before.summary.run.id}`,
        `x2,t (2),2,How long?,,,,,,,${before.summary.run.id}`,
        '',
      ].join('\n'),
    )
  })

  test('makes a run that compares with the one before on its questions alone, however few they are', async () => {
    const { calls } = await again([2, 4], 'compared.csv')
    const after = await run({
      datasets: [pathOf('compared.csv')],
      sandbox: true,
      rate: 'unlimited',
      baseline: before.folder,
      failOn: ['none'],
      minOverlap: '90%',
      out: pathOf('after'),
    })
    expect([calls, after.summary.turns.answered]).toEqual([4, 4])
    const [candidate] = after.comparison?.candidates ?? []
    expect(candidate).toMatchObject({
      verdict: 'done',
      overlap: { shared: 4, edited: 0, baseline: 4, candidate: 4, isLow: false },
      // The run before sent each question twice.
      quota: { baseline: { min: 8 }, candidate: { min: 4 } },
      added: [],
      removed: [],
    })
    const old = readCsv(join(before.folder, 'results.csv')).filter(({ repeat }) => repeat === '1')
    expect(old.every(({ answer }) => answer !== '')).toBe(true)
    const compared = old.filter((_, index) => [0, 1, 2, 4].includes(index))
    expect(readCsv(join(after.folder, 'comparison.csv'))).toMatchObject(
      compared.map(({ id, answer }) => ({ id, presence: 'both', baseline_answer: answer })),
    )
    // A question of the part is sent again, too: it is a part of that run.
    await questionsAgain(after.folder, ['x1'], pathOf('part-of-part.csv'))
    expect(readCsv(pathOf('part-of-part.csv'))).toMatchObject([{ id: 'x1', part_of: after.summary.run.id }])
  })

  test('writes what the sets expect by now', async () => {
    const [header, first, second] = SETS['two.csv'].split('\n')
    const edited = [`${header},expect_contains`, `${first},NorthGate`, `${second},`]
    writeFileSync(pathOf('two.csv'), edited.join('\n'))
    await again([4], 'now.csv')
    writeFileSync(pathOf('two.csv'), SETS['two.csv'])
    const expected = { id: 'x1', expect_contains: 'NorthGate', must_pass: 'yes' }
    expect(readCsv(pathOf('now.csv'))).toMatchObject([expected])
  })

  test('as a baseline of the whole set, what it left out still fails', async () => {
    const sent = { datasets, sandbox: true, rate: 'unlimited' }
    const part = await run({ ...sent, grep: 'printer', out: pathOf('part') })
    const { summary } = await run({ ...sent, baseline: part.folder, out: pathOf('whole') })
    expect(summary.expectations).toMatchObject({ failed: 1 })
    expect(summary).toMatchObject({ verdict: 'failed', reason: 'failed expectations: 1' })
  })

  test.each([
    ['no id', 'before', [], 'name a question'],
    ['an id that the run does not have', 'before', ['x1', 'nobody'], 'has no question nobody'],
    ['a folder without a run', '.', ['x1'], 'is a folder of runs'],
  ])('rejects %s', async (_, name, named, message) => {
    const sent = questionsAgain(pathOf(name), named, pathOf('none.csv'))
    await expect(sent).rejects.toThrow(UsageError)
    await expect(sent).rejects.toThrow(message)
  })
})
