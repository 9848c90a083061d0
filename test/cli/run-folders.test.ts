// Protects what a later process finds in a run folder: a lost journal, another hash key, a silent lock; and --continue.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { openEndpoint, serveFile } from '../support/endpoint.ts'
import { KEY_ENV } from '../support/program.ts'
import { openWorkspace } from '../support/workspace.ts'

const rows = Array.from({ length: 30 }, (_, number) => `q${number},Question ${number}?,user-${number}`)
const { at, has, put, read, json, start, expectExit } = openWorkspace(
  {
    'assist-harness.yaml': 'rate: unlimited\nconcurrency: 2\n',
    'set.csv': `id,message,end_user_ref\n${rows.join('\n')}\n`,
  },
  KEY_ENV,
)
const HASH = { ASSIST_HASH_KEY: 'a-hash-key-0123456789' }

const { url: shared } = await serveFile(() => false)

describe('a lost journal', () => {
  beforeAll(async () => {
    await expectExit(4, `run set.csv --base-url ${shared} --out whole --max-calls 5`)
    await expectExit(4, 'run --resume whole --max-calls 10')
    await expectExit(4, 'run --resume whole --max-calls 15')
  })

  test.each(['journal.ndjson', 'journal.2.ndjson'])('%s between others is a fault', async (name) => {
    const lost = `lost-${name}`
    cpSync(at('whole'), at(lost), { recursive: true })
    rmSync(at(lost, name))
    for (const line of [`run --resume ${lost}`, `report ${lost}`, `compare ${lost} whole --out compared`]) {
      const { screen } = await expectExit(2, line)
      expect(screen).toContain(`${lost}/${name} is missing, but a later journal is there: restore it`)
    }
  })
})

describe('a run that was killed before it had recorded its questions', () => {
  beforeAll(async () => {
    await expectExit(0, `run set.csv --base-url ${shared} --out hashed --hash-end-user-refs`, HASH)
    const first = read('hashed/journal.ndjson').split('\n').slice(0, 4)
    put('hashed/journal.ndjson', `${first.join('\n')}\n`)
    rmSync(at('hashed/results.csv'))
    put('hashed/run.json', JSON.stringify({ ...(json('hashed/run.json') as object), state: 'running' }))
  })

  test.each<[string, Readonly<Record<string, string>>, RegExp]>([
    [
      'without the hash key',
      {},
      /--hash-end-user-refs needs a key: set the environment variable ASSIST_HASH_KEY/,
    ],
    ['with another hash key', { ASSIST_HASH_KEY: 'another' }, /ASSIST_HASH_KEY is another key than the one/],
  ])('is rejected %s', async (_, env, said) => {
    expect((await expectExit(2, 'run --resume hashed', env)).screen).toMatch(said)
  })

  test('is rejected with another set, and resumed with the same', async () => {
    const set = read('set.csv')
    rmSync(at('set.csv'))
    expect((await expectExit(2, 'run --resume hashed', HASH)).screen).toMatch(/set\.csv: no such file/)
    put('set.csv', `${set}q30,Another?,user-30\n`)
    expect((await expectExit(2, 'run --resume hashed', HASH)).screen).toMatch(/the question set has changed/)
    put('set.csv', set)
    await expectExit(0, 'run --resume hashed', HASH)
  })
})

test('runs of --history that cannot be compared are named', async () => {
  const { url } = await openEndpoint()
  for (const out of ['before', 'after']) await expectExit(0, `run set.csv --base-url ${url} --out ${out}`)
  cpSync(at('before'), at('earlier/damaged'), { recursive: true })
  put('earlier/damaged/run.json', '{')
  const { screen } = await expectExit(0, 'compare before after --history earlier --out history')
  expect(screen).toMatch(
    /--history leaves out what cannot be compared: earlier\/damaged\/run\.json is damaged/,
  )
})

describe('--continue', () => {
  test('starts a run of two targets, finishes it, and has nothing left to send', async () => {
    const [one, two] = [await openEndpoint(), await openEndpoint()]
    put(
      'two.yaml',
      `rate: unlimited
targets:
  one: { baseUrl: "${one.url}" }
  two: { baseUrl: "${two.url}" }
`,
    )
    mkdirSync(at('retried/two'), { recursive: true })
    put('retried/two/lock', '')
    const line = 'run set.csv --config two.yaml --target two --target one --out retried --continue'
    await expectExit(4, `${line} --max-calls 10`)
    await expectExit(0, `${line} --max-calls 40`)
    const { screen } = await expectExit(0, line)
    expect(screen).toMatch(/Nothing is left to send to one at /)
    expect([one.calls.length, two.calls.length]).toEqual([30, 30])
    const other = await expectExit(2, line.replace('--target two ', ''))
    expect(other.screen).toMatch(/--target was one, two, now one/)
  })

  test(
    'a stopped process is taken over; when it wakes up, it sends and writes nothing more',
    { timeout: 120_000 },
    async () => {
      const { url, calls } = await openEndpoint()
      const line = `run set.csv --base-url ${url} --out pod --continue`
      const stopped = start(`${line} --rate 3/s`)
      await expect.poll(() => calls.length, { timeout: 20_000 }).toBeGreaterThan(2)
      stopped.signal('SIGSTOP')
      // As another host wrote it: nobody here can tell that its process lives.
      const lock = json('pod/lock') as object
      writeFileSync(at('pod/lock'), JSON.stringify({ ...lock, host: 'another-pod', space: 'another' }))
      const { screen } = await expectExit(0, line)
      expect(screen).toMatch(/process \d+ on another-pod was silent for 30 s: this process takes over/)
      const [sent, journal, results] = [calls.length, read('pod/journal.ndjson'), read('pod/results.csv')]
      stopped.signal('SIGCONT')
      const { code, screen: last } = await stopped.ended
      expect([code, last]).toEqual([
        4,
        expect.stringContaining('another process has taken over pod: this one stopped'),
      ])
      await sleep(100)
      expect([calls.length, read('pod/journal.ndjson'), read('pod/results.csv')]).toEqual([
        sent,
        journal,
        results,
      ])
      expect(has('pod/lock')).toBe(false)
    },
  )
})
