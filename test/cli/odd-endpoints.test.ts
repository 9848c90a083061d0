// Odd endpoints: what becomes of a turn, of the run and of the quota account, seen through the built program.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import {
  answerJson,
  goodReply,
  startEndpoint,
  type ReceivedCall,
  type TestEndpoint,
} from '../support/endpoint.ts'
import { openEndpoint, withEndpoint } from '../support/open-endpoint.ts'
import { readResults, readSummary, runProgram } from '../support/program.ts'
import { KEY_ENV, resumeWords, runWords } from '../support/runs.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const QUESTION = 'What is the way?'
writeFileSync(join(folder, 'one.csv'), `id,message,tags\nq1,${QUESTION},t0\n`)
writeFileSync(
  join(folder, 'thread.csv'),
  'id,thread,message\na1,a,First?\na2,a,Second?\na3,a,Third?\nb1,b,Alone?\n',
)

let runs = 0
async function ask(set: string, behave: (call: ReceivedCall) => boolean | void, ...words: string[]) {
  return askOf(await openEndpoint(behave), set, ...words)
}
async function askOf(endpoint: TestEndpoint, set: string, ...words: readonly string[]) {
  const out = join(folder, `run-${(runs += 1)}`)
  const ended = await runProgram(runWords(set, endpoint, out, ...words), { cwd: folder, env: KEY_ENV })
  return { ...ended, out, results: readResults(out), summary: readSummary(out), calls: endpoint.calls }
}

interface Odd {
  readonly name: string
  readonly behave: (call: ReceivedCall) => boolean | void
  /** Columns of the one turn's row. */
  readonly row: Record<string, unknown>
  readonly code: number
  /** Attempts, certain, possible, notCounted. */
  readonly usage: readonly [number, number, number, number]
  /** Asked in a run of its own: with more words, or where one call is told from the next. */
  readonly alone?: readonly string[]
}

const always =
  (status: number, text: string, headers: Record<string, string> = {}) =>
  (call: ReceivedCall) => {
    call.response.writeHead(status, headers).end(text)
    return true
  }
const match = (pattern: RegExp): unknown => expect.stringMatching(pattern)

const table: readonly Odd[] = [
  {
    name: '201 with the reply',
    behave: (call) => answerJson(call, 201, goodReply(call)),
    row: { outcome: 'answered', http_status: '201', grounded: 'true', latency_ms: match(/^\d+\.\d$/) },
    code: 0,
    usage: [1, 1, 0, 0],
  },
  {
    name: 'extra fields',
    behave: (call) =>
      answerJson(call, 200, { ...goodReply(call), confidence: 0.9, nested: { __proto__: 1 } }),
    row: { outcome: 'answered', grounded: 'true' },
    code: 0,
    usage: [1, 1, 0, 0],
  },
  {
    name: 'an extra field of 100,000 nested lists',
    behave: (call) => {
      const reply = JSON.stringify(goodReply(call)).slice(0, -1)
      return always(200, `${reply},"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)(call)
    },
    row: { outcome: 'answered', grounded: 'true' },
    code: 0,
    usage: [1, 1, 0, 0],
  },
  {
    name: '400 with details of 100,000 nested objects',
    behave: (call) =>
      always(
        400,
        `{"error":{"code":"X","message":"m","details":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_001)}}`,
      )(call),
    row: {
      outcome: 'refused',
      error_code: 'X',
      error_message: match(/^m \(details: nested more than 50 levels/),
    },
    code: 1,
    usage: [1, 0, 0, 1],
  },
  {
    name: 'an unknown status and source',
    behave: (call) => answerJson(call, 200, { ...goodReply(call), status: 'partial', contextSource: 'WEB' }),
    row: { outcome: 'answered', status: 'partial', context_source: 'WEB', grounded: 'false' },
    code: 0,
    usage: [1, 1, 0, 0],
    alone: ['--threshold', 'status.partial<=100%'],
  },
  {
    name: 'an empty answer',
    behave: (call) => answerJson(call, 200, { ...goodReply(call), message: '' }),
    row: { outcome: 'answered', answer: '', grounded: 'true' },
    code: 0,
    usage: [1, 1, 0, 0],
  },
  {
    name: 'an answer of 1 MB',
    behave: (call) => answerJson(call, 200, { ...goodReply(call), message: 'x'.repeat(1_000_000) }),
    row: { outcome: 'answered', answer: match(/^x{1000000}$/) },
    code: 0,
    usage: [1, 1, 0, 0],
  },
  {
    name: 'gzip, unasked',
    behave: (call) => {
      const body = gzipSync(JSON.stringify(goodReply(call)))
      call.response
        .writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' })
        .end(body)
      return true
    },
    row: { outcome: 'answered', answer: 'answer to: What is the way?' },
    code: 0,
    usage: [1, 1, 0, 0],
  },
  {
    name: 'what calls itself gzip and is not',
    behave: (call) => always(200, JSON.stringify(goodReply(call)), { 'content-encoding': 'gzip' })(call),
    row: { outcome: 'malformed', error_message: match(/content-encoding/) },
    code: 1,
    usage: [1, 1, 0, 0],
  },
  {
    name: 'a gzip bomb of 100 MB',
    behave: (call) => {
      call.response
        .writeHead(200, { 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(100_000_000, 32)))
      return true
    },
    row: { outcome: 'malformed', error_message: 'the body is larger than 8 MiB' },
    code: 1,
    usage: [1, 1, 0, 0],
  },
  {
    name: 'a body of 12 MB',
    behave: (call) => answerJson(call, 200, { ...goodReply(call), message: 'x'.repeat(12_000_000) }),
    row: { outcome: 'malformed', error_message: 'the body is larger than 8 MiB', http_status: '200' },
    code: 1,
    usage: [1, 1, 0, 0],
  },
  {
    name: 'truncated JSON',
    behave: (call) => always(200, JSON.stringify(goodReply(call)).slice(0, -9))(call),
    row: { outcome: 'malformed', error_message: 'the body is not JSON', http_status: '200' },
    code: 1,
    usage: [1, 1, 0, 0],
  },
  {
    name: 'HTML with 200',
    behave: always(200, '<html>login</html>', { 'content-type': 'text/html' }),
    row: { outcome: 'malformed', error_message: 'the body is not JSON' },
    code: 1,
    usage: [1, 1, 0, 0],
  },
  {
    name: 'an empty 204',
    behave: always(204, ''),
    row: { outcome: 'malformed', http_status: '204' },
    code: 1,
    usage: [1, 1, 0, 0],
  },
  {
    name: 'a field of the wrong type',
    behave: (call) => answerJson(call, 200, { ...goodReply(call), conversationId: 7, contextSource: null }),
    row: { outcome: 'malformed', error_message: match(/conversationId: .*; contextSource: /) },
    code: 1,
    usage: [1, 1, 0, 0],
  },
  {
    name: 'an error object with 200',
    behave: (call) => answerJson(call, 200, { success: false, error: { code: 'QUOTA', message: 'spent' } }),
    row: { outcome: 'malformed', error_code: 'QUOTA', error_message: match(/; it says: spent$/) },
    code: 1,
    usage: [1, 1, 0, 0],
  },
  {
    name: '400 with details',
    behave: (call) =>
      answerJson(call, 400, {
        success: false,
        error: { code: 'VALIDATION', message: 'message is too long', details: [{ field: 'message' }] },
      }),
    row: {
      outcome: 'refused',
      http_status: '400',
      error_code: 'VALIDATION',
      error_message: 'message is too long (details: [{"field":"message"}])',
    },
    code: 1,
    usage: [1, 0, 0, 1],
  },
  {
    name: '400 with details of an odd shape and a code that is a number',
    behave: (call) => answerJson(call, 400, { error: { code: 17, message: ['x'], details: 'everything' } }),
    row: {
      outcome: 'refused',
      http_status: '400',
      error_code: '17',
      error_message: 'HTTP 400 (details: everything)',
    },
    code: 1,
    usage: [1, 0, 0, 1],
  },
  {
    name: '404 without the documented shape',
    behave: always(404, 'no such page'),
    row: {
      outcome: 'refused',
      http_status: '404',
      error_code: '',
      error_message: 'HTTP 404 without the documented error object: no such page',
    },
    code: 1,
    usage: [1, 0, 0, 1],
  },
  {
    name: '413 and --count-rejected',
    behave: always(413, ''),
    alone: ['--count-rejected'],
    row: { outcome: 'refused', http_status: '413' },
    code: 1,
    usage: [1, 0, 1, 0],
  },
  {
    name: 'a redirect to another host',
    behave: always(302, '', { location: 'http://127.0.0.1:9/elsewhere' }),
    row: {
      outcome: 'refused',
      http_status: '302',
      error_message: 'HTTP 302, a redirect to http://127.0.0.1:9/elsewhere: not followed',
    },
    code: 1,
    usage: [1, 0, 0, 1],
  },
  {
    name: 'HTML 502 from a proxy, twice',
    behave: always(502, '<html><h1>Bad Gateway</h1></html>', { 'content-type': 'text/html' }),
    row: {
      outcome: 'server_error',
      http_status: '502',
      error_message: match(/<h1>Bad Gateway/),
      attempts: '2',
    },
    code: 1,
    usage: [2, 0, 2, 0],
  },
  {
    name: '500 once, then an answer',
    alone: [],
    behave: (call) =>
      call.number === 1 ? answerJson(call, 500, { error: { code: 'X', message: 'm' } }) : false,
    row: { outcome: 'answered', attempts: '2', conversation_id: 'conversation-2' },
    code: 0,
    usage: [2, 1, 1, 0],
  },
  {
    name: '429 once, then an answer',
    alone: [],
    behave: (call) => (call.number === 1 ? always(429, '', { 'retry-after': '1' })(call) : false),
    row: { outcome: 'answered', attempts: '2', rate_limited: '1', wait_ms: match(/^[1-9]\d{3,}$/) },
    code: 0,
    usage: [2, 1, 0, 1],
  },
  {
    name: 'a reset before the answer began',
    behave: ({ socket }) => {
      socket.resetAndDestroy()
      return true
    },
    row: {
      outcome: 'network_error',
      http_status: '',
      error_code: match(/ECONNRESET|UND_ERR_SOCKET/),
      error_message: match(/^the connection closed before any answer \(/),
      attempts: '2',
    },
    code: 1,
    usage: [2, 0, 2, 0],
  },
  {
    name: 'a reset in mid-answer',
    behave: ({ response, socket }) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"conversationId":')
      // A reset takes back what has not been read yet.
      setTimeout(() => socket.resetAndDestroy(), 300)
      return true
    },
    row: {
      outcome: 'network_error',
      http_status: '200',
      error_message: match(/^the answer was cut off after 18 bytes of its body \(/),
      attempts: '2',
    },
    code: 1,
    usage: [2, 2, 0, 0],
  },
  {
    name: 'an answer that ends before its content-length',
    behave: ({ response, socket }) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"conversationId":')
      setTimeout(() => socket.end(), 30)
      return true
    },
    row: {
      outcome: 'network_error',
      http_status: '200',
      error_message: match(/^the answer was cut off after 18 bytes of its body \(/),
      attempts: '2',
    },
    code: 1,
    usage: [2, 2, 0, 0],
  },
  {
    name: 'a connection that hangs',
    behave: () => true,
    alone: ['--timeout', '300ms'],
    row: {
      outcome: 'timeout',
      http_status: '',
      error_message: match(/no answer after \d+\.\d s/),
      attempts: '2',
    },
    code: 1,
    usage: [2, 0, 2, 0],
  },
  {
    name: 'an answer that drips past the deadline',
    behave: ({ response }) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write(' '), 50)
      response.on('close', () => clearInterval(drip))
      return true
    },
    // Long enough for the head of the answer to come on any machine.
    alone: ['--timeout', '2s', '--on-ambiguous', 'fail'],
    row: {
      outcome: 'timeout',
      http_status: '200',
      error_message: match(/not whole after \d+\.\d s/),
      attempts: '1',
    },
    code: 1,
    usage: [1, 1, 0, 0],
  },
  {
    name: 'what is no HTTP',
    behave: ({ socket }) => {
      socket.end('220 mail.example.com ESMTP\r\n')
      return true
    },
    row: { outcome: 'network_error', http_status: '', attempts: '2' },
    code: 1,
    usage: [2, 0, 2, 0],
  },
]

type Asked = Awaited<ReturnType<typeof askOf>>

/** One run for all that end with the same code: to start the program takes longer than their calls. A question and a tag each. */
async function askTogether(odds: readonly Odd[], code: number): Promise<Asked> {
  const set = `together-${code}.csv`
  const rows = odds.map((_, place) => `q${place},${QUESTION} ${place},t${place}\n`)
  writeFileSync(join(folder, set), `id,message,tags\n${rows.join('')}`)
  const behave = (call: ReceivedCall): boolean => {
    const odd = odds[Number(call.body.message.slice(QUESTION.length))]
    const own = { ...call, body: { ...call.body, message: QUESTION } }
    return odd?.behave(own) === true || answerJson(own, 200, goodReply(own))
  }
  return withEndpoint(behave, async (endpoint) => askOf(endpoint, set, '--concurrency', '8'))
}

describe('one turn', () => {
  const together = new Map(
    [0, 1].map((code) => [code, table.filter((odd) => odd.code === code && odd.alone === undefined)]),
  )
  const runsTogether = new Map<number, Promise<Asked>>()
  const askedTogether = async (code: number): Promise<Asked> => {
    const asked = runsTogether.get(code) ?? askTogether(together.get(code) ?? [], code)
    runsTogether.set(code, asked)
    return asked
  }

  // Side by side: many wait before they try again.
  test.concurrent.each(table)('$name', async (odd) => {
    const { behave, row, code, usage, alone } = odd
    const others = together.get(code) ?? []
    const asked = await (alone === undefined
      ? askedTogether(code)
      : withEndpoint(behave, async (endpoint) => askOf(endpoint, 'one.csv', ...alone)))
    const place = Math.max(0, others.indexOf(odd))
    const result = asked.results[place]
    // What the reports say of this turn alone.
    const figures = asked.summary.tags[`t${place}`]
    expect(asked.results).toHaveLength(alone === undefined ? others.length : 1)
    expect(result).toMatchObject(row)
    expect([asked.code, asked.summary.exitCode]).toEqual([code, code])
    expect(asked.stderr).toMatch(code === 0 ? /^Passed: /m : /^Failed: /m)
    const { attempts, certain, possible, notCounted } = figures?.quota ?? {}
    expect([attempts, certain, possible, notCounted]).toEqual(usage)
    expect(result?.['attempts']).toBe(String(attempts))
    // An error is never an answer, and each of them alone would fail the run.
    expect(figures?.coverage.answered).toBe(result?.['outcome'] === 'answered' ? 1 : 0)
    expect(figures?.errors.errors).toBe(code)
  })

  test.each([0, 1])('what ends with %i adds up to the account of its run', async (code) => {
    const asked = await askedTogether(code)
    const sums = [0, 1, 2, 3].map((which) =>
      (together.get(code) ?? []).reduce((sum, { usage }) => sum + (usage[which] ?? 0), 0),
    )
    const { attempts, certain, possible, notCounted } = asked.summary.quota ?? {}
    expect([attempts, certain, possible, notCounted]).toEqual(sums)
  })

  test('an unknown status is warned of, and is fine where it is named', async () => {
    const behave = (call: ReceivedCall) => answerJson(call, 200, { ...goodReply(call), status: 'partial' })
    const odd = await ask('one.csv', behave)
    expect(odd.summary.warnings.join()).toMatch(/status other than success: partial 1/)
    const named = await ask('one.csv', behave, '--success-status', 'success,partial')
    expect(named.summary.warnings).toEqual([])
  })

  test('unknown fields of a reply are kept in the journal', async () => {
    const { out } = await ask('one.csv', (call) =>
      answerJson(call, 200, { ...goodReply(call), model: 'm-7' }),
    )
    const { readFileSync } = await import('node:fs')
    expect(readFileSync(join(out, 'journal.ndjson'), 'utf8')).toContain('"extra":{"model":"m-7"}')
  })

  test('a redirect takes the key nowhere', async () => {
    const elsewhere = await startEndpoint()
    const { calls } = await ask('one.csv', always(307, '', { location: `${elsewhere.url}/api/v1/assist` }))
    expect(calls).toHaveLength(1)
    expect(elsewhere.calls).toHaveLength(0)
    await elsewhere.close()
  })
})

describe('a thread', () => {
  test('a fresh conversation in mid-thread loses the context from there on', async () => {
    const { results, summary, code } = await ask('thread.csv', (call) =>
      call.body.message === 'Second?'
        ? answerJson(call, 200, { ...goodReply(call), conversationId: 'fresh' })
        : false,
    )
    expect(results.map((row) => [row['id'], row['outcome'], row['context_lost'], row['grounded']])).toEqual([
      ['a1', 'answered', 'false', 'true'],
      ['a2', 'answered', 'true', ''],
      ['a3', 'answered', 'true', ''],
      ['b1', 'answered', 'false', 'true'],
    ])
    expect(summary.turns.contextLost).toBe(2)
    expect(summary.coverage).toMatchObject({ grounded: 2, answered: 2, rate: 1 })
    expect(summary.warnings.join()).toMatch(/2 turns lost their context/)
    expect(code).toBe(0)
  })

  test('an error skips the turns after it, and only those', async () => {
    const { results, code } = await ask('thread.csv', (call) =>
      call.body.message === 'Second?' ? always(400, '')(call) : false,
    )
    expect(results.map((row) => row['outcome'])).toEqual(['answered', 'refused', 'skipped', 'answered'])
    expect(results.map((row) => row['attempts'])).toEqual(['1', '1', '0', '1'])
    expect(code).toBe(1)
  })

  test.each([
    [401, /refused the key \(401\)/],
    [403, /refused the scope of the key \(403\)/],
  ])(
    '%i in the middle stops the run at once, and it can be resumed with a better key',
    async (status, words) => {
      let isBroken = true
      const behave = (call: ReceivedCall): boolean =>
        isBroken && call.body.message === 'Third?'
          ? answerJson(call, status, { success: false, error: { code: 'KEY', message: 'no longer' } })
          : false
      const stopped = await ask('thread.csv', behave)
      expect(stopped.code).toBe(3)
      expect(stopped.stderr).toMatch(words)
      expect(stopped.results.map((row) => row['outcome'])).toEqual(['answered', 'answered', '', ''])
      expect(stopped.summary.turns.notAsked).toBe(2)
      expect(stopped.summary.state).toBe('incomplete')

      const command = resumeWords(stopped.stderr)
      expect(command).toEqual(['run', '--resume', stopped.out])
      isBroken = false
      const resumed = await runProgram(command, {
        cwd: folder,
        env: { ASSIST_API_KEY: 'a-better-key-0123' },
      })
      expect(resumed.code).toBe(0)
      expect(readResults(stopped.out).map((row) => row['outcome'])).toEqual(
        Array.from({ length: 4 }, () => 'answered'),
      )
      // The thread went on with its conversation: nothing that was answered was asked again.
      expect(stopped.calls.map(({ body }) => body.message)).toEqual([
        'First?',
        'Second?',
        'Third?',
        'Third?',
        'Alone?',
      ])
      expect(stopped.calls[3]?.body.conversationId).toBe('conversation-1')
      expect(readSummary(stopped.out).quota).toMatchObject({ attempts: 5, certain: 4, notCounted: 1 })
    },
  )
})
