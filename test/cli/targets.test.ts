// Config files and several targets, through the built program.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/cli/config.ts'
import type { Summary } from '../../src/domain/summary.ts'
import { answerJson } from '../support/endpoint.ts'
import { holdAnswers, openEndpoint } from '../support/open-endpoint.ts'
import { readResults, readSummary, runProgram, startProgram, type Ended } from '../support/program.ts'
import { KEY_ENV, runWords } from '../support/runs.ts'
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
    const { code, stdout, screen } = await run(
      '--config',
      config,
      '--target',
      'slow',
      '--target',
      'quick',
      '--out',
      out,
      '--json',
    )
    expect(code, screen).toBe(0)
    const summaries = JSON.parse(stdout) as Summary[]
    expect(summaries.map(({ run: { target } }) => target)).toEqual(['slow', 'quick'])
    const lasting = ({ run: { startedAt, endedAt } }: Summary): number =>
      Date.parse(endedAt ?? '') - Date.parse(startedAt)
    const [slowTime = 0] = summaries.map(lasting)
    // 20 calls at 19.8 a second take at least 0.96 s.
    expect(slowTime).toBeGreaterThan(950)
    for (const name of ['slow', 'quick']) expect(readResults(join(out, name))).toHaveLength(20)
    expect(slow.calls.every(({ headers }) => headers.authorization === 'Bearer key-of-a-0123456789')).toBe(
      true,
    )
    expect(quick.calls.every(({ headers }) => headers.authorization === 'Bearer key-of-b-0123456789')).toBe(
      true,
    )
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
    const { code, screen } = await run(
      '--config',
      config,
      '--target',
      'a',
      '--target',
      'b',
      '--out',
      join(folder, 'shared'),
    )
    expect(code, screen).toBe(0)
    expect(one.calls).toHaveLength(40)
    // 40 calls at 19.8 a second; with a limiter each it would be half of that.
    expect(Date.now() - started).toBeGreaterThan(1950)
  })

  test('the others finish when one is refused, and the worst decides the exit code', async () => {
    const good = await openEndpoint()
    const bad = await openEndpoint((call) =>
      answerJson(call, 401, { success: false, error: { code: 'KEY', message: 'no' } }),
    )
    const config = writeConfig(`
rate: unlimited
targets:
  bad: { baseUrl: "${bad.url}", apiKeyEnv: ASSIST_KEY_A }
  good: { baseUrl: "${good.url}", apiKeyEnv: ASSIST_KEY_B }
`)
    const out = join(folder, 'worst')
    const { code, screen } = await run(
      '--config',
      config,
      '--target',
      'bad',
      '--target',
      'good',
      '--out',
      out,
    )
    expect(code).toBe(3)
    expect(readSummary(join(out, 'good'))).toMatchObject({ state: 'complete', exitCode: 0 })
    expect(readSummary(join(out, 'bad'))).toMatchObject({ state: 'incomplete', exitCode: 3 })
    expect(screen).toContain(`run --resume ${join(out, 'bad')}`)
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

  test.each([
    ['ratte: 5/s', /: ratte is unknown; did you mean rate\?$/],
    ['rate: 5', /: rate must be auto, unlimited, or a rate like/],
    ['rate: [1, 2]', /: rate /],
    ['sandbox: "yes"', /: sandbox /],
    ['config: other.yaml', /: config is unknown/],
    [
      'targets: production',
      /: targets must hold each target by its name, as in targets: { production: { baseUrl: https:\S+ } }$/,
    ],
    [
      'targets: { a: x }',
      /: targets\.a must hold the target's options, as in targets: { production: { baseUrl: https:\S+ } }$/,
    ],
    ['targets: { a: { baseURL: x } }', /: targets\.a\.baseURL is unknown; did you mean baseUrl\?$/],
    ['targets: { a: { sandbox: true } }', /: targets\.a\.sandbox does not belong in a target/],
    ['targets: { "../up": { baseUrl: x } }', /the name '\.\.\/up' becomes a folder's/],
    ['rate: 5/s\nrate: 6/s', /is not YAML: Map keys must be unique/],
    ['rate: "5/s', /is not YAML/],
    ['target: []', /: target must name one or more, or be left out$/],
    ['- a', /: the file must hold options, each with its value, as in rate: 60\/min$/],
    ['rotatingIds: "yes"', /: rotatingIds must be true or false$/],
    ['targets: { a: { allowHttp: {} } }', /: targets\.a\.allowHttp must be true or false$/],
    ['rate: [5/s, 6/s]', /: rate must be auto, unlimited, or a rate like 60\/min, 5\/s, 1000\/h$/],
    ['seed: true', /: seed must be a whole number of at most 9 digits$/],
    ['tag: [vpn, { a: 1 }]', /config-\d+\.yaml: tag must name one or more, or be left out$/],
    ['threshold: { a: 1 }', /: threshold must be a gate like 'coverage>=80%'$/],
    ['threshold: [[coverage>=80%]]', /: threshold must be a gate like 'coverage>=80%'$/],
    ['json: 1', /: json must be true or false$/],
    ['debug: x', /: debug must be true or false$/],
    ['excel: []', /: excel must be true or false$/],
    ['tag: { a: 1 }', /: tag must name one or more, or be left out$/],
    ['tag: [true]', /: tag must name one or more, or be left out$/],
    [
      'targets: { a: { groundedSources: { FAQ: true } } }',
      /: targets\.a\.groundedSources must be one or more values, separated by commas$/,
    ],
    ['rate: { a: 1 }', /: rate must be auto, unlimited, or a rate like 60\/min, 5\/s, 1000\/h$/],
  ])('that says %j is refused with the mend', async (text, message) => {
    await expect(loadConfig(writeConfig(text))).rejects.toThrow(message)
  })

  test.each([
    [
      'targets: { a: { baseUrl: 5 } }',
      'targets.a.baseUrl is not a URL; write it like https://desk.example.com',
    ],
    [
      'baseUrl: https://desk.example.com/?a\ntargets: { a: { rate: 5/s } }\ntarget: a',
      'baseUrl holds a query or fragment; leave it out',
    ],
    [
      'baseUrl: https://user:hunter2@desk.example.com',
      'baseUrl holds a user name or password; the key goes in an environment variable (--api-key-env)',
    ],
    [
      'targets: { a: { baseUrl: "https://user:hunter2@desk.example.com" } }',
      'targets.a.baseUrl holds a user name or password; the key goes in an environment variable (--api-key-env)',
    ],
    ['target: b\ntargets: { a: { rate: 5/s } }', 'target: b is not under targets; did you mean a?'],
  ])('that says %j is named where it is refused', async (text, words) => {
    const config = writeConfig(text)
    const { code, screen } = await run('--config', config)
    expect([code, screen]).toEqual([2, `${config}: ${words}\n`])
  })

  test('is not blamed for what is typed', async () => {
    const config = writeConfig('targets: { a: { rate: 5/s }, c: { rate: 5/s } }')
    const typed = await run('--config', config, '--target', 'staging')
    expect(typed.screen).toBe(`--target staging is not in ${config}; it has a, c\n`)
    const address = await run('--config', config, '--base-url', 'https://user:hunter2@desk.example.com')
    expect(address.screen).toMatch(/^--base-url holds a user name or password; /)
    const neither = await run('--config', config)
    expect(neither.screen).toBe(`${config} has several targets; choose with --target: a, c\n`)
  })

  test('that is faulty ends the program with every fault, before anything is sent', async () => {
    const { code, screen } = await run('--config', writeConfig('ratte: 5/s\nrate: 5'), '--sandbox')
    expect([code, screen]).toEqual([
      2,
      expect.stringMatching(/^\S+: ratte is unknown; did you mean rate\?\n\S+: rate must be auto, .*\n$/),
    ])
  })

  test.each([['run'], ['estimate'], ['load']])(
    'that is faulty is said to %s also where no set is named',
    async (command) => {
      const config = writeConfig('datasets: [set.csv]')
      const { code, screen } = await runProgram([command, '--config', config], { cwd: folder, env })
      expect([code, screen]).toEqual([2, expect.stringMatching(/^\S+: datasets is unknown/)])
    },
  )

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
        '--target and --sandbox contradict each other; give one\n',
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

  test.each([
    ['the sandbox', ['--sandbox'], '--base-url and --sandbox contradict each other; give one\n'],
    [
      'a target',
      ['--target', 'a'],
      '--base-url and --target contradict each other: a target has its own base URL\n',
    ],
  ])(
    'is not needed for an estimate to refuse what a run does: an address beside %s',
    async (_, words, told) => {
      const all = ['estimate', 'set.csv', ...words, '--base-url', 'https://a.example.com']
      const refused = await runProgram(all, { cwd: folder, env })
      expect([refused.code, refused.screen]).toEqual([2, told])
    },
  )

  describe.each([['run', []] as const, ['load', ['--users', '1', '--duration', '1s']] as const])(
    'is named by %s with its target and what that lacks',
    (command, more) => {
      const refusal = async (text: string, ...words: string[]): Promise<string> => {
        const config = writeConfig(text)
        const { code, screen } = await runProgram(
          [command, 'set.csv', '--config', config, ...words, ...more],
          {
            cwd: folder,
          },
        )
        expect(code).toBe(2)
        return screen.replaceAll(config, 'FILE')
      }

      test.each([
        ['targets: { a: {} }', []],
        ['targets: { a: null }', []],
        ['targets:\n  a:\n', []],
        ['targets:\n  a:\n  b: { baseUrl: "https://b.example.com" }\n', ['--target', 'a']],
      ])('%j without a base URL', async (text, words) => {
        expect(await refusal(text, ...words)).toMatch(/^target a has no baseUrl: .*\n$/)
      })

      test('without a key, which may be named in the target', async () => {
        const said = await refusal('targets: { a: { baseUrl: "https://a.example.com", maxCalls: 9 } }')
        expect(said).toMatch(/^the key is missing: set the environment variable ASSIST_API_KEY/)
      })
    },
  )

  test.each([
    [['--config', 'missing.yaml'], /missing\.yaml: cannot be read/],
    [['--target', 'production'], /there is no config file with targets here/],
  ])('%j', async (words, message) => {
    const { code, screen } = await run(...words)
    expect(code).toBe(2)
    expect(screen).toMatch(message)
  })

  test('with several targets asks which; a misspelt one is suggested', async () => {
    const config = writeConfig(
      'targets: { production: { baseUrl: "https://a.example.com" }, staging: { baseUrl: "https://b.example.com" } }',
    )
    expect((await run('--config', config)).screen).toMatch(/choose with --target: production, staging/)
    expect((await run('--config', config, '--target', 'stagin')).screen).toMatch(/did you mean staging\?/)
  })
})

describe('the environment', () => {
  test.each([
    [
      ['--base-url', 'https://desk.example.com'],
      /the key is missing: set the environment variable ASSIST_API_KEY/,
    ],
    [['--base-url', 'http://desk.example.com'], /is plain http/],
    [[], /the target is missing/],
  ])('%j', async (words, message) => {
    const { code, screen } = await runProgram(['run', 'set.csv', ...words], { cwd: folder })
    expect(code).toBe(2)
    expect(screen).toMatch(message)
  })
})

describe('the run folder', () => {
  test('that holds a run, or anything else, is refused', async () => {
    const endpoint = await openEndpoint()
    const words = ['--base-url', endpoint.url, '--api-key-env', 'ASSIST_KEY_A', '--rate', 'unlimited']
    expect((await run(...words, '--out', 'taken')).code).toBe(0)
    const again = await run(...words, '--out', 'taken')
    expect([again.code, again.screen]).toEqual([2, '--out taken holds a run already; name another folder\n'])
    expect((await run(...words, '--out', '.')).screen).toMatch(/is not empty/)
    expect((await run(...words, '--out', 'set.csv')).screen).toMatch(/is not a folder/)
    expect(endpoint.calls).toHaveLength(20)
  })

  test('is named by time and set where nobody names it', async () => {
    const { screen } = await run('--sandbox', '--rate', 'unlimited')
    const [, path = ''] =
      /^ {2}(reports\/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-set)\/report\.html$/m.exec(screen) ?? []
    expect(existsSync(join(folder, path, 'summary.md'))).toBe(true)
  })
})

describe('a selection', () => {
  test('takes whole threads by tag, pattern and sample', async () => {
    writeFileSync(
      join(folder, 'tagged.csv'),
      'id,thread,message,tags\na1,a,One?,x\na2,a,Two?,y\nb1,b,Three?,y\nc1,c,Four?,z\n',
    )
    const endpoint = await openEndpoint()
    const ids = async (...words: string[]): Promise<string[]> => {
      const out = join(folder, `selected-${(configs += 1)}`)
      const { code, screen } = await runProgram(runWords('tagged.csv', endpoint, out, ...words), {
        cwd: folder,
        env: KEY_ENV,
      })
      expect(code, screen).toBe(0)
      return readResults(out).map((row) => row['id'] ?? '')
    }
    expect(await ids('--tag', 'y')).toEqual(['a1', 'a2', 'b1'])
    expect(await ids('--tag', 'x', '--tag', 'z')).toEqual(['a1', 'a2', 'c1'])
    expect(await ids('--grep', 'TWO|four')).toEqual(['a1', 'a2', 'c1'])
    const sample = await ids('--sample', '1', '--seed', '5')
    expect(await ids('--sample', '1', '--seed', '5')).toEqual(sample)
    expect(['a1,a2', 'b1', 'c1']).toContain(sample.join())
  })

  test.each([
    [['--tag', 'w'], /no question of the set has this tag/],
    [['--grep', 'nowhere'], /no question matches/],
    [['--grep', '('], /--grep must be a regular expression/],
    [['--sample', '0'], /--sample must be a whole number from 1 to 999,999,999,999,999$/m],
  ])('%j is refused', async (words, message) => {
    const { code, screen } = await run('--sandbox', ...words)
    expect(code).toBe(2)
    expect(screen).toMatch(message)
  })
})

test('end users can be sent as keyed hashes; the raw value is written nowhere', async () => {
  const endpoint = await openEndpoint()
  writeFileSync(
    join(folder, 'refs.csv'),
    'message,end_user_ref\nHello?,what do ya want for nothing?\nBye?,\n',
  )
  const words = [
    'run',
    'refs.csv',
    '--base-url',
    endpoint.url,
    '--api-key-env',
    'ASSIST_KEY_A',
    '--rate',
    'unlimited',
  ]
  const missing = await runProgram([...words, '--hash-end-user-refs'], { cwd: folder, env })
  expect([missing.code, missing.screen]).toEqual([2, expect.stringMatching(/ASSIST_HASH_KEY/)])
  const out = join(folder, 'hashed')
  const hashed = await runProgram([...words, '--hash-end-user-refs', '--out', out], {
    cwd: folder,
    env: { ...env, ASSIST_HASH_KEY: 'Jefe' },
  })
  expect(hashed.code, hashed.screen).toBe(0)
  // RFC 4231, test case 2.
  const expected = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'
  expect(endpoint.calls.find(({ body }) => body.message === 'Hello?')?.body.endUserRef).toBe(expected)
  for (const name of [
    'journal.ndjson',
    'junit.xml',
    'report.html',
    'results.csv',
    'run.json',
    'summary.json',
    'summary.md',
  ])
    expect(readFileSync(join(out, name), 'utf8')).not.toContain('do ya want')
  expect(readResults(out)[0]?.['end_user_ref']).toBe(expected)
})
