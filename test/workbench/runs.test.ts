// Protects runs in the workbench: its own from start to end, those of other processes, and what it may spend.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ListedRun } from '../../src/domain/listed-run.ts'
import * as library from '../../src/library/index.ts'
import type { WorkbenchSession } from '../../src/workbench/api.ts'
import { Budget } from '../../src/workbench/budget.ts'
import { startEndpoint } from '../support/endpoint.ts'
import { KEY_ENV, startProgram } from '../support/program.ts'
import { temporaryPaths } from '../support/temporary.ts'
import {
  hearEvents,
  openWorkbench,
  type OpenWorkbench,
  rowsIn,
  runOnSandbox,
  startOf,
} from '../support/workbench.ts'

const pathOf = temporaryPaths()

function makeFolder(questions: number): string {
  const folder = pathOf()
  mkdirSync(join(folder, 'sets'), { recursive: true })
  const rows = Array.from({ length: questions }, (_, index) => `q${index},Question ${index}?`)
  writeFileSync(join(folder, 'sets/set.csv'), ['id,message', ...rows, ''].join('\n'))
  return folder
}

const start = startOf('sets/set.csv', { target: 'default', maxCalls: 100 })

/** Answers the first calls at once, and the others when they are let go. */
async function heldEndpoint(atOnce: number) {
  let letGo = (): void => undefined
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const endpoint = await startEndpoint(({ number, response }) => {
    const answer = (): void => void response.end(replyOf(number))
    if (number <= atOnce) answer()
    else void held.then(answer)
    return true
  })
  return { endpoint, letGo }
}

const replyOf = (number: number): string =>
  JSON.stringify({ conversationId: `c${number}`, message: 'Yes.', status: 'success', contextSource: 'MODEL' })

const WAIT = { timeout: 30_000 }

describe('a run of its own', () => {
  test('moves while it runs, keeps everything when it is stopped, and is resumed to its end', async () => {
    const { endpoint, letGo } = await heldEndpoint(6)
    const folder = makeFolder(40)
    const env = { ...KEY_ENV, ASSIST_BASE_URL: endpoint.url }
    const options = { concurrency: 2, rate: 'unlimited' }
    const workbench = await openWorkbench(folder, { env, maxCalls: 40, options })
    const path = await workbench.make('/api/start', { ...start, maxCalls: 40 })
    await expect.poll(async () => (await workbench.viewOf(path)).run.live?.done, WAIT).toBe(6)
    const { run, isOwn, report } = await workbench.viewOf(path)
    expect({ state: run.state, isOwn, report }).toEqual({ state: 'running', isOwn: true, report: null })
    expect(run.live).toMatchObject({ total: 40, grounded: 0, errors: 0, rateLimited: 0 })
    expect(run.live?.gaps[0]?.message).toMatch(/^Question \d+\?$/)

    expect((await workbench.post('/api/stop', { run: path })).status).toBe(200)
    letGo()
    expect((await workbench.reported(path)).run).toMatchObject({ state: 'interrupted', live: null })
    expect(endpoint.calls.length).toBeLessThan(40)

    // Of the budget, only what the first session left is reserved.
    await workbench.make('/api/resume', { run: path, maxCalls: 40 })
    expect((await workbench.reported(path)).run.state).toBe('complete')
    // Nothing was sent twice.
    expect(endpoint.calls.map(({ body }) => body.message).toSorted()).toEqual(
      Array.from({ length: 40 }, (_, index) => `Question ${index}?`).toSorted(),
    )
    expect(workbench.faults).toEqual([])
  })

  test('a set with faults, a missing key and a missing target are said before the first call', async () => {
    const folder = makeFolder(1)
    writeFileSync(join(folder, 'sets/faulty.csv'), 'id,message\nq1,How?\nq1,Why?\n')
    const workbench = await openWorkbench(folder, { env: { ASSIST_BASE_URL: 'http://127.0.0.1:9' } })
    for (const [request, said] of [
      [
        { ...start, set: 'sets/faulty.csv', target: 'sandbox' },
        'sets/faulty.csv:3: the id \\"q1\\" is already in line 2',
      ],
      [start, 'the key is missing'],
      [{ ...start, target: 'nowhere' }, 'nowhere is none of the targets'],
      [{ ...start, set: 'sets/none.csv' }, 'there is no file sets/none.csv'],
    ] as const) {
      const { status, text } = await workbench.post('/api/start', request)
      expect(status, text).toBe(400)
      expect(text).toContain(said)
      expect(text).not.toContain(folder)
    }
  })
})

test('a target without an address sends nothing, and its key goes to no other desk', async () => {
  const { endpoint } = await heldEndpoint(9)
  const env = { ...KEY_ENV, ASSIST_BASE_URL: endpoint.url, KEY_B: 'key-of-desk-b-0123456789' }
  const targets = [{ name: 'b', apiKeyEnv: 'KEY_B' }]
  const options = { baseUrl: endpoint.url }
  const workbench = await openWorkbench(makeFolder(1), { env, options, targets })
  expect((await workbench.ask('/api/session')).text).toContain('Add its baseUrl to the config file')
  for (const target of ['b', 'default']) {
    for (const [path, request] of [
      ['/api/start', { ...start, target, maxCalls: 9 }],
      ['/api/ask', { ...ask, target }],
    ] as const) {
      const { status, text } = await workbench.post(path, request)
      expect([status, text]).toEqual([
        400,
        expect.stringMatching(/target b has no baseUrl|default is none of the targets/) as unknown,
      ])
    }
  }
  expect(endpoint.calls).toEqual([])
})

test('a run is named without a change to what it records, and an empty name gives that of its folder', async () => {
  const folder = makeFolder(1)
  const workbench = await openWorkbench(folder)
  const path = await workbench.make('/api/start', { ...start, target: 'sandbox' })
  expect((await workbench.reported(path)).run.state).toBe('complete')
  const record = () => readFileSync(join(folder, path, 'run.json'), 'utf8')
  const before = record()
  const named = async (name: string): Promise<string> => {
    expect((await workbench.post('/api/name', { run: path, name })).status).toBe(200)
    return (await workbench.json<ListedRun[]>('/api/runs'))[0]?.name ?? ''
  }
  expect(await named('')).toBe(path)
  expect(await named('  before the\nleave edit ')).toBe('before the leave edit')
  expect(await named(' ')).toBe(path)
  expect([record(), existsSync(join(folder, path, 'name.txt'))]).toEqual([before, false])
  expect((await workbench.post('/api/name', { run: 'sets', name: 'x' })).status).toBe(400)
})

test('file pickers offer sets: no tickets, decisions, reviews, nor what was asked again', async () => {
  const folder = makeFolder(1)
  const files = {
    'again-night.csv': 'id,message\nq1,How?\n',
    'decisions.csv': 'id,message,article\nq1,How?,none\n',
    'rated.csv': 'id,message,answer,review\nq1,How?,So.,good\n',
    'tickets.csv': 'Ticket ID,Subject,Description\n1,Help,How?\n',
    'mails.csv': 'subject,text\nHelp,How?\n',
    'set.previous.csv': 'message\nHow?\n',
    'damaged.xlsx': 'none',
    'other-tool.csv': 'question,answer\nHow?,So.\n',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'sets', name), text)
  const workbench = await openWorkbench(folder)
  const sets = async () => (await workbench.json<WorkbenchSession>('/api/session')).sets
  expect(await sets()).toEqual(['sets/other-tool.csv', 'sets/set.csv', 'shipped/quickstart.csv'])
  writeFileSync(join(folder, 'sets/tickets.csv'), 'Ticket ID,Question\n1,How?\n')
  expect(await sets()).toContain('sets/tickets.csv')
})

test('the config file, or the run, says which columns of a set hold what', async () => {
  const folder = makeFolder(1)
  const set = join(folder, 'anliegen.csv')
  writeFileSync(set, 'Nr;Anliegen\nvpn;How do I set up the VPN?\n')
  const column = ['message=Anliegen', 'id=Nr']
  const add = { path: 'anliegen.csv', cells: { id: 'vpn', message: 'How do I set up the VPN?' } }
  const header = (): string | undefined => readFileSync(set, 'utf8').split('\n')[0]
  const opened = await openWorkbench(folder, { options: { column } })
  const { sets } = await opened.json<WorkbenchSession>('/api/session')
  expect(sets).toContain('anliegen.csv')
  for (const [path, columns] of [
    ['anliegen.csv', column],
    ['sets/set.csv', []],
  ] as const)
    expect(await opened.json(`/api/set?path=${path}`)).toMatchObject({ columns, faults: [] })
  const path = await opened.make('/api/start', startOf('anliegen.csv'))
  expect((await opened.reported(path)).run.state).toBe('complete')
  await opened.make('/api/set/add', { ...add, columns: [], cells: { ...add.cells, tags: 'a' } })
  expect(header()).toBe('Nr;Anliegen;tags')
  await opened.close()

  // What was chosen for a run is known when its set is opened again, without the config file.
  const other = await openWorkbench(folder)
  expect(await other.json('/api/session')).toMatchObject({ sets })
  expect(await other.json('/api/set?path=anliegen.csv')).toMatchObject({ columns: column, faults: [] })
  const { columns } = await other.viewOf(path)
  await other.make('/api/set/add', { ...add, columns, cells: { ...add.cells, expect_contains: 'x' } })
  expect(header()).toBe('Nr;Anliegen;tags;expect_contains')
  await other.close()

  // What the config file names is expected, too.
  writeFileSync(set, 'Nr;Anliegen;Muss\nvpn;How do I set up the VPN?;gate\n')
  const third = await openWorkbench(folder, { options: { column: [...column, 'expect_contains=Muss'] } })
  expect((await third.viewOf(path)).expected).toEqual({ vpn: ['gate'] })
})

test('a run that is compared with another lies beside it, where its decisions are', async () => {
  const folder = makeFolder(2)
  const night = join(folder, 'reports/night')
  await runOnSandbox(join(folder, 'sets/set.csv'), night)
  const decided = { id: 'q0', message: 'Question 0?', article: null }
  await library.addDecision(night, { ...decided, by: 'Kim', at: '2026-03-02' })
  const workbench = await openWorkbench(folder)
  const again = { run: 'reports/night', ids: ['q0'], target: 'sandbox' }
  const compared = startOf('sets/set.csv', { baseline: 'reports/night' })
  for (const [action, body] of [
    ['/api/again', again],
    ['/api/start', compared],
  ] as const) {
    const path = await workbench.make(action, body)
    expect(path).toMatch(/^reports\//)
    expect((await workbench.reported(path)).run.state).toBe('complete')
    expect((await workbench.viewOf(path)).decisions).toMatchObject([{ id: 'q0', article: null }])
  }
})

test('the first run of a set goes where `run` puts its own: into reports, if the folder is that of the project', async () => {
  const folder = makeFolder(1)
  const body = startOf('sets/set.csv')
  const project = await openWorkbench(folder, { ports: { ...library.realPorts(), cwd: folder } })
  const path = await project.make('/api/start', body)
  expect(path).toMatch(/^reports\/[^/]+-set$/)
  await project.close()
  const other = await openWorkbench(folder)
  expect(await other.make('/api/start', body)).toMatch(/^[^/]+-set$/)
  // Beside a run that is the folder itself would be outside of it.
  const run = await openWorkbench(join(folder, path))
  const again = { run: '.', ids: ['q0'], target: 'sandbox' }
  expect(await run.make('/api/again', again)).toMatch(/^[^/]+-again-[^/]+$/)
})

const ask = { target: 'sandbox', conversation: null, message: 'How do I reset my password?' }

/** Asks a first question, and gives the conversation. */
const begin = async ({ post }: OpenWorkbench): Promise<string> =>
  (JSON.parse((await post('/api/ask', ask)).text) as { conversation: string }).conversation

describe('the budget of the session', () => {
  /** Off this machine, as far as it knows; nothing is sent there. */
  const away = { name: 'away', baseUrl: 'https://desk.example.com', apiKeyEnv: 'ASSIST_API_KEY' }

  test.each<[string, number | undefined, number | null, string]>([
    ['needs a budget off this machine', undefined, null, 'Give the run a budget'],
    ['has 200 calls by default', undefined, 201, 'has 200 calls left, and 201 are wanted'],
    ['has as many as --max-calls says', 5, 6, 'has 5 calls left, and 6 are wanted'],
  ])('%s', async (_, maxCalls, wanted, said) => {
    const workbench = await openWorkbench(makeFolder(3), { env: KEY_ENV, targets: [away], maxCalls })
    const body = { ...start, target: 'away', maxCalls: wanted }
    const { status, text } = await workbench.post('/api/start', body)
    expect([status, text]).toEqual([400, expect.stringContaining(said)])
  })

  test('gives what is left where that is enough', () => {
    const budget = new Budget(
      5,
      () => true,
      () => undefined,
    )
    expect(budget.reserve('away', 10, 1).max).toBe(5)
    expect(() => budget.reserve('away', 10, 1)).toThrow('has 0 calls left, and 1 are wanted')
  })

  test('counts runs, questions, and the sandbox, too, where --max-calls is given', async () => {
    const workbench = await openWorkbench(makeFolder(3), { maxCalls: 5 })
    const calls = async () => (await workbench.json<WorkbenchSession>('/api/session')).calls
    const path = await workbench.make('/api/start', { ...start, target: 'sandbox', maxCalls: 3 })
    expect((await workbench.reported(path)).run.state).toBe('complete')
    await expect.poll(calls, WAIT).toEqual({ made: 3, max: 5 })
    const conversation = await begin(workbench)
    expect((await workbench.post('/api/ask', { ...ask, conversation })).status).toBe(200)
    expect(await calls()).toEqual({ made: 5, max: 5 })
    const refused = await workbench.post('/api/ask', { ...ask, conversation })
    expect(refused.text).toContain('has 0 calls left, and 1 are wanted')
  })
})

test('a conversation goes on as it was, or not at all: no question is asked without those before it', async () => {
  const { endpoint } = await heldEndpoint(9)
  const workbench = await openWorkbench(makeFolder(1), {
    env: { ...KEY_ENV, ASSIST_BASE_URL: endpoint.url },
  })
  const conversation = await begin(workbench)
  for (const other of [{ conversation: 'of an earlier workbench' }, { conversation, target: 'default' }]) {
    const { status, text } = await workbench.post('/api/ask', { ...ask, ...other })
    expect([status, text]).toEqual([400, expect.stringContaining('This conversation has ended.') as unknown])
  }
  expect(endpoint.calls).toEqual([])
  expect((await workbench.post('/api/ask', { ...ask, conversation })).status).toBe(200)
  // A new one at its target ends it.
  expect((await workbench.post('/api/ask', ask)).status).toBe(200)
  expect((await workbench.post('/api/ask', { ...ask, conversation })).status).toBe(400)
})

test('questions that are asked again twice within a second have a set and a run each', async () => {
  const folder = makeFolder(1)
  const { endpoint } = await heldEndpoint(99)
  const env = { ...KEY_ENV, ASSIST_BASE_URL: endpoint.url }
  const workbench = await openWorkbench(folder, { env })
  const run = await workbench.make('/api/start', start)
  expect((await workbench.reported(run)).run.state).toBe('complete')
  const again = async () => workbench.make('/api/again', { run, ids: ['q0'], target: 'default' })
  const paths = await Promise.all([again(), again()])
  expect(new Set(paths).size).toBe(2)
  // A question that is not there leaves no set behind.
  const none = await workbench.post('/api/again', { run, ids: ['nowhere'], target: 'default' })
  expect([none.status, readdirSync(join(folder, 'sets')).length]).toEqual([400, 3])
  for (const path of paths) expect((await workbench.reported(path)).run.state).toBe('complete')
  expect(readdirSync(join(folder, 'sets')).filter((name) => name.startsWith('again-'))).toHaveLength(2)
})

test('the sandbox answers what is asked again from the articles of the run, wherever they are', async () => {
  const [folder, kb, other] = [makeFolder(0), pathOf(), pathOf()]
  const set = join(folder, 'sets/parking.csv')
  writeFileSync(set, 'id,message\nq1,Where do I park my car?\n')
  for (const [path, place] of [
    [kb, 'garage seven'],
    [other, 'the yard'],
  ] as const) {
    mkdirSync(path)
    writeFileSync(join(path, 'parking.md'), `# Where to park your car\n\nPark your car in ${place}.\n`)
  }
  for (const [out, articles] of [
    ['own', { kb }],
    ['shipped', {}],
  ] as const)
    await runOnSandbox(set, join(folder, out), articles)
  // The workbench itself answers from others.
  const workbench = await openWorkbench(folder, { kb: other })
  const again = (of: string) => ({ run: of, ids: ['q1'], target: 'sandbox' })
  for (const of of ['own', 'shipped']) {
    const path = await workbench.make('/api/again', again(of))
    await workbench.reported(path)
    const answers = [path, of].map((out) => rowsIn(join(folder, out, 'results.csv'))[0]?.['answer'])
    expect(answers[0]).toBe(answers[1])
    expect(answers[0]?.includes('garage seven')).toBe(of === 'own')
  }
  // Where they are gone, it says so, and leaves no set.
  rmSync(kb, { recursive: true })
  const { status, text } = await workbench.post('/api/again', again('own'))
  expect([status, text]).toEqual([
    400,
    expect.stringContaining(`The articles of this run are gone. Restore ${kb},`),
  ])
  expect(readdirSync(join(folder, 'sets')).filter((name) => name.startsWith('again-'))).toHaveLength(2)
})

test('a conversation that is being opened when the workbench ends sends nothing, and leaves nothing open', async () => {
  const { endpoint } = await heldEndpoint(9)
  const env = { ...KEY_ENV, ASSIST_BASE_URL: endpoint.url }
  const real = library.realPorts()
  let [isOpening, letGo] = [false, (): void => undefined]
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const closed: string[] = []
  const connect: typeof real.connect = async (options) => {
    isOpening = true
    await held
    const client = await real.connect(options)
    return {
      ...client,
      close: async () => {
        closed.push('client')
        await client.close()
      },
    }
  }
  const workbench = await openWorkbench(makeFolder(1), { ports: { ...real, env, connect } })
  const asked = workbench.post('/api/ask', { ...ask, target: 'default' })
  await expect.poll(() => isOpening, WAIT).toBe(true)
  const ended = workbench.close()
  letGo()
  await ended
  await asked.catch(() => undefined)
  expect([closed, endpoint.calls]).toEqual([['client'], []])
})

test('a run of another process appears within two seconds, and moves', async () => {
  const endpoint = await startEndpoint(({ number, response }) => {
    setTimeout(() => response.end(replyOf(number)), 150)
    return true
  })
  const folder = makeFolder(60)
  const workbench = await openWorkbench(folder)
  const heard = await hearEvents(workbench)
  const other = startProgram(
    ['run', 'sets/set.csv', '--out', 'night', '--rate', 'unlimited', '--concurrency', '2'],
    { cwd: folder, env: { ...KEY_ENV, ASSIST_BASE_URL: endpoint.url } },
  )
  const rows = (): ListedRun[] =>
    heard.flatMap((event) => (event.kind === 'runs' ? event.runs : [])).filter(({ path }) => path === 'night')
  await expect.poll(() => existsSync(join(folder, 'night/run.json')), WAIT).toBe(true)
  await expect.poll(() => rows().length, { timeout: 2000 }).toBeGreaterThan(0)
  const done = (): number[] => rows().flatMap(({ live }) => live?.done ?? [])
  await expect.poll(() => new Set(done()).size, WAIT).toBeGreaterThan(2)
  expect(done()).toEqual(done().toSorted((a, b) => a - b))
  // It is not this workbench's to stop.
  expect((await workbench.post('/api/stop', { run: 'night' })).status).toBe(400)
  other.signal('SIGINT')
  await other.ended
  await expect.poll(() => rows().at(-1)?.state, WAIT).toBe('interrupted')
})
