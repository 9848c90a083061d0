// The key is in no file of the run folder, no output, no process title: whatever the endpoint echoes.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { readPageData } from '../../support/page-data.ts'
import { answerJson, goodReply, startEndpoint, type ReceivedCall } from '../../support/endpoint.ts'
import { runProgram, startProgram } from '../../support/program.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const folder = temporaryFolder()
const key = 'sk-live/Zx9"Qq\\77+secret=='
const fingerprint = createHash('sha256').update(key).digest('hex').slice(0, 8)
/** Every sign of it escaped, in each of the ways. */
const escapedKeys = [
  (code: number) => `\\u${code.toString(16).padStart(4, '0')}`,
  (code: number) => `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`,
  (code: number) => `\\x${code.toString(16)}`,
  (code: number) => `&#${code};`,
  (code: number) => `&#x${code.toString(16)};`,
  (code: number) => `%${code.toString(16)}`,
  (code: number) => (code % 2 === 0 ? `\\u00${code.toString(16)}` : String.fromCharCode(code)),
].map((escape) => Array.from(key, (sign) => escape(sign.charCodeAt(0))).join(''))
const forms = [
  key,
  JSON.stringify(key).slice(1, -1),
  encodeURIComponent(key),
  'Zx9',
  '+secret=',
  // As it came, or within JSON, or HTML: parts that no other escape changes.
  ...escapedKeys.flatMap((text) => [text, JSON.stringify(text).slice(1, -1), text.replaceAll('&', '&amp;')]),
]

type Echo = (call: ReceivedCall) => boolean

const echoes: Echo[] = [
  (call) =>
    answerJson(call, 200, {
      ...goodReply(call),
      message: `your key is ${String(call.headers.authorization)}`,
      conversationId: `conversation of ${key}`,
      contextSource: key,
      status: key,
      extra: { [key]: [key, { deep: key }] },
    }),
  (call) =>
    answerJson(call, 400, { success: false, error: { code: key, message: key, details: [{ field: key }] } }),
  ({ response, headers }) => {
    response
      .writeHead(500, { 'x-request-id': key, server: key })
      .end(`<html>${String(headers.authorization)}</html>`)
    return true
  },
  ({ response }) => {
    response.writeHead(200).end(`{"escaped":"${JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/')}`)
    return true
  },
  ({ response }) => {
    // The key stands across the place where excerpts are cut.
    response.writeHead(200).end(`${'x'.repeat(490)}${key}`)
    return true
  },
  ({ response }) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(`${'x'.repeat(495)}${key}`))
    return true
  },
  ({ response }) => {
    response.writeHead(302, { location: `https://desk.example.com/?key=${encodeURIComponent(key)}` }).end()
    return true
  },
  // One that is asked again, as it takes its time.
  ...escapedKeys.map((text, place): Echo => ({ response }) => {
    response
      .writeHead(place === 0 ? 502 : 404, { 'content-type': 'text/html' })
      .end(`<html>KEY ${text}</html>`)
    return true
  }),
  ...escapedKeys.map(
    (text): Echo =>
      (call) =>
        answerJson(call, 200, { ...goodReply(call), message: `no key but ${text}` }),
  ),
]

function expectNoKey(text: string, where: string): void {
  for (const form of forms) expect(text.includes(form), `${where} holds ${form}`).toBe(false)
}

test('an endpoint that echoes the key everywhere gives it away nowhere', async () => {
  writeFileSync(
    join(folder, 'set.csv'),
    `message,owner\n${echoes.map((_, place) => `Question ${place},"${key.replaceAll('"', '""')}"`).join('\n')}\n`,
  )
  const endpoint = await startEndpoint((call) => {
    const echo = echoes[Number(/\d+/.exec(call.body.message)?.[0])]
    return echo?.(call) ?? false
  })
  const out = join(folder, 'run')
  const words = ['run', 'set.csv', '--base-url', endpoint.url, '--rate', 'unlimited', '--concurrency', '1']
  const options = { cwd: folder, env: { ASSIST_API_KEY: `${key}\n` } }
  const running = startProgram([...words, '--out', out, '--json', '--debug'], options)
  const commandLine = readFileSync(`/proc/${running.pid}/cmdline`, 'utf8')
  const { stdout, stderr } = await running.ended
  expect(endpoint.calls.length).toBeGreaterThan(echoes.length)
  await endpoint.close()

  expectNoKey(commandLine, 'the command line')
  expectNoKey(stdout, 'stdout')
  expectNoKey(stderr, 'stderr')
  const names = readdirSync(out)
  expect(names.sort()).toEqual([
    'journal.ndjson',
    'junit.xml',
    'report.html',
    'results.csv',
    'run.json',
    'summary.json',
    'summary.md',
  ])
  for (const name of names) expectNoKey(readFileSync(join(out, name), 'utf8'), name)
  const unpacked = JSON.stringify(readPageData(readFileSync(join(out, 'report.html'), 'utf8')))
  expect(unpacked).toContain(`[key ${fingerprint}]`)
  expectNoKey(unpacked, 'report.html, unpacked')
  expect(readFileSync(join(out, 'results.csv'), 'utf8')).toContain(`[key ${fingerprint}]`)

  const again = await runProgram(['report', out, '--json'], { cwd: folder })
  expectNoKey(again.stdout + again.stderr, 'report')
})

test.each([
  [['--api-key', key], /unknown option --api-key/],
  [['--api-key-env', key], /--api-key-env must be the name of an environment variable/],
  [['--base-url', `https://me:${key}@desk.example.com`], /holds a user name or password|is not a URL/],
])('a key that is typed where it must not be is refused without being repeated', async (words, message) => {
  const { code, stdout, stderr } = await runProgram(['run', 'set.csv', ...words], {
    cwd: folder,
    env: { ASSIST_BASE_URL: 'http://127.0.0.1:9', ASSIST_API_KEY: 'another-key-0123' },
  })
  expect(code).toBe(2)
  expect(stderr).toMatch(message)
  expectNoKey(stdout + stderr, 'the output')
})

test('a key that no header can carry is refused without being repeated', async () => {
  const { code, stderr } = await runProgram(['run', 'set.csv', '--base-url', 'http://127.0.0.1:9'], {
    cwd: folder,
    env: { ASSIST_API_KEY: 'two\nlines of Zx9' },
  })
  expect(code).toBe(2)
  expect(stderr).toMatch(/the key in ASSIST_API_KEY holds white space/)
  expectNoKey(stderr, 'stderr')
})

test.each(['answered', 'KNOWLEDGE_BASE', 'rejection', 'conversationId'])(
  'a key that is %j, a word of every record, is refused before anything is sent',
  async (word) => {
    const endpoint = await startEndpoint()
    const words = ['run', 'set.csv', '--base-url', endpoint.url]
    const { code, stderr } = await runProgram(words, { cwd: folder, env: { ASSIST_API_KEY: word } })
    await endpoint.close()
    expect([code, stderr]).toEqual([
      2,
      'the key in ASSIST_API_KEY is a word that stands in every answer or record, and could not be kept out of them; give the key itself\n',
    ])
    expect(endpoint.calls).toEqual([])
  },
)

test('a key that is a plain word is hidden in all that comes from outside, and a note says so', async () => {
  writeFileSync(join(folder, 'word.csv'), 'message\nHow do I change my password?\n')
  const endpoint = await startEndpoint((call) =>
    answerJson(call, 200, { ...goodReply(call), contextSource: 'password' }),
  )
  const out = join(folder, 'word')
  const words = ['run', 'word.csv', '--base-url', endpoint.url, '--rate', 'unlimited', '--out', out]
  const { code, stderr } = await runProgram(words, { cwd: folder, env: { ASSIST_API_KEY: 'password' } })
  await endpoint.close()
  const mark = `[key ${createHash('sha256').update('password').digest('hex').slice(0, 8)}]`
  expect(code).toBe(0)
  expect(stderr).toMatch(/^Note: the key in ASSIST_API_KEY is a plain word\. Wherever that word stands, /)
  expect(stderr).toContain(`${mark} stands in its place, and may change figures: is it the key?\n`)
  expect(endpoint.calls[0]?.body.message).toBe('How do I change my password?')
  for (const name of readdirSync(out)) {
    const text = readFileSync(join(out, name), 'utf8')
    expect(text.includes('password'), name).toBe(false)
  }
  expect(readFileSync(join(out, 'results.csv'), 'utf8')).toContain(`How do I change my ${mark}?`)
})

test.each([
  [
    'grounded',
    'is a word that the files are made of, and could not be kept out of them; give the key itself',
  ],
  [
    'results.csv',
    'stands in the names of our files, figures, commands or options, and could not be kept out of them; give the key itself',
  ],
  [
    '12345678',
    'is a number, a date or an address as they stand in figures and records, and could not be kept out of them; give the key itself',
  ],
  [
    '--max-calls',
    'stands in the names of our files, figures, commands or options, and could not be kept out of them; give the key itself',
  ],
  ['desk.example', 'is a part of the base URL; give the key itself'],
  ['ASSIST_API_KEY', 'is the name of that variable: nothing put its value there; give the key itself'],
  ['$ASSIST_API_KEY', 'is the name of that variable: nothing put its value there; give the key itself'],
  [
    '${{secrets.ASSIST_API_KEY}}',
    'is the name of that variable: nothing put its value there; give the key itself',
  ],
])('%s is no key, and is refused before anything is asked', async (value, told) => {
  const words = ['run', 'set.csv', '--base-url', 'https://desk.example.com', '--out', 'never']
  const { code, stderr } = await runProgram(words, { cwd: folder, env: { ASSIST_API_KEY: value } })
  expect([code, stderr]).toEqual([2, `the key in ASSIST_API_KEY ${told}\n`])
})

describe('commands that need no key hide that of the variable that', () => {
  const own = 'sk-live-9876543210'
  const hides = async (words: readonly string[], env: Readonly<Record<string, string>>): Promise<void> => {
    const { stdout, stderr } = await runProgram(words, { cwd: folder, env })
    expect(stderr, words.join(' ')).toMatch(/\[key [\da-f]{8}\]/)
    expect(stdout + stderr).not.toContain(own)
  }

  beforeAll(async () => {
    writeFileSync(join(folder, 'keyed.csv'), `message,thread,turn\nHow?,a,${own}\n`)
    writeFileSync(join(folder, 'asked.csv'), 'message\nHow?\n')
    writeFileSync(join(folder, 'key.env'), `DESK_KEY=${own}\n`)
    writeFileSync(join(folder, 'keyed.yaml'), 'apiKeyEnv: DESK_KEY\nenvFrom: key.env\n')
    // Asked with another key: the one of now is a part of a folder's name.
    const endpoint = await startEndpoint()
    const asked = [
      'run',
      'asked.csv',
      '--base-url',
      endpoint.url,
      '--rate',
      'unlimited',
      '--api-key-env',
      'DESK_KEY',
    ]
    for (const out of [`nights/${own}`, 'nights/two']) {
      const { code, stderr } = await runProgram([...asked, '--out', out], {
        cwd: folder,
        env: { DESK_KEY: 'key-of-then-0123456789' },
      })
      expect(code, stderr).toBe(0)
    }
    await endpoint.close()
  })

  test('an environment file holds (estimate)', async () => {
    await hides(['estimate', 'keyed.csv', '--config', 'keyed.yaml'], {})
    await hides(['estimate', 'keyed.csv', '--config', 'keyed.yaml', '--env-from', 'nowhere.env'], {
      DESK_KEY: own,
    })
  })

  test.each(['ASSIST_API_KEY', 'DESK_KEY'])('is set: %s', async (variable) => {
    const env = { [variable]: own }
    await hides(['compare', `nights/${own}`, 'nights/two', '--out', `of-${variable}`], env)
    await hides(['history', 'nights', '--out', `history-${own}`], env)
    await hides(['merge', `nights/${own}`, 'nights/two', '--out', 'joined'], env)
    await hides(['report', `nights/${own}`], env)
  })
})

test('commands that need no key hide the one of the environment, too', async () => {
  const own = 'sk-live-0123456789'
  const env = { ASSIST_API_KEY: own }
  writeFileSync(join(folder, 'own.csv'), `message,thread,turn\nHow?,a,${own}\n`)
  for (const words of [
    ['validate', 'own.csv', '--json'],
    ['estimate', 'own.csv'],
  ]) {
    const { code, stdout, stderr } = await runProgram(words, { cwd: folder, env })
    expect(code).toBe(2)
    expect(stderr).toMatch(/turn "\[key [\da-f]{8}\]" is no whole number/)
    expect(stdout + stderr).not.toContain(own)
  }
  const endpoint = await startEndpoint()
  const asked = ['run', 'set.csv', '--base-url', endpoint.url, '--rate', 'unlimited', '--out', 'hidden']
  expect((await runProgram(asked, { cwd: folder, env })).code).toBe(0)
  await endpoint.close()
  writeFileSync(join(folder, 'reviews.csv'), `id,answer,review,note\nq1,An answer,${own},\n`)
  // The sandbox has a key of its own, and its runs name no variable.
  const sandboxed = ['run', 'set.csv', '--sandbox', '--out', 'sandboxed']
  expect((await runProgram(sandboxed, { cwd: folder, env })).code).toBe(0)
  for (const run of ['hidden', 'sandboxed']) {
    const words = ['report', run, '--reviews', 'reviews.csv']
    const { code, stdout, stderr } = await runProgram(words, { cwd: folder, env })
    expect(code).toBe(2)
    expect(stderr).toMatch(/\[key [\da-f]{8}\]/)
    expect(stdout + stderr).not.toContain(own)
  }
})

describe('a key where a word of ours belongs is not repeated:', () => {
  const own = 'skLive-0Zx9-Qq77-Secret'
  const held: Readonly<Record<string, readonly [words: readonly string[], env: Record<string, string>]>> = {
    'of the usual variable': [[], { ASSIST_API_KEY: own }],
    'of one that is typed': [['--api-key-env', 'DESK_KEY'], { DESK_KEY: own }],
    'of one that the config file names': [['--config', 'spoken.yaml'], { DESK_KEY: own }],
    'of a file': [['--env-from', 'spoken.env'], {}],
  }

  beforeAll(() => {
    writeFileSync(join(folder, 'spoken.yaml'), 'targets: { live: { apiKeyEnv: DESK_KEY } }\n')
    writeFileSync(join(folder, 'spoken.env'), `ASSIST_API_KEY=${own}\n`)
  })

  test.each(Object.keys(held))('%s', async (where) => {
    const [words, env] = held[where] ?? [[], {}]
    for (const typed of [
      [own],
      ['sandbox', own],
      ['report', 'a', own],
      ['run', `--${own}`],
      ['run', `-x${own}`],
    ]) {
      const { code, stdout, stderr } = await runProgram([...typed, ...words], { cwd: folder, env })
      expect(code, stderr).toBe(2)
      expect(stderr, typed.join(' ')).toMatch(/\[key [\da-f]{8}\]/)
      expect((stdout + stderr).replaceAll('-', '').toLowerCase()).not.toContain(
        own.replaceAll('-', '').toLowerCase(),
      )
    }
  })
})

test.each([
  ['a name', (own: string) => `apiKeyEnv: DESK_KEY\n${own}: 3\n`],
  ['what is no YAML', (own: string) => `targets: { live: { 'apiKeyEnv': "DESK_KEY" } }\nrate: [${own}\n`],
])('a key in the config file that is refused for it is not repeated: as %s', async (_, textOf) => {
  const own = 'sk-live-1122334455'
  writeFileSync(join(folder, 'faulty.yaml'), textOf(own))
  const words = ['run', 'set.csv', '--config', 'faulty.yaml']
  const { code, stderr } = await runProgram(words, { cwd: folder, env: { DESK_KEY: own } })
  expect([code, stderr]).toEqual([2, expect.stringMatching(/\[key [\da-f]{8}\]/)])
  expect(stderr).not.toContain(own)
})

test('a key in the name of the host is refused, though names of hosts have lost its capitals', async () => {
  const words = ['run', 'set.csv', '--base-url', 'https://Zq83-acme-Key.example.com', '--out', 'never']
  const { code, stderr } = await runProgram(words, { cwd: folder, env: { ASSIST_API_KEY: 'Zq83-acme-Key' } })
  expect([code, stderr]).toEqual([
    2,
    'the key in ASSIST_API_KEY is a part of the base URL; give the key itself\n',
  ])
})

test('a run whose folder was named by the key afterwards can be gone on with', async () => {
  const own = 'sk-live-6677889900'
  const endpoint = await startEndpoint()
  writeFileSync(join(folder, 'two.csv'), 'message\nHow?\nWhy?\n')
  const words = ['run', 'two.csv', '--base-url', endpoint.url, '--rate', 'unlimited', '--out', own]
  const env = { ASSIST_API_KEY: 'another-key-0123' }
  expect((await runProgram([...words, '--max-calls', '1'], { cwd: folder, env })).code).toBe(4)
  const going = ['run', '--resume', own, '--max-calls', '9']
  const { code, stdout, stderr } = await runProgram(going, { cwd: folder, env: { ASSIST_API_KEY: own } })
  await endpoint.close()
  expect(code, stderr).toBe(0)
  expect(stdout + stderr).not.toContain(own)
})

describe('a key that would be written into the run folder is refused before anything is: in', () => {
  const own = 'sk-live-5566778899'
  const cases: Readonly<Record<string, readonly [words: readonly string[], told: string]>> = {
    "a set's name": [
      [`set-${own}.csv`, '--out', 'unmade'],
      'the path of a question set, and would be written into the run folder: give the file, or its folder, another name',
    ],
    "the folder's name of one": [
      [`in-${own}/set.csv`],
      'the path of a question set, and would be written into the run folder: give the file, or its folder, another name',
    ],
    'a column': [
      ['column.csv', '--out', 'unmade'],
      'the name of a column of a question set, and would be written into the run folder: give the column another name',
    ],
    "the run folder's name": [
      ['plain.csv', '--out', `unmade-${own}`],
      'the path of the run folder, and would be written into the run folder: name another folder with --out',
    ],
    'an option': [
      ['plain.csv', '--out', 'unmade', '--organization', `desk of ${own}`],
      'what was said of this run (target.organization, as run.json keeps it), and would be written into the run folder: write it otherwise, or leave it out',
    ],
  }

  beforeAll(() => {
    mkdirSync(join(folder, `unmade/in-${own}`), { recursive: true })
    for (const name of [`set-${own}.csv`, `in-${own}/set.csv`, 'plain.csv'])
      writeFileSync(join(folder, 'unmade', name), 'message\nHow?\n')
    writeFileSync(join(folder, 'unmade/column.csv'), `message,of ${own}\nHow?,x\n`)
  })

  test.each(Object.keys(cases))('%s', async (where) => {
    const [words, told] = cases[where] ?? [[], '']
    const endpoint = await startEndpoint()
    const cwd = join(folder, 'unmade')
    const before = readdirSync(cwd)
    for (const [command, ...offer] of [['run'], ['load', '--users', '1', '--duration', '1s']]) {
      const all = [String(command), ...words, ...offer, '--base-url', endpoint.url]
      const { code, stdout, stderr } = await runProgram(all, { cwd, env: { ASSIST_API_KEY: own } })
      expect(code, stderr).toBe(2)
      expect(stderr.trimEnd().split('\n').at(-1)).toBe(
        `the key in ASSIST_API_KEY stands in ${told}; nothing was sent or written`,
      )
      expect(stdout + stderr).not.toContain(own)
    }
    await endpoint.close()
    expect(endpoint.calls).toEqual([])
    expect(readdirSync(cwd)).toEqual(before)
  })
})
