// Protects the command `sandbox`: its output can be pasted, and it stops cleanly.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startProgram } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const cwd = temporaryFolder()

const CONFIG = 'adminKey: the-admin\norganizations:\n  acme:\n    keys: [{ key: "it\'s" }]\n'
writeFileSync(join(cwd, 'sandbox.yaml'), CONFIG)
const ADDRESS = 'export ASSIST_BASE_URL=http://127\\.0\\.0\\.1:\\d+'

test.each<[NodeJS.Signals, string[], string]>([
  ['SIGINT', [], 'export ASSIST_API_KEY=sandbox_\\w+\nexport ASSIST_ADMIN_KEY=admin_\\w+'],
  [
    'SIGTERM',
    ['--config', 'sandbox.yaml'],
    String.raw`export ASSIST_API_KEY='it'\\''s'` + '\nexport ASSIST_ADMIN_KEY=the-admin',
  ],
])('prints lines to paste, answers, and stops on %s', async (signal, words, keys) => {
  const running = startProgram(['sandbox', '--port', '0', ...words], { cwd })
  await running.waitForStderr(/Ctrl-C stops/)
  expect(running.stderr()).toMatch(/^curl -s "\$ASSIST_BASE_URL\/api\/v1\/assist"/m)
  expect(running.stderr()).toMatch(/^npx assist-harness run \S+quickstart\.csv$/m)
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(running.stderr()) ?? []
  expect((await fetch(`${url}/sandbox/usage`)).status).toBe(401)
  running.signal(signal)
  const { code, stdout } = await running.ended
  expect(code).toBe(0)
  expect(stdout).toMatch(new RegExp(`^${ADDRESS}\n${keys}\n$`))
})
