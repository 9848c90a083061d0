// Protects `load --start-at` as a process: what it prints while it waits, and Ctrl-C before the start.
import { expect, test } from 'vitest'
import { serveFile } from '../support/endpoint.ts'
import { KEY_ENV } from '../support/program.ts'
import { openWorkspace } from '../support/workspace.ts'

const endpoint = await serveFile(() => false)
const env = { ...KEY_ENV, ASSIST_BASE_URL: endpoint.url }
const { has, start, expectExit, json } = openWorkspace({ 'set.csv': 'message\nWhy?\n' }, env)
const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString()

/** How long a process takes here until it waits. */
let openingMs = 0

test('Ctrl-C before the time leaves nothing, and the folder is free', async () => {
  const [before, openedAt] = [endpoint.calls.length, Date.now()]
  const running = start(`load set.csv --users 1 --duration 100ms --start-at ${inMs(60_000)} --out never`)
  await running.waitForStderr(/nothing is sent until/)
  openingMs = Date.now() - openedAt
  running.signal('SIGINT')
  const { code, stderr } = await running.ended
  // Ended by the signal, which a shell reports as 130.
  expect(code).toBeNull()
  expect(stderr).toContain('SIGINT: nothing was sent')
  expect([endpoint.calls.length, has('never')]).toEqual([before, false])
  await expectExit(0, 'load set.csv --users 1 --duration 100ms --out never')
})

test('nothing is sent before the time, and progress says when it starts', async () => {
  const before = endpoint.calls.length
  const startAt = inMs(Math.max(5000, 4 * openingMs))
  const running = start(
    `load set.csv --users 1 --duration 100ms --start-at ${startAt} --out out --log-format json`,
  )
  await running.waitForStderr(/"of":"wait"/)
  expect([endpoint.calls.length, has('out')]).toEqual([before, false])
  const { code, stderr } = await running.ended
  expect(code, stderr).toBe(0)
  const events = stderr
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : []))
  expect(events).toContainEqual(
    expect.objectContaining({ event: 'progress', progress: { of: 'wait', startAt: Date.parse(startAt) } }),
  )
  expect(stderr).toContain(`nothing is sent until ${startAt}, in `)
  expect(endpoint.calls.length).toBeGreaterThan(before)
  const { startedAt } = json('out', 'run.json') as { startedAt: string }
  expect(startedAt >= startAt).toBe(true)
}, 120_000)
