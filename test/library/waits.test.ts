// Protects the user's time: a command waits once for the silent lock of each folder that it reads, which takes
// 30 s each time, and says for which.
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { expect, onTestFinished, test, vi } from 'vitest'
import { compare, merge, report, run } from '../../src/library/index.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
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
