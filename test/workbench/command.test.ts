// Protects `view` as a command: its address, a second one on the same folder, and its end.
import { chmodSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { answerJson, goodReply, startEndpoint } from '../support/endpoint.ts'
import { KEY_ENV } from '../support/program.ts'
import { startOf } from '../support/workbench.ts'
import { openWorkspace } from '../support/workspace.ts'

const { at, has, put, read, json, start, runLine, expectExit } = openWorkspace({
  'set.csv': 'message\nHow?\nWhy?\nWhen?\n',
})

test('prints one address, opens it, and says of a second one that it is the first', async () => {
  for (const name of ['open', 'xdg-open'])
    chmodSync(at(put(`bin/${name}`, `#!/bin/sh\necho "$1" >> '${at('opened')}'\n`)), 0o755)
  const env = { PATH: `${at('bin')}:${process.env['PATH'] ?? ''}` }
  const first = start('view runs --port 0', env)
  await first.waitForStderr(
    /runs did not exist: it was made, and holds no run yet\n[^]*The workbench serves \S*runs/,
  )
  await expect.poll(() => has('opened')).toBe(true)
  const url = read('opened').trim()
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{32}$/)
  expect((await fetch(url, { redirect: 'manual' })).status).toBe(303)
  expect(statSync(at('runs/.workbench.json')).mode & 0o077).toBe(0)

  const second = await runLine('view runs --no-open')
  expect(second).toMatchObject({ code: 0, stdout: `${url}\n` })
  expect(second.stderr).toContain('another process serves runs')
  expect(read('opened').trim()).toBe(url)

  first.signal('SIGTERM')
  expect(await first.ended).toMatchObject({ code: 0, stdout: `${url}\n` })
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('Ctrl-C interrupts a run that it started; the run can be resumed', async () => {
  const endpoint = await startEndpoint((call) => {
    if (call.number === 1) return false
    setTimeout(() => answerJson(call, 200, goodReply(call)), 1500)
    return true
  })
  const env = { ...KEY_ENV, ASSIST_BASE_URL: endpoint.url }
  put('assist-harness.yaml', 'concurrency: 1\nrate: unlimited\n')
  const view = start('view . --no-open --port 0 --max-calls 10', env)
  await view.waitForStderr(/The workbench serves/)
  const { url } = json('.workbench.json') as { url: string }
  const { origin } = new URL(url)
  const opened = await fetch(url, { redirect: 'manual' })
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? ''
  const started = await fetch(`${origin}/api/start`, {
    method: 'POST',
    headers: { cookie, origin, 'content-type': 'application/json' },
    body: JSON.stringify(startOf('set.csv', { target: 'default', maxCalls: 6 })),
  })
  const { path } = (await started.json()) as { path: string }
  await endpoint.called(2)
  view.signal('SIGINT')
  expect((await view.ended).code).toBe(0)
  expect(json(path, 'run.json')).toMatchObject({ state: 'interrupted' })
  await expectExit(0, `run --resume ${path}`, env)
  expect(endpoint.calls.length).toBe(3)
})
