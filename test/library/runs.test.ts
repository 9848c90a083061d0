// Protects the list of runs: what is counted of a run that moves is not counted of the next run in its folder.
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openRunList, run } from '../../src/library/index.ts'
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
