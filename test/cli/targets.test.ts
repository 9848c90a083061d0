// Config files and several targets, through the built program.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Summary } from '../../src/domain/summary.ts'
import { holdAnswers, openEndpoint, type TestEndpoint } from '../support/endpoint.ts'
import { readResults, runProgram, startProgram, type Ended } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const rows = Array.from({ length: 20 }, (_, place) => `Question ${place + 1}?`)
writeFileSync(join(folder, 'set.csv'), `message\n${rows.join('\n')}\n`)
const env = { ASSIST_KEY_A: 'key-of-a-0123456789', ASSIST_KEY_B: 'key-of-b-0123456789' }

let configs = 0
function writeConfig(text: string): string {
  const path = join(folder, `config-${(configs += 1)}.yaml`)
  writeFileSync(path, text)
  return path
}
const run = async (...words: string[]): Promise<Ended> =>
  runProgram(['run', 'set.csv', ...words], { cwd: folder, env })

describe('two targets', () => {
  test('run side by side, each behind its own limiter, each in its own folder', async () => {
    // The slow one gives its first answer when the quick one has had all of its calls: neither waits for the other.
    const answers = holdAnswers()
    const slow = await openEndpoint(answers.hold)
    const quick = await openEndpoint(({ number }) => {
      if (number === 20) answers.release()
    })
    const config = writeConfig(`
targets:
  slow: { baseUrl: "${slow.url}", apiKeyEnv: ASSIST_KEY_A, rate: 20/s }
  quick: { baseUrl: "${quick.url}", apiKeyEnv: ASSIST_KEY_B, rate: unlimited }
`)
    const out = join(folder, 'two')
    const targets = ['--target', 'slow', '--target', 'quick']
    const { code, stdout, screen } = await run('--config', config, ...targets, '--out', out, '--json')
    expect(code, screen).toBe(0)
    const summaries = JSON.parse(stdout) as Summary[]
    expect(summaries.map(({ run: { target } }) => target)).toEqual(['slow', 'quick'])
    const lasting = ({ run: { startedAt, endedAt } }: Summary): number =>
      Date.parse(endedAt ?? '') - Date.parse(startedAt)
    const [slowTime = 0] = summaries.map(lasting)
    // 20 calls at 19.8 a second take at least 0.96 s.
    expect(slowTime).toBeGreaterThan(950)
    for (const name of ['slow', 'quick']) expect(readResults(join(out, name))).toHaveLength(20)
    const keysOf = ({ calls }: TestEndpoint): unknown[] => [
      ...new Set(calls.map(({ headers }) => headers.authorization)),
    ]
    expect([keysOf(slow), keysOf(quick)]).toEqual([
      ['Bearer key-of-a-0123456789'],
      ['Bearer key-of-b-0123456789'],
    ])
    const refused = await runProgram(['report', out], { cwd: folder, env })
    expect([refused.code, refused.screen]).toEqual([
      2,
      expect.stringContaining(`name one of them: ${join(out, 'quick')}, ${join(out, 'slow')}`),
    ])
  })

  test('are all there for a resume when the process dies early', async () => {
    const [one, two] = [await openEndpoint(() => true), await openEndpoint(() => true)]
    const config = writeConfig(`
targets:
  one: { baseUrl: "${one.url}", apiKeyEnv: ASSIST_KEY_A }
  two: { baseUrl: "${two.url}", apiKeyEnv: ASSIST_KEY_B }
`)
    const out = join(folder, 'killed')
    const words = ['run', 'set.csv', '--config', config, '--target', 'one', '--target', 'two', '--out', out]
    const running = startProgram(words, { cwd: folder, env })
    // The first journal is opened only once both manifests are there.
    await expect
      .poll(() => existsSync(join(out, 'one', 'journal.ndjson')), { timeout: 50_000, interval: 1 })
      .toBe(true)
    expect(existsSync(join(out, 'two', 'run.json'))).toBe(true)
    running.signal('SIGKILL')
    await running.ended
  })

  test('of one organization share one limit', async () => {
    const one = await openEndpoint()
    const config = writeConfig(`
rate: 20/s
targets:
  a: { baseUrl: "${one.url}", apiKeyEnv: ASSIST_KEY_A, organization: acme }
  b: { baseUrl: "${one.url}", apiKeyEnv: ASSIST_KEY_B, organization: acme }
`)
    const started = Date.now()
    const targets = ['--target', 'a', '--target', 'b']
    const { code, screen } = await run('--config', config, ...targets, '--out', join(folder, 'shared'))
    expect(code, screen).toBe(0)
    expect(one.calls).toHaveLength(40)
    // 40 calls at 19.8 a second; with a limiter each it would be half of that.
    expect(Date.now() - started).toBeGreaterThan(1950)
  })
})

describe('a config file', () => {
  test('gives options in camelCase; the target is over the file, the command line over both', async () => {
    const endpoint = await openEndpoint()
    const config = writeConfig(`
rate: unlimited
timeout: 9s
groundedSources: [FAQ, KNOWLEDGE_BASE]
targets:
  only:
    baseUrl: ${endpoint.url}
    apiKeyEnv: ASSIST_KEY_A
    timeout: 8s
    concurrency: 3
`)
    const out = join(folder, 'layers')
    const { code, screen } = await run('--config', config, '--concurrency', '2', '--out', out)
    expect(code, screen).toBe(0)
    const manifest = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')) as {
      options: Record<string, unknown>
    }
    expect(manifest.options).toMatchObject({
      rate: 'unlimited',
      timeout: 8000,
      concurrency: 2,
      groundedSources: ['FAQ', 'KNOWLEDGE_BASE'],
    })
  })

  test('is found by its name in the working folder', async () => {
    const elsewhere = temporaryFolder()
    writeFileSync(join(elsewhere, 'assist-harness.yaml'), 'rat: 5/s\n')
    writeFileSync(join(elsewhere, 'set.csv'), 'message\nHello?\n')
    const { code, screen } = await runProgram(['run', 'set.csv', '--sandbox'], { cwd: elsewhere })
    expect([code, screen]).toEqual([2, 'assist-harness.yaml: rat is unknown; did you mean rate?\n'])
  })

  test('is not blamed for what is typed', async () => {
    const config = writeConfig('targets: { a: { rate: 5/s }, c: { rate: 5/s } }')
    const typed = await run('--config', config, '--target', 'staging')
    expect(typed.screen).toBe(`--target staging is not in ${config}; it has a, c\n`)
    const address = await run('--config', config, '--base-url', 'https://user:hunter2@desk.example.com')
    expect(address.screen).toMatch(/^--base-url contains a user name or password; /)
    const neither = await run('--config', config)
    expect(neither.screen).toBe(`${config} has several targets; choose with --target: a, c\n`)
  })

  test.each([
    ['run', []],
    ['estimate', []],
    ['load', ['--users', '1', '--duration', '200ms']],
  ])(
    'that names a target gives way to the sandbox for %s, but a target typed beside it does not',
    async (command, more) => {
      const out = join(folder, `typed-${command}`)
      const rest = command === 'estimate' ? [] : ['--out', out]
      const config = writeConfig(
        'target: [a]\nrate: 50/s\ntargets: { a: { baseUrl: "https://a.example.com", rate: 1/min } }',
      )
      const words = [command, 'set.csv', '--sandbox', '--config', config, ...more, ...rest]
      const refused = await runProgram([...words, '--target', 'a'], { cwd: folder, env })
      expect([refused.code, refused.screen]).toEqual([
        2,
        '--target cannot be used with --sandbox; give one of them\n',
      ])
      const taken = await runProgram(words, { cwd: folder, env })
      expect(taken.code, taken.screen).toBe(0)
      // At the pace of the target, 20 calls would take 20 minutes.
      expect(taken.screen).not.toContain('minute')
      if (command !== 'estimate')
        expect(JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'))).toMatchObject({
          target: { name: 'sandbox' },
        })
    },
  )

  describe.each([
    ['run', []],
    ['estimate', ['--json']],
    ['load', ['--users', '1', '--duration', '200ms']],
  ])('that asks the sandbox gives way for %s', (command, more) => {
    const begin = async (text: string, ...words: string[]): Promise<{ ended: Ended; out: string }> => {
      const out = join(folder, `given-way-${(configs += 1)}`)
      const rest = command === 'estimate' ? [] : ['--out', out]
      const config = writeConfig(`sandbox: true\nrate: unlimited\napiKeyEnv: ASSIST_KEY_A\n${text}`)
      const all = [command, 'set.csv', '--config', config, ...words, ...more, ...rest]
      return { ended: await runProgram(all, { cwd: folder, env }), out }
    }
    const askedIn = (out: string): unknown =>
      (JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')) as { target: unknown }).target

    test('to a target that is typed', async () => {
      const endpoint = await openEndpoint()
      const text = `targets: { a: { baseUrl: "${endpoint.url}", rate: 50/s } }`
      const { ended, out } = await begin(text, '--target', 'a')
      expect(ended.code, ended.screen).toBe(0)
      if (command === 'estimate') expect(JSON.parse(ended.stdout)).toMatchObject({ target: 'a' })
      else {
        expect(askedIn(out)).toMatchObject({ name: 'a', sandbox: false })
        expect(endpoint.calls.length).toBeGreaterThan(0)
      }
    })

    test('to a base URL that is typed', async () => {
      const endpoint = await openEndpoint()
      // A target of every day gives way, too: its key is not sent there.
      const text = 'target: a\ntargets: { a: { baseUrl: "https://a.example.com", apiKeyEnv: ASSIST_KEY_B } }'
      const { ended, out } = await begin(text, '--base-url', endpoint.url)
      expect(ended.code, ended.screen).toBe(0)
      if (command === 'estimate') {
        expect(JSON.parse(ended.stdout)).toMatchObject({ target: null })
        return
      }
      expect(askedIn(out)).toMatchObject({ name: 'default', baseUrl: endpoint.url, sandbox: false })
      expect(new Set(endpoint.calls.map(({ headers }) => headers.authorization))).toEqual(
        new Set([`Bearer ${env.ASSIST_KEY_A}`]),
      )
    })

    test('to nobody where none is typed', async () => {
      const text = 'baseUrl: https://a.example.com\ntarget: a\ntargets: { a: { rate: 1/min } }'
      const { ended, out } = await begin(text)
      expect(ended.code, ended.screen).toBe(0)
      if (command === 'estimate') expect(JSON.parse(ended.stdout)).toMatchObject({ target: null })
      else expect(askedIn(out)).toMatchObject({ name: 'sandbox', sandbox: true })
    })
  })
})

describe('the run folder', () => {
  test('is named by time and set where nobody names it', async () => {
    const { screen } = await run('--sandbox', '--rate', 'unlimited')
    const [, path = ''] =
      /^ {2}(reports\/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-set)\/report\.html$/m.exec(screen) ?? []
    expect(existsSync(join(folder, path, 'summary.md'))).toBe(true)
  })
})
