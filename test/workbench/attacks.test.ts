// Protects the workbench: who may use it, and what it gives and takes.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { realPorts, run } from '../../src/library/index.ts'
import { startEndpoint } from '../support/endpoint.ts'
import { temporaryPaths } from '../support/temporary.ts'
import { openWorkbench, type Sent, startOf } from '../support/workbench.ts'
import { declareSize, textRow, workbookOf } from '../support/workbook.ts'
import { recordedFolder } from '../recorded/cases.ts'
import { unpackRecorded } from '../recorded/run-case.ts'

const pathOf = temporaryPaths()
const SECRET = 'not-for-the-page'
const ACTIONS =
  '/api/review /api/decide /api/name /api/compare /api/report /api/start /api/stop /api/resume /api/again ' +
  '/api/ask /api/set /api/set/add /api/set/undo /api/upload'

/** A folder with a run in it, and a secret beside it. */
function makeFolder(): string {
  const folder = join(pathOf(), 'reports')
  mkdirSync(folder, { recursive: true })
  unpackRecorded(join(recordedFolder, 'repeats/run'), join(folder, 'night'))
  writeFileSync(join(dirname(folder), 'secret.csv'), `message\n${SECRET}\n`)
  return folder
}

describe('who may use it', () => {
  const json = { 'content-type': 'application/json' }
  const rating = {
    run: 'night',
    id: 'q1',
    message: 'm',
    answer: 'a',
    review: 'good',
    note: '',
    reviewer: 'x',
  }
  const body = JSON.stringify(rating)
  const post = (headers: Sent['headers']): Sent => ({ method: 'POST', body, headers: headers ?? {} })

  test.each<[string, string, Sent, number]>([
    ['the page', '/', {}, 200],
    ['its script', '/client.js', {}, 200],
    ['what the page asks for', '/api/runs', {}, 200],
    ['what the page changes', '/api/review', post(json), 200],
    ['no token', '/', { headers: { cookie: undefined } }, 401],
    ['no token for data', '/api/runs', { headers: { cookie: undefined } }, 401],
    ['no token for a file', '/file?todo', { headers: { cookie: undefined } }, 401],
    ['no token for a change', '/api/review', post({ ...json, cookie: undefined }), 401],
    ['another token', '/?token=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', { headers: { cookie: undefined } }, 401],
    ['a cookie of another value', '/api/runs', { headers: { cookie: 'assist_harness=1' } }, 401],
    ['another host: DNS rebinding', '/api/runs', { headers: { host: 'evil.example' } }, 403],
    ['another port', '/api/runs', { headers: { host: '127.0.0.1:1' } }, 403],
    ['another host for the token', '/', { headers: { host: 'evil.example', cookie: undefined } }, 403],
    ['another origin', '/api/review', post({ ...json, origin: 'https://evil.example' }), 403],
    ['an origin without a name', '/api/review', post({ ...json, origin: 'null' }), 403],
    ['another site', '/api/runs', { headers: { 'sec-fetch-site': 'cross-site' } }, 403],
    ['a page of another port', '/api/runs', { headers: { 'sec-fetch-site': 'same-site' } }, 403],
    ['a form as text', '/api/review', post({ 'content-type': 'text/plain' }), 415],
    ['a form', '/api/review', post({ 'content-type': 'application/x-www-form-urlencoded' }), 415],
    ['a form with a file', '/api/upload?name=a.csv', post({ 'content-type': 'multipart/form-data' }), 415],
    ['no type', '/api/review', post({}), 415],
    ['what is no JSON', '/api/review', { method: 'POST', headers: json, body: '{' }, 400],
    ['another shape', '/api/review', { method: 'POST', headers: json, body: '{"run":1}' }, 400],
    ['another address', '/api/secrets', {}, 404],
    ['another method', '/api/runs', { method: 'DELETE', headers: json }, 404],
  ])('%s: %s', async (_, path, sent, status) => {
    const workbench = await openWorkbench(makeFolder())
    const answer = await workbench.ask(path, sent)
    expect(answer.status, answer.text).toBe(status)
    if (status !== 200) expect(answer.text).not.toContain('night')
    expect(workbench.faults).toEqual([])
  })

  test('the token of an earlier workbench, and its cookie, are worth nothing', async () => {
    const folder = makeFolder()
    const before = await openWorkbench(folder)
    await before.close()
    const after = await openWorkbench(folder)
    const old = new URL(before.url)
    expect((await after.ask(`/${old.search}`, { headers: { cookie: undefined } })).status).toBe(401)
    const value = before.cookie.split('=')[1] ?? ''
    const name = after.cookie.split('=')[0] ?? ''
    expect((await after.ask('/api/runs', { headers: { cookie: `${name}=${value}` } })).status).toBe(401)
  })

  test('the cookie is for this site and for no script; the policy lets no other script in', async () => {
    const workbench = await openWorkbench(makeFolder())
    const opened = await workbench.ask(workbench.url.slice(workbench.origin.length))
    expect(String(opened.headers['set-cookie'])).toMatch(/HttpOnly.*SameSite=Strict/)
    expect(opened.headers['location']).toBe('/')
    const { headers } = await workbench.ask('/')
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'")
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })

  test('it listens on this machine alone', async () => {
    const { origin } = await openWorkbench(makeFolder())
    await expect(fetch(origin.replace('127.0.0.1', '127.0.0.2'))).rejects.toThrow('fetch failed')
  })

  test('read-only: it shows everything, and changes and sends nothing', async () => {
    const folder = makeFolder()
    const workbench = await openWorkbench(folder, { isReadOnly: true })
    expect((await workbench.ask('/api/run?path=night')).status).toBe(200)
    for (const path of ACTIONS.split(' ')) expect((await workbench.post(path, {})).status, path).toBe(403)
    expect(existsSync(join(folder, '.workbench.json'))).toBe(false)
  })

  test('read-only beside a workbench that may change the folder: it leads to itself, and leaves the other', async () => {
    const folder = makeFolder()
    const writing = await openWorkbench(folder)
    const reading = await openWorkbench(folder, { isReadOnly: true })
    expect(reading.origin).not.toBe(writing.origin)
    expect((await reading.post('/api/review', {})).status).toBe(403)
    await reading.close()
    expect(existsSync(join(folder, '.workbench.json'))).toBe(true)
  })
})

describe('the note by which a second view finds the first', () => {
  const noteOf = (folder: string): string => join(folder, '.workbench.json')
  const originOf = async (folder: string): Promise<string> => (await openWorkbench(folder)).origin
  test('leads to the first from the folder itself, and from a link to it', async () => {
    const folder = makeFolder()
    const { origin } = await openWorkbench(folder)
    const link = join(dirname(folder), 'link')
    symlinkSync(folder, link)
    expect([await originOf(folder), await originOf(link)]).toEqual([origin, origin])
  })

  test.each<[string, change: (folder: string) => unknown, suffix?: string]>([
    ['a copy of the folder', (folder) => cpSync(folder, `${folder}-2`, { recursive: true }), '-2'],
    ['the folder under another name', (folder) => renameSync(folder, `${folder}-2`), '-2'],
    ['a note that others can read', (folder) => chmodSync(noteOf(folder), 0o644)],
    // It answers everything as a workbench answers its token.
    [
      'a port that belongs to another program by now',
      async (folder) => {
        const other = createServer((_, response) => response.writeHead(303, { location: '/' }).end())
        await once(other.listen(0, '127.0.0.1'), 'listening')
        onTestFinished(() => void other.close())
        const { port } = other.address() as AddressInfo
        writeNote(folder, { url: `http://127.0.0.1:${port}/?token=t` })
      },
    ],
    ['a process that is gone', (folder) => writeNote(folder, { pid: spawnSync('true').pid })],
    ['a process that started later', (folder) => writeNote(folder, { startedAt: '2026-11-27T00:00:00Z' })],
    ['an address off this machine', (folder) => writeNote(folder, { url: 'https://desk.example.com/' })],
    ['a note of an earlier version', (folder) => writeNote(folder, { folder: undefined })],
  ])('leads nowhere from %s', async (_, change, suffix = '') => {
    const folder = makeFolder()
    const first = await openWorkbench(folder)
    await change(folder)
    const changed = folder + suffix
    const second = await openWorkbench(changed)
    expect(second.origin).not.toBe(first.origin)
    expect(readFileSync(noteOf(changed), 'utf8')).toContain(second.origin)
    expect(statSync(noteOf(changed)).mode & 0o077).toBe(0)
    // The end of one that another has followed leaves the other's note.
    await first.close()
    expect(existsSync(noteOf(changed))).toBe(true)
  })

  test.skipIf(process.getuid?.() !== 0)('leads nowhere from a note of another user', async () => {
    const folder = makeFolder()
    const { origin } = await openWorkbench(folder)
    chownSync(noteOf(folder), 12_345, 12_345)
    expect(await originOf(folder)).not.toBe(origin)
  })

  function writeNote(folder: string, change: Readonly<Record<string, unknown>>): void {
    const note = JSON.parse(readFileSync(noteOf(folder), 'utf8')) as object
    writeFileSync(noteOf(folder), JSON.stringify({ ...note, ...change }))
  }
})

describe('paths stay in the folder', () => {
  const paths = [
    '..',
    '../secret.csv',
    'night/../../secret.csv',
    '%2e%2e/secret.csv',
    '..%2fsecret.csv',
    '..%5csecret.csv',
    '..\\secret.csv',
    '/etc/passwd',
    'night\0',
    'linked.csv',
    'linked/secret.csv',
    'linked/new.csv',
  ]

  test.each(paths)('%j', async (path) => {
    const folder = makeFolder()
    symlinkSync(join(folder, '..', 'secret.csv'), join(folder, 'linked.csv'))
    symlinkSync(dirname(folder), join(folder, 'linked'))
    const workbench = await openWorkbench(folder)
    const before = readFileSync(join(folder, '..', 'secret.csv'), 'utf8')
    const encoded = encodeURIComponent(path)
    const answers = [
      await workbench.ask(`/api/run?path=${encoded}`),
      await workbench.ask(`/api/set?path=${encoded}`),
      await workbench.ask(`/file?path=${encoded}`),
      // As a client that encodes nothing sends it.
      ...(/[\0\\]/.test(path) ? [] : [await workbench.ask(`/file?path=${path}/results.csv`)]),
      await workbench.post('/api/set', { path, columns: ['message'], rows: [['How?']], digest: null }),
      await workbench.post('/api/set/add', { path, cells: { message: 'How?' } }),
      await workbench.post('/api/set/undo', { path, digest: '', isNew: true }),
      await workbench.post('/api/name', { run: path, name: 'x' }),
      await workbench.decide({ run: path, id: 'q1' }),
      await workbench.post('/api/report', { run: path }),
      await workbench.post('/api/resume', { run: path, maxCalls: null }),
      await workbench.post('/api/again', { run: path, ids: ['q1'], target: 'sandbox' }),
      await workbench.post('/api/compare', { baseline: 'night', candidate: path }),
      await workbench.post('/api/start', startOf(path)),
      await workbench.rate({ run: path, id: 'q1' }),
    ]
    // A name with percent signs is one in the folder: it may be made there.
    const isName = path.includes('%')
    for (const { status, text } of answers) {
      expect(status === 400 || isName, `${status} ${text}`).toBe(true)
      expect(text).not.toContain(SECRET)
    }
    expect(readFileSync(join(folder, '..', 'secret.csv'), 'utf8')).toBe(before)
    for (const name of ['reviews.csv', 'decisions.csv', 'name.txt', 'new.csv'])
      expect(existsSync(join(folder, '..', name)), name).toBe(false)
    expect(workbench.faults).toEqual([])
  })

  test.each([
    ['../../evil.csv', 'sets/evil.csv'],
    ['.hidden.csv', 'sets/hidden.csv'],
    ['a/b\\c:d?.csv', 'sets/b-c-d-.csv'],
    ['.csv', undefined],
    ['run.json', undefined],
    ['page.html', undefined],
  ])('an upload named %s becomes %s', async (name, path) => {
    const workbench = await openWorkbench(makeFolder())
    const { status, text } = await upload(workbench, name, 'message\nHow?\n')
    if (path === undefined) expect(status, text).toBe(400)
    else expect(JSON.parse(text)).toEqual({ path })
  })
})

type Workbench = Awaited<ReturnType<typeof openWorkbench>>

const upload = async ({ ask, origin }: Workbench, name: string, body: string | Uint8Array) =>
  ask(`/api/upload?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', origin },
    body,
  })

describe('what it takes', () => {
  test('20 MB at most', async () => {
    const workbench = await openWorkbench(makeFolder())
    const { status, text } = await upload(workbench, 'large.csv', new Uint8Array(25 * 1024 * 1024))
    expect(status).toBe(413)
    expect(text).toContain('20 MB')
    expect(existsSync(join(dirname(workbench.url), 'sets'))).toBe(false)
  })

  test('a workbook that unpacks to gigabytes is a fault of it', async () => {
    const workbench = await openWorkbench(makeFolder())
    const book = workbookOf({ S: textRow('message') + textRow('How?') })
    const bomb = declareSize(book, 'xl/worksheets/sheet0.xml', 4e9)
    expect((await upload(workbench, 'bomb.xlsx', bomb)).text).toBe('{"path":"sets/bomb.xlsx"}')
    const set = await workbench.ask('/api/set?path=sets/bomb.xlsx')
    expect(set.status).toBe(200)
    expect(set.text).toContain('unpacks to 4,000 MB')
  })

  test('a set that another tab has saved meanwhile is not overwritten', async () => {
    const folder = makeFolder()
    writeFileSync(join(folder, 'set.csv'), 'message\nHow?\n')
    const workbench = await openWorkbench(folder)
    const { digest } = await workbench.json<{ digest: string }>('/api/set?path=set.csv')
    const save = async (message: string) =>
      workbench.post('/api/set', { path: 'set.csv', columns: ['message'], rows: [[message]], digest })
    expect((await save('Why?')).status).toBe(200)
    const second = await save('When?')
    expect(second.status).toBe(400)
    expect(second.text).toContain('set.csv has been changed meanwhile')
    expect(readFileSync(join(folder, 'set.csv'), 'utf8')).toBe('message\nWhy?\n')
  })

  test('a name that is taken gets a number: no file is overwritten', async () => {
    const workbench = await openWorkbench(makeFolder())
    await upload(workbench, 'set.csv', 'message\nHow?\n')
    const { text } = await upload(workbench, 'set.csv', 'message\nWhy?\n')
    expect(JSON.parse(text)).toEqual({ path: 'sets/set-2.csv' })
  })
})

test('the key is in no response, though the endpoint repeats it', async () => {
  const key = 'secret-key-0123456789'
  const endpoint = await startEndpoint(({ response }) => {
    const reply = { conversationId: key, message: `Your key is ${key}.`, status: key, contextSource: key }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(reply))
    return true
  })
  const folder = makeFolder()
  mkdirSync(join(folder, 'sets'))
  writeFileSync(join(folder, 'sets/set.csv'), `message\nHow?\nWhat is ${key}?\n`)
  const env = { ASSIST_BASE_URL: endpoint.url, ASSIST_API_KEY: key }
  const workbench = await openWorkbench(folder, { env })
  const start = startOf('sets/set.csv', { target: 'default', maxCalls: 10 })
  const path = await workbench.make('/api/start', start)
  await workbench.reported(path)
  const question = { target: 'default', conversation: null, message: `Is it ${key}?` }
  const asked = await workbench.post('/api/ask', question)
  const texts = [{ text: path }, asked]
  const data = `/api/session /api/runs /api/run?path=${path} /api/set?path=sets/set.csv /api/run?path=nowhere /api/todo`
  for (const address of `${data} /file?path=${path}/results.csv /file?todo`.split(' '))
    texts.push(await workbench.ask(address))
  for (const { text } of texts) {
    expect(text).not.toContain(key)
    // Blocks of turns are packed.
    for (const [packed] of text.matchAll(/H4sI[A-Za-z0-9+/=]+/g))
      expect(gunzipSync(Buffer.from(packed, 'base64')).toString()).not.toContain(key)
  }
  expect(asked.status, asked.text).toBe(200)
  expect(texts.some(({ text }) => /H4sI/.test(text))).toBe(true)
})

test('the key of a run is masked in the set and in all that is said when its questions are asked again', async () => {
  const key = 'night-key-0123456789'
  const folder = makeFolder()
  writeFileSync(join(folder, 'set.csv'), `id,thread,message\nq1,t,What is ${key}?\nq2,t,Why?\n`)
  const endpoint = await startEndpoint(({ response }) => {
    const reply = { conversationId: 'c', message: 'Yes.', status: 'success', contextSource: 'MODEL' }
    response.end(JSON.stringify(reply))
    return true
  })
  // It was another key then: the record holds the words as they were.
  const night = { datasets: [join(folder, 'set.csv')], baseUrl: endpoint.url, apiKeyEnv: 'KEY_OF_NIGHT' }
  const env = { KEY_OF_NIGHT: 'an-older-key-0123' }
  await run({ ...night, rate: 'unlimited', out: join(folder, 'nightly') }, { ...realPorts(), env })
  const workbench = await openWorkbench(folder, { env: { KEY_OF_NIGHT: key } })
  await workbench.make('/api/again', { run: 'nightly', ids: ['q2'], target: 'sandbox' })
  const none = await workbench.post('/api/again', { run: 'nightly', ids: [key], target: 'sandbox' })
  expect(none.status).toBe(400)
  expect(none.text).not.toContain(key)
  const [set = ''] = readdirSync(join(folder, 'sets'))
  const text = readFileSync(join(folder, 'sets', set), 'utf8')
  expect(text).toContain('What is [key ')
  expect(text).not.toContain(key)
})
