// Protects the end of a command that can never end: exit code 5 and a message; a run can be resumed.
import { expect, test } from 'vitest'
import { withEndpoint } from '../support/endpoint.ts'
import { KEY_ENV } from '../support/program.ts'
import { openWorkspace } from '../support/workspace.ts'

const HOOKS = {
  // No timer of the program ever fires, and none keeps it alive.
  timers: `
const real = globalThis.setTimeout
globalThis.setTimeout = (_, ms) => real(() => undefined, ms).unref()`,
  // No file is ever found or missed.
  files: `
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
fs.stat = () => new Promise(() => undefined)
syncBuiltinESMExports()`,
  exception: `
process.on('newListener', (name) => {
  if (name === 'uncaughtException') setTimeout(() => { throw new Error('\\u001b[2Jnobody catches this') }, 50)
})`,
}

const { at, runLine, expectExit } = openWorkspace(
  {
    'set.csv': 'message\nHow?\nWhy?\n',
    ...Object.fromEntries(Object.entries(HOOKS).map(([name, text]) => [`${name}.mjs`, text])),
  },
  KEY_ENV,
)

test.concurrent.each<[keyof typeof HOOKS, string, fault: string]>([
  ['timers', 'run set.csv --rate 1/s', 'the command waited for'],
  ['timers', 'load set.csv --arrival-rate 1/s --duration 3s', 'the command waited for'],
  ['files', 'validate set.csv', 'the command waited for'],
  ['exception', 'run set.csv --rate 1/min', '[U+001B][2Jnobody catches'],
])('with stalled %s: %s', async (hook, line, fault) => {
  const out = `out-${hook}-${line.split(' ')[0]}`
  const isSending = !line.startsWith('validate')
  await withEndpoint(undefined, async ({ url }) => {
    const words = isSending ? `${line} --base-url ${url} --out ${out}` : line
    const ended = await runLine(words, { NODE_OPTIONS: `--import ${at(`${hook}.mjs`)}` })
    expect([ended.code, ended.stdout]).toEqual([5, ''])
    expect(ended.stderr).toContain(`A fault of the harness itself: Error: ${fault}`)
    if (!line.startsWith('run set.csv --rate 1/s')) return
    await expectExit(0, `run --resume ${out} --rate 50/s`)
  })
})
