// Expectations, gates, confirmations, repeats and gaps, through the built program.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { answerJson, goodReply, type ReceivedCall, type TestEndpoint } from '../support/endpoint.ts'
import { openEndpoint } from '../support/open-endpoint.ts'
import {
  projectRoot,
  readResults,
  readSummary,
  runProgram,
  startProgram,
  type Ended,
} from '../support/program.ts'
import { KEY_ENV, runWords } from '../support/runs.ts'
import { startSandboxProgram } from '../support/sandbox-program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
let endpoint: TestEndpoint
let runs = 0
const newOut = (): string => join(folder, `run-${(runs += 1)}`)
const write = (name: string, ...lines: readonly string[]): void =>
  writeFileSync(join(folder, name), `${lines.join('\n')}\n`)
const go = async (...words: readonly string[]): Promise<Ended> =>
  runProgram(words, { cwd: folder, env: KEY_ENV })
const ask = async (set: string, out: string, ...more: readonly string[]): Promise<Ended> =>
  go(...runWords(set, endpoint, out, ...more))
const say = (call: ReceivedCall, message: string, contextSource = 'KNOWLEDGE_BASE'): boolean =>
  answerJson(call, 200, { ...goodReply(call), message, contextSource })

write(
  'set.csv',
  'id,thread,message,tags,expect_source,expect_contains,must_pass',
  'vpn,a,How do I set up the VPN?,network,KNOWLEDGE_BASE,VPN profile,',
  'vpn-2,a,And on the phone?,network,,app store,',
  'pay,b,When is payday?,hr,!MODEL,25th,',
)

describe('expectations', () => {
  test('that fail fail the run, in words that an editor understands', async () => {
    endpoint = await openEndpoint((call) =>
      say(
        call,
        'Install the VPN  profile from the App Store',
        call.body.message.includes('payday') ? 'MODEL' : undefined,
      ),
    )
    const out = newOut()
    const { code, stderr } = await ask('set.csv', out)
    expect(code).toBe(1)
    expect(stderr).toMatch(/Failed: 1 question failed its expectations \(exit code 1\)/)
    expect(stderr).toMatch(/pay .*was MODEL, expected anything else; does not contain '25th'/)
    const results = readResults(out)
    expect(results.map(({ passed }) => passed)).toEqual(['true', 'true', 'false'])
    expect(results[2]?.['failures']).toMatch(/^was MODEL, expected anything else \| does not contain '25th'/)
    expect(readSummary(out)).toMatchObject({
      expectations: { passed: 2, failed: 1, none: 0, notGraded: 0 },
      tags: { hr: { expectations: { rate: 0 } }, network: { expectations: { rate: 1 } } },
    })
    const junit = readFileSync(join(out, 'junit.xml'), 'utf8')
    // The question, and the gate that it fails.
    expect(junit.match(/<failure/g)).toHaveLength(2)
    expect(readFileSync(join(out, 'summary.md'), 'utf8')).toContain('### Failed expectations (1)')
  })
})

describe('thresholds', () => {
  test.each([
    ['coverge>=80%', /did you mean coverage\?/],
    ['coverage[netwrk]>=80%', /no question has the tag 'netwrk'; did you mean network\?/],
    ['coverage>=80', /write 80% for 0.8/],
  ])('%s is refused before anything is sent', async (expression, message) => {
    endpoint = await openEndpoint()
    const { code, stderr } = await ask('set.csv', newOut(), '--threshold', expression)
    expect([code, stderr, endpoint.calls.length]).toEqual([2, expect.stringMatching(message), 0])
  })

  test('decide, from the command line or the config file', async () => {
    endpoint = await openEndpoint((call) => say(call, 'VPN profile, app store, 25th'))
    write('gates.yaml', 'threshold: ["coverage>=100%", "latency.p95<1ms"]')
    const out = newOut()
    const { code, stderr } = await ask('set.csv', out, '--config', 'gates.yaml')
    expect(code).toBe(1)
    expect(stderr).toMatch(/passed {2}coverage>=100% {2,}coverage is 100%, as wanted/)
    expect(stderr).toMatch(/FAILED {2}latency.p95<1ms {2,}latency.p95 is [\d.]+ ms, wanted < 1 ms/)
    expect(stderr).toMatch(/Failed: latency.p95<1ms: latency.p95 is .*exit code 1/)
    const typed = await ask('set.csv', newOut(), '--config', 'gates.yaml', '--threshold', 'coverage>=100%')
    expect(typed.code).toBe(0)
  })
})

describe('a question that must pass', () => {
  write(
    'must.csv',
    'id,thread,message,expect_contains,must_pass',
    'm1,m,First,,',
    'm2,m,Second,right,yes',
    'm3,m,Third,,',
  )
  const seconds = (): number => endpoint.calls.filter(({ body }) => body.message === 'Second').length

  test('and passes when asked again in a fresh conversation fails nothing; the first answer stands', async () => {
    endpoint = await openEndpoint((call) =>
      say(call, call.body.message === 'Second' && seconds() > 1 ? 'right' : 'wrong'),
    )
    const out = newOut()
    const { code, stderr } = await ask('must.csv', out)
    expect(code, stderr).toBe(0)
    // A CI server must not call a failure what the gate does not.
    expect(readFileSync(join(out, 'junit.xml'), 'utf8')).not.toContain('<failure')
    expect(stderr).toMatch(/m2 +passed when asked again +does not contain 'right'/)
    // The thread as far as the question, in a conversation of its own.
    expect(endpoint.calls.map(({ body }) => body.message)).toEqual([
      'First',
      'Second',
      'Third',
      'First',
      'Second',
    ])
    expect(endpoint.calls[3]?.body.conversationId).toBeUndefined()
    expect(endpoint.calls[3]?.body.endUserRef).not.toBe(endpoint.calls[0]?.body.endUserRef)
    const results = readResults(out)
    expect(results.map(({ answer }) => answer)).toEqual(['wrong', 'wrong', 'wrong'])
    expect(results.map(({ attempts }) => attempts)).toEqual(['2', '2', '1'])
    expect(readSummary(out)).toMatchObject({
      quota: { attempts: 5, certain: 5 },
      turns: { total: 3 },
      mustPass: [{ id: 'm2', confirmations: 1, confirmed: true }],
    })
  })

  test('and fails every time fails the run in any case', async () => {
    endpoint = await openEndpoint((call) => say(call, 'wrong'))
    const out = newOut()
    const { code, stderr } = await ask('must.csv', out, '--threshold', 'passed>=0%', '--confirm', '2')
    expect([code, endpoint.calls.length]).toEqual([1, 7])
    expect(stderr).toMatch(/Failed: must pass, and did not: m2/)
    expect((await go('run', '--resume', out)).code).toBe(1)
    expect(endpoint.calls).toHaveLength(7)
  })

  test('is not asked again with --confirm 0, nor beyond the budget', async () => {
    endpoint = await openEndpoint((call) => say(call, 'wrong'))
    expect((await ask('must.csv', newOut(), '--confirm', '0')).code).toBe(1)
    expect(endpoint.calls).toHaveLength(3)
    const out = newOut()
    const short = await ask('must.csv', out, '--max-calls', '4')
    // One call is left, and the thread takes two as far as the question: none is spent for nothing.
    expect([short.code, endpoint.calls.length]).toEqual([4, 6])
    expect(short.stderr).toMatch(/not every one that was to be asked again or confirmed was/)
    expect(short.stderr).toMatch(/--resume \S+ --max-calls 5$/m)
    expect((await go('run', '--resume', out, '--max-calls', '5')).code).toBe(1)
    expect(endpoint.calls).toHaveLength(8)
  })
})

test('a confirmation that was killed has confirmed nothing, and is asked again at the resume', async () => {
  let isStuck = true
  endpoint = await openEndpoint((call) => {
    if (call.number === 1) return say(call, 'wrong')
    return isStuck ? true : say(call, 'right')
  })
  write('one.csv', 'id,message,expect_contains,must_pass', 'm,Only,right,yes')
  const out = newOut()
  const running = startProgram(runWords('one.csv', endpoint, out), { cwd: folder, env: KEY_ENV })
  await endpoint.called(2)
  running.signal('SIGKILL')
  await running.ended
  isStuck = false
  const resumed = await go('run', '--resume', out)
  expect(resumed.code, resumed.stderr).toBe(0)
  expect(endpoint.calls).toHaveLength(3)
  expect(readSummary(out)).toMatchObject({
    mustPass: [{ confirmations: 1, errors: 0, confirmed: true }],
    quota: { attempts: 3, certain: 2, possible: 1 },
  })
})

test('--repeat asks everything anew each time, and tells what is flaky', async () => {
  endpoint = await openEndpoint((call) => {
    const isOdd = call.number % 2 === 1
    return say(call, isOdd ? 'the 25th' : 'the 24th', isOdd ? 'KNOWLEDGE_BASE' : 'MODEL')
  })
  write('pay.csv', 'id,message,expect_contains', 'pay,When is payday?,25th')
  const out = newOut()
  const { code, stderr } = await ask('pay.csv', out, '--repeat', '3')
  expect([code, endpoint.calls.length]).toEqual([1, 3])
  expect(endpoint.calls.every(({ body }) => body.conversationId === undefined)).toBe(true)
  expect(readResults(out).map(({ repeat, passed }) => [repeat, passed])).toEqual([
    ['1', 'true'],
    ['2', 'false'],
    ['3', 'true'],
  ])
  expect(readSummary(out)).toMatchObject({
    turns: { total: 3 },
    expectations: { failed: 1, passed: 0 },
    coverage: { questions: 1 },
    flaky: [{ id: 'pay', asked: 3, passFlaky: true, groundFlaky: true }],
  })
  expect(stderr).toMatch(/Flaky \(1\):\n +pay +passed 66.7 % of 3/)
  expect(readFileSync(join(out, 'summary.md'), 'utf8')).toContain('failed 1 of 3 times')
  expect((await go('report', out, '--pass-policy', 'majority')).code).toBe(0)
  expect(readFileSync(join(out, 'junit.xml'), 'utf8')).not.toContain('<failure')
})

test('--excel writes a file that a double click opens', async () => {
  endpoint = await openEndpoint((call) => say(call, '=1+1'))
  const semicolons = newOut()
  write('german.csv', 'id;message', 'pay;When is payday?')
  const words = runWords('german.csv', endpoint, semicolons, '--excel')
  await runProgram(words, { cwd: folder, env: KEY_ENV })
  const text = readFileSync(join(semicolons, 'results.csv'), 'utf8')
  expect(text.startsWith('\ufeffid;thread;turn;')).toBe(true)
  const rows = parse(text, { bom: true, delimiter: ';', columns: true }) as Record<string, string>[]
  expect(rows[0]?.['answer']).toBe("'=1+1")
  const commas = newOut()
  await runProgram(runWords('set.csv', endpoint, commas, '--excel'), { cwd: folder, env: KEY_ENV })
  expect(readFileSync(join(commas, 'results.csv'), 'utf8')).toMatch(/^\ufeffid,thread,turn,/)
})

test(
  'three articles taken out of the knowledge base are three gained gaps and nothing else; put back, they are gone',
  { timeout: 60_000 },
  async () => {
    const shipped = join(projectRoot, 'datasets')
    const set = join(shipped, 'regression.csv')
    const articleOf = new Map(
      parse<Record<string, string>>(readFileSync(set), { columns: true }).map((row) => [
        row['id'],
        row['article'],
      ]),
    )
    write('sandbox.yaml', `organizations: { acme: { keys: [{ key: ${KEY_ENV.ASSIST_API_KEY} }] } }`)
    const gapsWith = async (knowledge: string): Promise<Set<string>> => {
      const sandbox = await startSandboxProgram(['--kb', knowledge, '--config', 'sandbox.yaml'], folder)
      try {
        const out = newOut()
        await go(...runWords(set, sandbox, out, '--concurrency', '16', '--confirm', '0'))
        return new Set(readSummary(out).gaps.flatMap(({ questions }) => questions))
      } finally {
        await sandbox.stop()
      }
    }
    const knowledge = join(folder, 'kb')
    const three = ['business-travel', 'contractor-accounts', 'developer-tools']
    cpSync(join(shipped, 'knowledge-base'), knowledge, { recursive: true })
    const before = await gapsWith(knowledge)
    for (const name of three) rmSync(join(knowledge, `${name}.md`))
    const without = await gapsWith(knowledge)
    const gained = [...without].filter((id) => !before.has(id))
    expect(new Set(gained.map((id) => articleOf.get(id)))).toEqual(new Set(three))
    expect([...before].filter((id) => !without.has(id))).toEqual([])
    cpSync(join(shipped, 'knowledge-base'), knowledge, { recursive: true })
    expect(await gapsWith(knowledge)).toEqual(before)
  },
)
