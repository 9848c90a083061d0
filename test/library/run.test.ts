// Protects the library for other programs: the built entry, in this process, prints nothing and leaves signal handlers alone.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type * as Library from '../../src/library/index.ts'
import { answerJson, holdAnswers, openEndpoint, type TestEndpoint } from '../support/endpoint.ts'
import { projectRoot } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const library = (await import(
  pathToFileURL(join(projectRoot, 'dist/library/index.js')).href
)) as typeof Library
const { estimate, run, UsageError } = library

const folder = temporaryFolder()
const KEY = 'library-key-0123456789'
const set = join(folder, 'set.csv')
writeFileSync(set, 'thread,message,expect_contains\nt,First?,answer\nt,Second?,answer\n,Third?,answer\n')
let made = 0
const out = (): string => join(folder, `run-${(made += 1)}`)
/** A run of the set that is sent there, into a folder of its own. */
const sentTo = ({ url }: TestEndpoint) => ({ datasets: [set], baseUrl: url, apiKey: KEY, out: out() })

const said = { stdout: vi.fn(() => true), stderr: vi.fn(() => true) }
let handlers: number
beforeEach(() => {
  handlers = process.listenerCount('SIGINT') + process.listenerCount('SIGTERM')
  vi.spyOn(process.stdout, 'write').mockImplementation(said.stdout)
  vi.spyOn(process.stderr, 'write').mockImplementation(said.stderr)
})
afterEach(() => {
  vi.restoreAllMocks()
  expect([said.stdout.mock.calls, said.stderr.mock.calls]).toEqual([[], []])
  expect(process.exitCode).toBeUndefined()
})

describe('run', () => {
  test('names the stated policy that sets the pace, in a note, in the report and in an estimate from it', async () => {
    const endpoint = await openEndpoint(({ response }) => {
      response.setHeader('ratelimit-policy', '"burst";q=120;w=60')
    })
    const options = sentTo(endpoint)
    const { notes, folder: at, summary } = await run(options)
    const policy = '120 calls in 1 min (policy "burst")'
    expect(notes).toEqual([`the endpoint allows ${policy}: this policy sets the pace, 1.98/s`])
    expect(summary.pacing.policy).toBe(policy)
    expect(readFileSync(join(at, 'report.html'), 'utf8')).toContain('Announced by the endpoint')
    const half = await run({ ...options, share: 0.5, out: out() })
    for (const [from, share, pace] of [
      [at, 0.5, '59.4/min'],
      [half.folder, 1, '1.98/s'],
    ] as const) {
      const { messages } = await estimate({ datasets: [set], from, share })
      expect(messages.map(({ text }) => text).join('\n')).toContain(
        `Pace ${pace} is that of the run ${basename(from)}: the endpoint announces ${policy}.`,
      )
    }
  })

  test('says once that a header is too long and is not read', async () => {
    const endpoint = await openEndpoint(({ response }) => {
      response.setHeader('ratelimit-policy', `"${'a'.repeat(3000)}";q=1;w=60`)
    })
    const { notes } = await run(sentTo(endpoint))
    expect(notes).toEqual(["the endpoint's header ratelimit-policy is too long and is not read"])
  })

  test('sends the questions, reports events, and returns the content of the run folder', async () => {
    const endpoint = await openEndpoint()
    const events: Library.RunEvent[] = []
    const result = await run({
      ...sentTo(endpoint),
      rate: 'unlimited',
      concurrency: 1,
      threshold: 'coverage>=50%',
      onEvent: (event) => {
        events.push(event)
        expect(process.listenerCount('SIGINT') + process.listenerCount('SIGTERM')).toBe(handlers)
      },
    })
    expect(result).toMatchObject({ state: 'complete', verdict: 'passed', exitCode: 0, comparison: null })
    expect(result.notes).toEqual([])
    expect(JSON.parse(readFileSync(join(result.folder, 'summary.json'), 'utf8'))).toEqual(result.summary)
    expect(readdirSync(result.folder)).toContain('report.html')
    const kinds = events.map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'turn')).toHaveLength(3)
    expect(kinds.filter((kind) => kind === 'attempt')).toHaveLength(3)
    expect(kinds.indexOf('started')).toBeLessThan(kinds.indexOf('attempt'))
    expect(kinds.at(-1)).toBe('ended')
    expect(events.findLast(({ kind }) => kind === 'progress')).toMatchObject({
      progress: { of: 'run', done: 3, total: 3, answered: 3 },
    })
    expect(events.find(({ kind }) => kind === 'turn')).toMatchObject({
      thread: 't',
      turn: 1,
      message: 'First?',
      outcome: 'answered',
      reply: { message: 'answer to: First?', contextSource: 'KNOWLEDGE_BASE' },
      httpStatus: 200,
    })
    expect(endpoint.calls.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true)
    expect(JSON.stringify([events, result])).not.toContain(KEY)
  })

  test('names the status of a redirect whose turn ends when a later call is answered', async () => {
    const endpoint = await openEndpoint((call) => call.number === 1 && answerJson(call, 302, {}))
    const turns: Library.RunEvent[] = []
    const onEvent = (event: Library.RunEvent): void => void (event.kind === 'turn' && turns.push(event))
    await run({ ...sentTo(endpoint), concurrency: 1, onEvent })
    expect(turns).toMatchObject([
      { message: 'Third?', outcome: 'answered', httpStatus: 200 },
      { message: 'First?', outcome: 'refused', httpStatus: 302 },
      { message: 'Second?', outcome: 'skipped', httpStatus: null },
    ])
  })

  test('continues if a listener throws or rejects', async () => {
    const endpoint = await openEndpoint()
    const fault = new Error('a fault of the listener')
    const throwing = (): never => {
      throw fault
    }
    const listeners: ((event: Library.RunEvent) => void)[] = [throwing, async () => throwing()]
    for (const onEvent of listeners) {
      const result = await run({ ...sentTo(endpoint), onEvent })
      expect([result.exitCode, result.notes]).toEqual([0, ['onEvent failed: a fault of the listener']])
      const { notes } = await run({ datasets: [set], sandbox: true, rate: 'unlimited', out: out(), onEvent })
      expect(notes.filter((note) => note.startsWith('onEvent'))).toEqual(result.notes)
    }
  })

  test('stops at an aborted signal, and a resume sends the rest', async () => {
    const answers = holdAnswers()
    const endpoint = await openEndpoint((call) => call.number === 2 && answers.hold(call))
    const stop = new AbortController()
    const running = run({ ...sentTo(endpoint), concurrency: 1, signal: stop.signal })
    await endpoint.called(2)
    stop.abort()
    answers.release()
    const stopped = await running
    expect(stopped).toMatchObject({ state: 'interrupted', verdict: 'incomplete', exitCode: 130 })
    expect(stopped.reason).toMatch(/^stopped by the program that called it; /)
    await expect(run({ resume: stopped.folder, sandbox: true })).rejects.toThrow(
      '--sandbox was false, now true',
    )
    const resumed = await run({ resume: stopped.folder, apiKey: KEY })
    expect(resumed).toMatchObject({ state: 'complete', exitCode: 0, folder: stopped.folder })
    expect(endpoint.calls).toHaveLength(3)
  })
})

/** Nothing listens there, so a call that is sent does not end in a UsageError. */
const elsewhere = { datasets: [set], baseUrl: 'http://127.0.0.1:9' }

test.each<['run' | 'compare' | 'validate' | 'report' | 'history' | 'saveSet', unknown, RegExp]>([
  ['run', { ...elsewhere, datasets: 'set.csv' }, /^datasets must be a list of paths/],
  ['run', { datasets: [] }, /^a question set is missing/],
  ['run', { datasets: [set], sandbox: { latency: 'no' } }, /^sandbox: latency/],
  ['run', { datasets: [set], sandbox: { rateLimt: {} } }, /^sandbox: unknown: rateLimt$/],
  ['run', { ...elsewhere, apiKey: 'two words' }, /^apiKey contains white/],
  ['compare', { baseline: folder, candidate: 'nowhere' }, /is a folder of runs/],
  ['compare', {}, /^baseline must be a path/],
  ['compare', { baseline: 'a', candidates: ['b', 'c'] }, /^candidates was removed in 0.4: name one run/],
  ['validate', {}, /^datasets must be a list of paths/],
  ['run', undefined, /^the options are missing/],
  ['report', {}, /^run is missing/],
  ['report', { run: 5 }, /^run must be a path/],
  ['history', null, /^the options are missing/],
  ['history', {}, /^folder is missing/],
  ['saveSet', undefined, /^the first argument must be a path/],
  ['saveSet', 'set.csv', /^too few arguments: 3 are needed/],
])('%s rejects %j with a UsageError', async (name, given, words) => {
  const error: unknown = await (library[name] as (given: unknown) => Promise<unknown>)(given).catch(
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(UsageError)
  expect((error as Error).message).toMatch(words)
})
