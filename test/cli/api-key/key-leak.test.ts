// The key is in no file of the run folder, no output, no process title: whatever the endpoint echoes.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { turnsOfPage } from '../../support/report-page.ts'
import { answerJson, goodReply, startEndpoint, type ReceivedCall } from '../../support/endpoint.ts'
import { runProgram, startProgram } from '../../support/program.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const folder = temporaryFolder()
const key = 'sk-live/Zx9"Qq\\77+secret=='
const fingerprint = createHash('sha256').update(key).digest('hex').slice(0, 8)
const forms = [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key), 'Zx9', '+secret=']

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
  ({ response }) => {
    response.writeHead(502, { 'content-type': 'text/html' }).end(`<html>KEY ${key}</html>`)
    return true
  },
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
  const unpacked = JSON.stringify(turnsOfPage(readFileSync(join(out, 'report.html'), 'utf8')))
  expect(unpacked).toContain(`[key ${fingerprint}]`)
  expectNoKey(unpacked, 'report.html, unpacked')
  expect(readFileSync(join(out, 'results.csv'), 'utf8')).toContain(`[key ${fingerprint}]`)

  const again = await runProgram(['report', out, '--json'], { cwd: folder })
  expectNoKey(again.stdout + again.stderr, 'report')
})

test.each([
  [['--api-key', key], /unknown option --api-key/],
  [['--api-key-env', key], /--api-key-env must be the name of an environment variable/],
  [['--base-url', `https://me:${key}@desk.example.com`], /contains a user name or password|is not a URL/],
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
  expect(stderr).toMatch(/the key in ASSIST_API_KEY contains white space/)
  expectNoKey(stderr, 'stderr')
})

describe('commands that need no key hide that of the variable that', () => {
  const own = 'sk-live-9876543210'
  const hides = async (words: readonly string[], env: Readonly<Record<string, string>>): Promise<void> => {
    const { screen } = await runProgram(words, { cwd: folder, env })
    expect(screen, words.join(' ')).toMatch(/\[key [\da-f]{8}\]/)
    expect(screen).not.toContain(own)
  }

  beforeAll(async () => {
    writeFileSync(join(folder, 'keyed.csv'), `message,thread,turn\nHow?,a,${own}\n`)
    writeFileSync(join(folder, 'asked.csv'), 'message\nHow?\n')
    // Asked with another key: the one of now is a part of a folder's name.
    const endpoint = await startEndpoint()
    const asked = ['run', 'asked.csv', '--base-url', endpoint.url, '--rate', 'unlimited']
    for (const out of [`nights/${own}`, 'nights/two']) {
      const { code, stderr } = await runProgram([...asked, '--api-key-env', 'DESK_KEY', '--out', out], {
        cwd: folder,
        env: { DESK_KEY: 'key-of-then-0123456789' },
      })
      expect(code, stderr).toBe(0)
    }
    await endpoint.close()
  })

  test.each(['ASSIST_API_KEY', 'DESK_KEY'])('is set: %s', async (variable) => {
    const env = { [variable]: own }
    await hides(['compare', `nights/${own}`, 'nights/two', '--out', `of-${variable}`], env)
    // It reads summaries alone, which name no variable.
    if (variable === 'ASSIST_API_KEY') await hides(['history', 'nights', '--out', `history-${own}`], env)
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
    expect(stderr).toMatch(/turn "\[key [\da-f]{8}\]" is not a whole number/)
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

test('a key in the name of a file, a column or an option is masked in the run folder', async () => {
  const own = 'sk-live-5566778899'
  mkdirSync(join(folder, `in-${own}`))
  writeFileSync(join(folder, `in-${own}/set.csv`), `message,of ${own}\nHow?,x\n`)
  const endpoint = await startEndpoint()
  const asked = ['run', `in-${own}/set.csv`, '--base-url', endpoint.url, '--organization', own]
  const { code, stdout, stderr } = await runProgram([...asked, '--out', 'named'], {
    cwd: folder,
    env: { ASSIST_API_KEY: own },
  })
  await endpoint.close()
  expect(code, stderr).toBe(0)
  expect(stdout + stderr).not.toContain(own)
  for (const name of readdirSync(join(folder, 'named')))
    expect(readFileSync(join(folder, 'named', name), 'utf8').includes(own), name).toBe(false)
})

test('a key in a line that is not understood is not repeated', async () => {
  const own = 'sk-live-1122334455'
  for (const words of [[own], ['run', `--${own}`], ['run', own, '--api-key-env', 'DESK_KEY']]) {
    const env = { ASSIST_API_KEY: own, DESK_KEY: own }
    const { code, stdout, stderr } = await runProgram(words, { cwd: folder, env })
    expect(code, stderr).toBe(2)
    expect(stdout + stderr).not.toContain(own)
  }
})
