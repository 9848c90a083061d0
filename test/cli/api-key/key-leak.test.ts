// Protects the API key: it is in no file, no output and no process title, whatever the endpoint echoes and
// the user types.
import { readdirSync, readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { turnsOfPage } from '../../support/report-page.ts'
import { answerJson, goodReply, withEndpoint, type ReceivedCall } from '../../support/endpoint.ts'
import { runResident } from '../../support/resident.ts'
import { openWorkspace } from '../../support/workspace.ts'

const { folder, at, put, read, runLine, start, expectExit } = openWorkspace()
const key = 'sk-live/Zx9"Qq\\77+secret=='
const fingerprint = createHash('sha256').update(key).digest('hex').slice(0, 8)
const forms = [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key), 'Zx9', '+secret=']
const MASKED = /\[key [\da-f]{8}\]/

const echoes: ((call: ReceivedCall) => unknown)[] = [
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
  ({ response, headers }) =>
    response
      .writeHead(500, { 'x-request-id': key, server: key })
      .end(`<html>${String(headers.authorization)}</html>`),
  ({ response }) =>
    response.writeHead(200).end(`{"escaped":"${JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/')}`),
  // With an escape for its first character, also in a field that another one hides.
  (call) => {
    const escaped = `"message":${JSON.stringify(key).replace('s', String.raw`\u0073`)}`
    const good = JSON.stringify(goodReply(call))
    return call.response.writeHead(200).end(`{${escaped},${good.slice(1, -1)},${escaped}}`)
  },
  // Outside of the documented error object. domain/secret.test.ts has the forms of a key.
  ({ response }) => response.writeHead(400).end(`{"title":"Bad Request","detail":${JSON.stringify(key)}}`),
  // The key lies across the end of the excerpt.
  ({ response }) => response.writeHead(200).end(`${'x'.repeat(490)}${key}`),
  ({ response }) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(`${'x'.repeat(495)}${key}`)),
  ({ response }) =>
    response.writeHead(302, { location: `https://desk.example.com/?key=${encodeURIComponent(key)}` }).end(),
  // A 502, which is sent again.
  ({ response }) => response.writeHead(502, { 'content-type': 'text/html' }).end(`<html>KEY ${key}</html>`),
]

function expectNoKey(text: string, where: string, hidden: readonly string[] = forms): void {
  for (const form of hidden) expect(text.includes(form), `${where} holds ${form}`).toBe(false)
}

test('a key that the endpoint echoes everywhere is masked everywhere', async () => {
  const rows = echoes.map((_, place) => `Question ${place},"${key.replaceAll('"', '""')}"`)
  put('set.csv', `message,owner\n${rows.join('\n')}\n`)
  const echo = (call: ReceivedCall): boolean => {
    echoes[Number(/\d+/.exec(call.body.message)?.[0])]?.(call)
    return true
  }
  await withEndpoint(echo, async ({ url, calls }) => {
    const pace = '--rate unlimited --concurrency 1'
    const line = `run set.csv --base-url ${url} ${pace} --out run --json --debug`
    const running = start(line, { ASSIST_API_KEY: `${key}\n` })
    expectNoKey(readFileSync(`/proc/${running.pid}/cmdline`, 'utf8'), 'the command line')
    expectNoKey((await running.ended).screen, 'the output')
    expect(calls.length).toBeGreaterThan(echoes.length)
  })
  const names = readdirSync(at('run')).sort()
  expect(names.join(' ')).toBe(
    'journal.ndjson junit.xml report.html results.csv run.json run.prom summary.json summary.md',
  )
  for (const name of names) expectNoKey(read('run', name), name)
  const unpacked = JSON.stringify(turnsOfPage(read('run/report.html')))
  expectNoKey(unpacked, 'report.html, unpacked')
  for (const text of [unpacked, read('run/results.csv')]) expect(text).toContain(`[key ${fingerprint}]`)
  expectNoKey((await runLine('report run --json')).screen, 'report')
})

const OWN = 'sk-live-9876543210'
const owned = { ASSIST_API_KEY: OWN, DESK_KEY: OWN }
const [RUN, MINE] = [['run', 'set.csv'], `https://me:${key}@desk.example.com`]

test.each<[string[], Record<string, string>, RegExp]>([
  [[...RUN, '--api-key', key], {}, /unknown option --api-key/],
  [[...RUN, '--api-key-env', key], {}, /--api-key-env must be the name of an environment variable/],
  [[...RUN, '--base-url', MINE], {}, /contains a user name or password|is not a URL/],
  [RUN, { ASSIST_API_KEY: 'two\nlines of Zx9' }, /the key in ASSIST_API_KEY contains white space/],
  [[OWN], owned, /Unknown command/],
  [['run', `--${OWN}`], owned, /unknown option/],
  [['run', OWN, '--api-key-env', 'DESK_KEY'], owned, MASKED],
  [['run', `--${OWN}`, '--api-key-env=DESK_KEY'], { DESK_KEY: OWN }, /unknown option/],
])('a key typed in the wrong place is rejected without being printed: %#', async (words, own, said) => {
  const env = { ASSIST_BASE_URL: 'http://127.0.0.1:9', ASSIST_API_KEY: 'another-key-0123', ...own }
  const { code, screen } = await runResident(words, { cwd: folder, env })
  expect([code, screen]).toEqual([2, expect.stringMatching(said)])
  expectNoKey(screen, 'the output', [...forms, OWN])
})

describe('commands that need no key mask the key of the environment', () => {
  /** Expects the masked key in the output, and not the key. */
  async function expectMasked(line: string, variable = 'ASSIST_API_KEY'): Promise<number | null> {
    const { code, screen } = await runLine(line, { [variable]: OWN })
    expect(screen, line).toMatch(MASKED)
    expectNoKey(screen, line, [OWN])
    return code
  }

  beforeAll(async () => {
    put('own.csv', `message,thread,turn\nHow?,a,${OWN}\n`)
    put('asked.csv', 'message\nHow?\n')
    put('reviews.csv', `id,answer,review,note\nq1,An answer,${OWN},\n`)
    // Sent with another key: the current one is a part of a folder's name.
    await withEndpoint(undefined, async ({ url }) => {
      const send = `run asked.csv --base-url ${url} --rate unlimited`
      const then = { DESK_KEY: 'key-of-then-0123456789' }
      for (const out of [`nights/${OWN}`, 'nights/two'])
        await expectExit(0, `${send} --api-key-env DESK_KEY --out ${out}`, then)
      await expectExit(0, `${send} --out hidden`, { ASSIST_API_KEY: OWN })
    })
    // The sandbox has its own key, and its runs name no variable.
    await expectExit(0, 'run asked.csv --sandbox --out sandboxed', { ASSIST_API_KEY: OWN })
  })

  test.each(['ASSIST_API_KEY', 'DESK_KEY'])('in names of folders, with the key in %s', async (variable) => {
    await expectMasked(`compare nights/${OWN} nights/two --out of-${variable}`, variable)
    // history reads only summaries, which name no variable.
    if (variable === 'ASSIST_API_KEY') await expectMasked(`history nights --out history-${OWN}`)
    await expectMasked(`merge nights/${OWN} nights/two --out joined`, variable)
    await expectMasked(`report nights/${OWN}`, variable)
  })

  test.each([
    'validate own.csv --json',
    'estimate own.csv',
    'report hidden --reviews reviews.csv',
    'report sandboxed --reviews reviews.csv',
  ])('in a file: %s', async (line) => {
    expect(await expectMasked(line)).toBe(2)
  })
})

test('a run can be resumed with a key that its folder is named after', async () => {
  put('two.csv', 'message\nHow?\nWhy?\n')
  await withEndpoint(undefined, async ({ url }) => {
    const send = `run two.csv --base-url ${url} --rate unlimited --out ${OWN} --max-calls 1`
    await expectExit(4, send, { ASSIST_API_KEY: 'another-key-0123' })
    const { screen } = await expectExit(0, `run --resume ${OWN} --max-calls 9`, { ASSIST_API_KEY: OWN })
    expectNoKey(screen, 'the output', [OWN])
  })
})

test('a key in the name of a file, a column or an option is masked in the run folder', async () => {
  put(`in-${OWN}/set.csv`, `message,of ${OWN}\nHow?,x\n`)
  await withEndpoint(undefined, async ({ url }) => {
    const line = `run in-${OWN}/set.csv --base-url ${url} --organization ${OWN} --out named`
    const { screen } = await expectExit(0, line, { ASSIST_API_KEY: OWN })
    expectNoKey(screen, 'the output', [OWN])
  })
  for (const name of readdirSync(at('named'))) expectNoKey(read('named', name), name, [OWN])
})
