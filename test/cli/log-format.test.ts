// Protects `--log-format json`: stderr holds one JSON object a line, whatever happens, and no text of a question.
import { describe, expect, test } from 'vitest'
import { startEndpoint } from '../support/endpoint.ts'
import { KEY_ENV, splitWords } from '../support/program.ts'
import { runResident } from '../support/resident.ts'
import { openWorkspace } from '../support/workspace.ts'

const { folder, put } = openWorkspace({ 'set.csv': 'message\nIs Carl Jones ill?\nAnd Ada?\n' })

async function logOf(line: string, env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runResident(splitWords(`${line} --log-format json`), {
    cwd: folder,
    env,
  })
  const lines = stderr.trim().split('\n')
  const events = lines.map((text) => JSON.parse(text) as { time: string; event: string })
  for (const { time } of events) expect(new Date(time).toISOString()).toBe(time)
  return { code, stdout, stderr, kinds: events.map(({ event }) => event) }
}

describe('--log-format json', () => {
  test('gives each event as an object, and the account on stdout as before', async () => {
    const endpoint = await startEndpoint()
    const env = { ...KEY_ENV, ASSIST_BASE_URL: endpoint.url }
    const { code, stdout, stderr, kinds } = await logOf('run set.csv --out one', env)
    expect(code, stderr).toBe(0)
    expect(new Set(kinds)).toEqual(new Set(['started', 'pace', 'progress', 'reporting', 'ended']))
    expect(stderr).not.toContain('Carl Jones')
    expect(stdout).toContain('2 of 2 answered')
    // With --debug, calls and their texts, too.
    const debugged = await logOf('run set.csv --out two --debug', env)
    expect(debugged.kinds).toEqual(expect.arrayContaining(['attempt', 'turn']))
    expect(debugged.stderr).toContain('Carl Jones')
  })

  test('holds for errors, and in the config file', async () => {
    expect(await logOf('run nowhere.csv --sandbox')).toMatchObject({ code: 2, kinds: ['message', 'message'] })
    put('logging.yaml', 'logFormat: json\nsandbox: true\n')
    const { code, stderr } = await runResident(splitWords('run set.csv --config logging.yaml --out three'), {
      cwd: folder,
      env: {},
    })
    expect(code, stderr).toBe(0)
    for (const line of stderr.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('event')
  })
})
