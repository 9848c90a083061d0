// Protects the list of runs, and the user's time: a command waits once for the silent lock of each folder that it reads,
// which takes 30 s each time, and says for which.
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { expect, onTestFinished, test, vi } from 'vitest'
import { compare, merge, openRunList, report, run } from '../../src/library/index.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()

/** A run whose process seems to go on. */
async function makeRunning(questions: number): Promise<void> {
  const set = join(folder, 'set.csv')
  writeFileSync(set, ['message', ...Array.from({ length: questions }, (_, nth) => `How ${nth}?`)].join('\n'))
  const out = join(folder, 'reports/nightly')
  rmSync(out, { recursive: true, force: true })
  await run({ datasets: [set], sandbox: true, out })
  const manifest = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')) as object
  writeFileSync(join(out, 'run.json'), JSON.stringify({ ...manifest, state: 'running', endedAt: null }))
  writeFileSync(join(out, 'lock'), JSON.stringify({ pid: process.ppid, host: hostname() }))
}

test('a run that cannot be read is listed with its reason, and does not hide the others', async () => {
  await makeRunning(2)
  const reports = join(folder, 'reports')
  const write = (file: string, text: string) => (path: string) => writeFileSync(join(path, file), text)
  const asFolder = (file: string) => (path: string) => {
    rmSync(join(path, file))
    mkdirSync(join(path, file))
  }
  const damage: Readonly<Record<string, (path: string) => void>> = {
    'no-json': write('run.json', '{'),
    'other-json': write('run.json', '{"formatVersion":1}'),
    'newer-json': write('run.json', '{"formatVersion":99}'),
    'folder-json': asFolder('run.json'),
    'folder-journal': asFolder('journal.ndjson'),
    'endless-summary': (path) => {
      rmSync(join(path, 'summary.json'))
      symlinkSync('summary.json', join(path, 'summary.json'))
    },
    'folder-lock': asFolder('lock'),
  }
  for (const [name, spoil] of Object.entries(damage)) {
    cpSync(join(reports, 'nightly'), join(reports, name), { recursive: true })
    spoil(join(reports, name))
  }
  const listed = await (await openRunList(reports)).read()
  const seen = Object.fromEntries(listed.map(({ path, state, fault }) => [path, [state, fault]]))
  expect(seen['nightly']).toEqual(['running', null])
  for (const name of Object.keys(damage))
    expect(seen[name], name).toEqual(['unreadable', expect.not.stringContaining(reports)])
  expect(seen['no-json']?.[1]).toContain('no-json/run.json is damaged')
  for (const name of Object.keys(damage)) rmSync(join(reports, name), { recursive: true })
})

test('another run in the folder of one that was stopped is counted from its start', async () => {
  await makeRunning(5)
  const list = await openRunList(join(folder, 'reports'))
  const counted = async () => (await list.read()).map(({ state, live }) => [state, live?.done, live?.total])
  expect(await counted()).toEqual([['running', 5, 5]])
  await makeRunning(3)
  expect(await counted()).toEqual([['running', 3, 3]])
})

const set = join(folder, 'set.csv')
writeFileSync(set, ['message', ...Array.from({ length: 12 }, (_, nth) => `How ${nth}?`)].join('\n'))
const at = (name: string): string => join(folder, name)
const send = async (name: string, more: object = {}) =>
  run({ datasets: [set], sandbox: true, out: at(`recorded/${name}`), ...more })
await send('accepted')
const baseline = at('recorded/accepted')
await send('whole', { baseline })
await send('one', { shard: '1/2', baseline })
await send('two', { shard: '2/2', baseline })

/** Runs that a process of another host may be writing; nobody beats their locks. */
function lockedCopy(name: string): (each: string) => string {
  cpSync(at('recorded'), at(name), { recursive: true })
  for (const each of ['accepted', 'whole', 'one', 'two'])
    writeFileSync(at(`${name}/${each}/lock`), JSON.stringify({ pid: 1, host: 'elsewhere' }))
  return (each) => at(`${name}/${each}`)
}

type Act = (of: (name: string) => string) => Promise<{ readonly notes: readonly string[] }>

test.each<[string, Act, readonly string[]]>([
  ['report', async (of) => report({ run: of('whole') }), ['accepted', 'whole']],
  ['baseline', async (of) => report({ run: of('whole'), baseline: of('accepted') }), ['accepted', 'whole']],
  [
    'merge',
    async (of) => merge({ runs: [of('one'), of('two')], out: of('new') }),
    ['accepted', 'one', 'two'],
  ],
  [
    'compare',
    async (of) => compare({ baseline: of('accepted'), candidate: of('whole'), out: of('new') }),
    ['accepted', 'whole'],
  ],
])('%s', async (name, act, locked) => {
  const of = lockedCopy(name)
  const [now, start] = [performance.now.bind(performance), performance.now()]
  // A silent lock is silent for long after half a second.
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => start + 100 * (now() - start))
  onTestFinished(() => clock.mockRestore())
  const { notes } = await act(of)
  const waits = notes.flatMap((note) => (note.includes('waiting up to 30 s') ? note.split(' ', 1) : []))
  expect(waits.toSorted()).toEqual(locked.map((each) => of(each)).toSorted())
})
