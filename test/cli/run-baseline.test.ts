// Protects `run --baseline`: the comparison is one of the gates, also after a resume and in `report`.
import { stringify } from 'csv-stringify/sync'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { groundedAnswer, readComparison, recordRunOn } from '../support/runs-to-compare.ts'
import { answerJson, goodReply, serveFile } from '../support/endpoint.ts'
import { makeQuestion } from '../support/questions.ts'
import { failingCases, KEY_ENV } from '../support/program.ts'
import { openWorkspace } from '../support/workspace.ts'

const ids = Array.from({ length: 20 }, (_, number) => `q${number}`)
const { at, has, put, read, rows, summary, expectExit } = openWorkspace(
  {
    'assist-harness.yaml': 'rate: unlimited\nconcurrency: 1\n',
    'set.csv': `id,message\n${ids.map((id) => `${id},${id}\n`).join('')}`,
    'expecting.csv': `id,message,expect_source\n${ids.map((id) => `${id},${id},KNOWLEDGE_BASE\n`).join('')}`,
    'other.csv': 'id,message\nq0,Another question?\n',
  },
  KEY_ENV,
)
const lost = ids.slice(0, 10)
/** Questions without an answer in the knowledge base. */
let unknown: readonly string[] = []
/** A fact of the other answers. */
let closing = ''
beforeEach(() => {
  unknown = []
  closing = ''
})
const endpoint = await serveFile((call) =>
  answerJson(call, 200, {
    ...goodReply(call),
    ...(unknown.includes(call.body.message)
      ? { message: 'I am not sure.', contextSource: 'MODEL' }
      : closing !== '' && { message: `The desk for ${call.body.message} closes at ${closing}.` }),
  }),
)

const ask = async (code: number, out: string, more = '', env = {}, set = 'set.csv') =>
  expectExit(code, `run ${set} --base-url ${endpoint.url} --out ${out} ${more}`, env)
const changedIn = (run: string) => readComparison(at(run)).candidates[0]?.changes.map(({ id }) => id)

beforeAll(async () => {
  await ask(0, 'accepted')
})

test('fails on a significant loss; report compares again and keeps the reviews of both tables', async () => {
  unknown = lost
  const env = { GITHUB_STEP_SUMMARY: at('step.md') }
  const { screen } = await ask(1, 'nightly', '--baseline accepted', env)
  expect(summary('nightly')).toMatchObject({
    verdict: 'failed',
    exitCode: 1,
    comparison: {
      baseline: 'accepted',
      verdict: 'failed',
      reason: expect.stringMatching(
        /^grounded 100.0 % → 50.0 % .* over 20 questions\): more than the margin/,
      ),
    },
  })
  expect(screen).toMatch(/^✗ Failed · compared\s+with\s+accepted:\s+grounded\s+100.0 %\s+→\s+50.0 %/m)
  expect(changedIn('nightly')).toEqual(lost)
  expect(has('accepted/comparison.csv')).toBe(false)
  // One report, with the changes in it.
  const page = read('step.md')
  expect(page).toBe(`\n${read('nightly/summary.md')}`)
  expect(page.match(/^### .*/gm)).toHaveLength(1)
  expect(page).toMatch(/\*\*Lost grounding\*\*|<summary>Lost grounding/)

  const tables = ['results.csv', 'comparison.csv'] as const
  for (const [place, name] of tables.entries()) {
    const edited = rows('nightly', name).map((row) =>
      row['id'] === `q${place + 1}` ? { ...row, review: 'poor', note: `from ${name}` } : row,
    )
    put(`nightly/${name}`, stringify(edited, { header: true }))
  }
  await expectExit(1, 'report nightly')
  for (const name of tables)
    expect(
      rows('nightly', name)
        .filter(({ review }) => review !== '')
        .map(({ id, review, note }) => [id, review, note]),
    ).toEqual([
      ['q1', 'poor', 'from results.csv'],
      ['q2', 'poor', 'from comparison.csv'],
    ])
  await expectExit(0, 'report nightly --margin 60')
  expect(summary('nightly').comparison?.verdict).toBe('passed')
})

test('rejects a baseline of other questions before any call', async () => {
  const before = endpoint.calls.length
  const { screen } = await ask(2, 'rejected', '--baseline accepted', {}, 'other.csv')
  expect(endpoint.calls).toHaveLength(before)
  expect(screen).toMatch(
    /^--baseline accepted has 0 of these 1 questions, and 20 others: too few shared questions.*; name a run of the same questions, lower --min-overlap, or leave --baseline out$/m,
  )
  expect(has('rejected')).toBe(false)
})

test('checks a part of the set against --min-overlap like the whole set', async () => {
  const before = endpoint.calls.length
  const rejected = await ask(2, 'part', '--grep q1 --baseline accepted --min-overlap 80%')
  expect(endpoint.calls).toHaveLength(before)
  expect(rejected.screen).toMatch(
    /has 11 of these 11 questions, and 9 others: too few shared questions.*55.0 %, --min/,
  )
  const { screen } = await ask(0, 'part', '--grep q1 --baseline accepted')
  expect(screen).toMatch(/^✓ Since accepted: nothing gained, lost, broken or fixed, and no fact changed$/m)
})

test('ids are row numbers and a row is inserted: texts pair, so what broke is found; the edited question is named', async () => {
  const texts = ids.slice(0, 10).map((letter) => `How do I sort out ${letter}?`)
  const putSet = (name: string, messages: readonly string[]) =>
    put(name, `id,message,must_pass\n${messages.map((one, row) => `${row},${one},yes\n`).join('')}`)
  putSet('rows.csv', texts)
  putSet('inserted.csv', ['How may I sort out q0?', ...texts.slice(1, 5), 'Is it new?', ...texts.slice(5)])
  await ask(0, 'by-row', '', {}, 'rows.csv')
  const same = await ask(0, 'row-inserted', '--baseline by-row', {}, 'inserted.csv')
  expect(same.screen).toMatch(/^✓ Passed · .*; edited questions,\s+left\s+out\s+of\s+the\s+comparison: 1$/m)
  expect(rows('row-inserted', 'comparison.csv').map(({ presence }) => presence)).toEqual([
    'edited',
    ...Array(4).fill('both'),
    'added',
    ...Array(5).fill('both'),
  ])
  expect(rows('row-inserted', 'comparison.csv')[0]).toMatchObject({
    message: 'How may I sort out q0?',
    baseline_message: 'How do I sort out q0?',
  })
  expect(read('row-inserted/summary.md')).toMatch(/How may I sort out q0\?.*was: How do I sort out q0\?/s)

  unknown = ['How may I sort out q0?', ...texts.slice(5)]
  const worse = await ask(0, 'row-lost', '--baseline by-row', {}, 'inserted.csv')
  expect(worse.screen).toMatch(/^✗ Since by-row: 5 lost grounding$/m)
  expect(changedIn('row-lost')).toEqual(['6', '7', '8', '9', '10'])
  expect(readComparison(at('row-lost')).candidates[0]?.edited).toMatchObject([
    { id: '0', kinds: ['groundingLost'], baselineMessage: 'How do I sort out q0?' },
  ])
})

test('a changed fact is named by the screen and summary.md, though no gate depends on it', async () => {
  closing = '19:00'
  await ask(0, 'closes-at-seven')
  closing = '18:00'
  const { screen } = await ask(0, 'closes-earlier', '--baseline closes-at-seven')
  expect(screen).toMatch(/^! Since closes-at-seven: facts changed in 20$/m)
  expect(screen).toMatch(/^ {2}Facts changed +20/m)
  expect(screen).toMatch(/^ {2}q0 +19:00 → 18:00$/m)
  const page = read('closes-earlier/summary.md')
  expect(page).toContain('facts changed in 20')
  expect(page.match(/Facts changed \(20\)|\| Facts changed \|/g)?.length).toBeGreaterThan(0)
})

test('compares an incomplete run only when a resume has completed it', async () => {
  unknown = lost
  await ask(4, 'cut', '--baseline accepted --max-calls 12')
  expect([summary('cut').comparison, has('cut/comparison.csv')]).toEqual([null, false])
  const { screen } = await expectExit(1, 'run --resume cut --max-calls 40')
  expect(screen).toMatch(/^✗ Failed · compared\s+with\s+accepted:\s+grounded\s+100.0 %\s+→\s+50.0 %/m)
  expect(changedIn('cut')).toEqual(lost)
})

test('fails with the reason if the baseline has been damaged since', async () => {
  const turns = ids.map((id) => ({
    question: makeQuestion(id, id, 1, { message: id }),
    result: groundedAnswer(`answer to: ${id}`),
  }))
  recordRunOn(at('soon-gone'), 10, turns)
  const asked = await ask(0, 'left', '--baseline soon-gone')
  expect(asked.screen).toMatch(
    /^✓ Since soon-gone: nothing gained, lost, broken or fixed, and no fact changed$/m,
  )
  put('soon-gone/run.json', '{')
  const { screen } = await expectExit(1, 'report left')
  expect(screen).toMatch(/^✗ Failed · [^]*cannot\s+be\s+compared[^]*run\.json\s+is\s+damaged/m)
})

test('a report without a baseline removes the comparison of the previous report', async () => {
  await ask(0, 'alone')
  await expectExit(0, 'report alone --baseline accepted')
  expect(has('alone/comparison.csv')).toBe(true)
  await expectExit(0, 'report alone')
  expect([has('alone/comparison.csv'), has('alone/comparison.md')]).toEqual([false, false])
})

test('comparison rules in the config file are accepted without a baseline', async () => {
  put('rules.yaml', 'rate: unlimited\nalpha: 0.01\nfailOn: newly-failing\n')
  await ask(0, 'first-night', '--config rules.yaml')
})

test('known failures do not fail the run and are skipped JUnit cases; a new one fails it and is annotated first', async () => {
  const askThem = async (code: number, out: string, more = '') =>
    ask(code, out, more, { GITHUB_ACTIONS: 'true' }, 'expecting.csv')
  const redCases = (out: string) => failingCases(read(out, 'junit.xml'))
  unknown = ['q1', 'q2']
  await askThem(1, 'with-failures')
  expect(redCases('with-failures')).toEqual(['q1', 'q2', 'expectations'])

  const green = await askThem(0, 'as-before', '--baseline with-failures')
  expect(green.screen).toMatch(
    /^✓ Passed · every gate passed; known failures \(also in\s+with-failures\):\s+2$/m,
  )
  expect(redCases('as-before')).toEqual([])
  expect(read('as-before/junit.xml')).toContain(
    '<skipped>known failure (also in with-failures): was MODEL, expected KNOWLEDGE_BASE</skipped>',
  )
  expect(green.screen).not.toMatch(/^::error/m)

  unknown = ['q1', 'q2', 'q3']
  const red = await askThem(1, 'worse', '--baseline with-failures')
  expect(red.screen).toMatch(/^✗ Failed · failed expectations: 1$/m)
  expect(redCases('worse')).toEqual(['q3', 'expectations'])
  expect(red.screen.match(/^::\w+ .*?title=\w+/gm)?.map((one) => one.replace(/ .*=/, ' '))).toEqual([
    '::error q3',
    '::warning q1',
    '::warning q2',
  ])

  // Four calls reach q3; the run stops before the others.
  const cut = await askThem(4, 'stopped', '--baseline with-failures --max-calls 4')
  expect(redCases('stopped')).toEqual(['q3', 'complete', 'expectations'])
  expect(summary('stopped').gates).toContainEqual(
    expect.objectContaining({
      name: 'expectations',
      reason: expect.objectContaining({ values: { failed: 1 } }),
    }),
  )
  expect(cut.screen.match(/^::\w+ .*?title=\w+/gm)?.map((one) => one.replace(/ .*=/, ' '))).toEqual([
    '::error q3',
    '::error gate',
    '::warning q1',
    '::warning q2',
  ])
})

test('each of several targets has its own baseline in its folder', async () => {
  const target = `baseUrl: "${endpoint.url}", apiKeyEnv: ASSIST_API_KEY, rate: unlimited`
  put('both.yaml', `targets:\n  one: { ${target}, organization: a }\n  two: { ${target}, organization: b }\n`)
  const both = 'run set.csv --config both.yaml --target one --target two'
  await expectExit(0, `${both} --out both`)
  expect(read('both', 'one', 'junit.xml')).toContain('<testcase name="one / q0" classname="one.set"')
  unknown = lost
  await expectExit(1, `${both} --out both-now --baseline both`)
  for (const name of ['one', 'two']) {
    expect(readComparison(at('both-now', name)).runs.map(({ target: to }) => to)).toEqual([name, name])
    expect(summary('both-now', name).comparison?.verdict).toBe('failed')
  }
})
