// Signals while `merge`, `report` and `compare` write: what is said, what is left, and what finishes it.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { createIdsDigest } from '../../src/dataset/shard.ts'
import type { Manifest } from '../../src/domain/manifest.ts'
import { recordRun } from '../support/recorded-run.ts'
import { makeQuestion } from '../support/questions.ts'
import { readSummary, runProgram, startProgram, type Ended } from '../support/program.ts'
import { KEY_ENV } from '../support/runs.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const TURNS = 12_000
const ids = Array.from({ length: TURNS }, (_, place) => `q${place}`)
const at = (...names: readonly string[]): string => join(folder, ...names)
const go = async (...words: readonly string[]): Promise<Ended> => runProgram(words, { cwd: folder })
const isThere = (name: string): boolean => existsSync(at(name))
const manifestOf = (run: string): Manifest =>
  JSON.parse(readFileSync(at(run, 'run.json'), 'utf8')) as Manifest

beforeAll(() => {
  const digest = createIdsDigest()
  for (const id of ids) digest.add(id)
  const whole = { questions: TURNS, threads: TURNS, turns: [TURNS], digest: digest.finish() }
  const turns = ids.map((id, place) => ({
    question: makeQuestion(id, id, 1, { line: place + 2 }),
    came: { answer: 'yes', source: 'KNOWLEDGE_BASE' },
  }))
  const shard = { index: 1, of: 1, maxCalls: null, numbered: TURNS, whole }
  const endedAt = '2026-11-21T12:30:00.000Z'
  recordRun(at('part'), { turns, manifest: { state: 'complete', endedAt, shard } })
  for (const name of ['one', 'two']) recordRun(at(name), { turns, manifest: { state: 'complete', endedAt } })
})

/** Sends the signal once `isTime`; who is done before has no signal to hear, and is asked again. */
async function stopped(
  words: readonly string[],
  signal: NodeJS.Signals,
  isTime: (pid: number) => boolean,
  clear: () => void,
): Promise<Ended> {
  for (let time = 1; ; time += 1) {
    const running = startProgram(words, { cwd: folder })
    const over = running.ended.then(() => 'over' as const)
    while (!isTime(running.pid)) if ((await Promise.race([over, sleep(2)])) === 'over') break
    running.signal(signal)
    const result = await running.ended
    if (result.code !== 0 || time === 3) return result
    clear()
  }
}

const TIMEOUT = { timeout: 240_000 }
const remove = (name: string) => () => rmSync(at(name), { recursive: true, force: true })
const linesOf = (stderr: string): string[] => stderr.split('\n').filter((line) => line !== '')

describe('merge', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 143],
  ] as const)('takes away what it has not finished (%s)', TIMEOUT, async (signal, code) => {
    for (const isTime of [
      (pid: number) => isThere(`cut.merging.${pid}`),
      // The joined folder stands, and its reports are being written.
      () => isThere('cut'),
    ]) {
      const ended = await stopped(['merge', 'part', '--out', 'cut'], signal, isTime, remove('cut'))
      expect([ended.code, linesOf(ended.stderr).slice(1)]).toEqual([
        code,
        [expect.stringMatching(new RegExp(`^${signal}: the parts were not joined; .*taken away`))],
      ])
      expect(readdirSync(folder).filter((name) => name.startsWith('cut'))).toEqual([])
      expect(existsSync(at('part', 'journal.ndjson'))).toBe(true)
    }
  })

  test(
    'killed while it writes the reports is finished by the command that the next one names',
    TIMEOUT,
    async () => {
      const words = ['merge', 'part', '--out', 'killed']
      await stopped(words, 'SIGKILL', () => isThere('killed'), remove('killed'))
      expect(manifestOf('killed').state).toBe('running')
      const refused = await go(...words)
      expect([refused.code, refused.stderr]).toEqual([
        2,
        expect.stringContaining('npx assist-harness report killed writes them'),
      ])
      const reported = await go('report', 'killed')
      expect(reported.code, reported.stderr).toBe(0)
      expect(isThere(join('killed', 'lock'))).toBe(false)
      expect(readSummary(at('killed')).turns).toMatchObject({ total: TURNS, answered: TURNS })
      const whole = await go('merge', 'part', '--out', 'whole')
      expect(whole.code, whole.stderr).toBe(0)
      expect(manifestOf('killed')).toEqual(manifestOf('whole'))
      const again = await go(...words)
      expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('holds a run already')])
    },
  )
})

test('report says what it has not written', TIMEOUT, async () => {
  const isWriting = (pid: number): boolean => isThere(join('one', `results.csv.${pid}.tmp`))
  const { code, stderr } = await stopped(['report', 'one'], 'SIGINT', isWriting, () => undefined)
  expect([code, linesOf(stderr)]).toEqual([
    130,
    [expect.stringMatching(/^SIGINT: the reports of one are not all written; the same command writes them/)],
  ])
  expect(readdirSync(at('one')).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

test(
  'a run whose calls are all back waits for its reports at first, and then says what writes them',
  TIMEOUT,
  async () => {
    const isWriting = (): boolean =>
      readdirSync(at('two')).some((name) => name.startsWith('results.csv.') && name.endsWith('.tmp'))
    const words = ['run', '--resume', 'two']
    for (const times of [1, 2]) {
      const running = startProgram(words, { cwd: folder, env: KEY_ENV })
      const over = running.ended.then(() => 'over' as const)
      while (!isWriting()) if ((await Promise.race([over, sleep(2)])) === 'over') break
      running.signal('SIGINT')
      if (times === 2) {
        await sleep(200)
        running.signal('SIGINT')
      }
      const { code, stderr } = await running.ended
      expect(stderr).toContain(
        'SIGINT: every answer is recorded; the reports are being written (once more: stop now)',
      )
      expect(stderr).not.toContain('calls in flight')
      if (times === 1) {
        expect(code, stderr).toBe(0)
        expect(readSummary(at('two')).turns).toMatchObject({ answered: TURNS })
      } else {
        expect([code, stderr]).toEqual([
          130,
          expect.stringContaining('not all written; this writes them: npx assist-harness report two'),
        ])
        expect(isWriting()).toBe(false)
      }
    }
  },
)

test('compare takes away what it has not finished, or says that it is not whole', TIMEOUT, async () => {
  const words = ['compare', 'one', 'two', '--out', 'compared']
  const isWriting = (): boolean => isThere('compared')
  const cut = await stopped(words, 'SIGINT', isWriting, remove('compared'))
  expect([cut.code, linesOf(cut.stderr)]).toEqual([130, [expect.stringMatching(/^SIGINT: .*taken away$/)]])
  expect(isWriting()).toBe(false)
  expect((await go(...words)).code).toBe(0)
  const files = readdirSync(at('compared')).toSorted()
  const isAgain = (pid: number): boolean => isThere(join('compared', `comparison.csv.${pid}.tmp`))
  const again = await stopped(words, 'SIGTERM', isAgain, () => undefined)
  expect([again.code, linesOf(again.stderr)]).toEqual([
    143,
    [expect.stringContaining('the same command with --out compared writes it anew')],
  ])
  expect(readdirSync(at('compared')).toSorted()).toEqual(files)
})
