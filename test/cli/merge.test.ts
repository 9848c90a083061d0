// `merge` through the built program: what it joins, what it refuses, and how parts that did not end well come together.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stringify } from 'csv-stringify/sync'
import { describe, expect, test } from 'vitest'
import { createIdsDigest } from '../../src/dataset/shard.ts'
import type { History } from '../../src/domain/history/history.ts'
import type { Manifest } from '../../src/domain/manifest.ts'
import { answerJson, goodReply, type Behaviour, type TestEndpoint } from '../support/endpoint.ts'
import { openEndpoint } from '../support/open-endpoint.ts'
import { recordRun } from '../support/recorded-run.ts'
import { makeQuestion } from '../support/questions.ts'
import { readResults, readSummary, runProgram, startProgram, type Ended } from '../support/program.ts'
import { KEY_ENV, resumeWords, runWords } from '../support/runs.ts'
import { comparableRows, comparableSummary } from '../support/shards.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const go = async (...words: readonly string[]): Promise<Ended> =>
  runProgram(words, { cwd: folder, env: KEY_ENV })

let made = 0
/** A set of so many threads, every third of them with three turns; its first question must pass. */
function makeSet(threads = 9): string {
  made += 1
  const rows = Array.from({ length: threads }, (_, place) => {
    const turns = place % 3 === 0 ? ['1', '2', '3'] : ['1']
    return turns.map(
      (turn) => `q${place}.${turn},t${place},Q${place}.${turn},even;n${place},${place === 0 ? 'x' : ''}`,
    )
  })
  const path = `set-${made}.csv`
  writeFileSync(join(folder, path), `id,thread,message,tags,must_pass\n${rows.flat().join('\n')}\n`)
  return path
}

const shardWords = (set: string, endpoint: TestEndpoint, part: string, ...more: string[]): string[] => [
  ...runWords(set, endpoint, outOf(set, part), '--organization', 'acme', ...more),
  '--shard',
  part,
]
const byNumber = (a: number | null, b: number | null): number => (a ?? -1) - (b ?? -1)

const outOf = (set: string, part: string): string => `${set}-${part.replace('/', '-of-')}`

async function askAll(
  set: string,
  endpoint: TestEndpoint,
  of: number,
  ...more: string[]
): Promise<{ readonly ended: readonly Ended[]; readonly parts: readonly string[] }> {
  const names = Array.from({ length: of }, (_, place) => `${place + 1}/${of}`)
  // Side by side, as machines of a CI would.
  const ended = await Promise.all(names.map(async (name) => go(...shardWords(set, endpoint, name, ...more))))
  return { ended, parts: names.map((name) => outOf(set, name)) }
}

const manifestOf = (run: string): Manifest =>
  JSON.parse(readFileSync(join(folder, run, 'run.json'), 'utf8')) as Manifest
const rewrite = (run: string, change: (manifest: Manifest) => Manifest): void =>
  writeFileSync(join(folder, run, 'run.json'), JSON.stringify(change(manifestOf(run))))
const summaryOf = (run: string) => readSummary(join(folder, run))

/** What one process comes to, at the same endpoint. */
async function askAlone(set: string, endpoint: TestEndpoint, ...more: string[]): Promise<string> {
  const out = `${set}-alone`
  await go(...runWords(set, endpoint, out, '--organization', 'acme', ...more))
  return out
}

function expectSame(joined: string, alone: string): void {
  expect(comparableSummary(summaryOf(joined))).toEqual(comparableSummary(summaryOf(alone)))
  expect(comparableRows(join(folder, joined))).toEqual(comparableRows(join(folder, alone)))
}

describe('a part', () => {
  test('that there is none of is refused with the mend', async () => {
    const { code, stderr } = await go('run', makeSet(), '--shard=5/4', '--sandbox')
    expect([code, stderr]).toEqual([2, expect.stringContaining('like 1/4, 2/4, 3/4 and 4/4')])
  })

  test('says what it is, what is judged of the whole alone, and how', async () => {
    const endpoint = await openEndpoint()
    const set = makeSet()
    const gates = ['--threshold', 'coverage>=101%', '--allow-errors', '1%']
    const { ended } = await askAll(set, endpoint, 2, ...gates)
    expect(ended.map(({ code }) => code)).toEqual([0, 0])
    const summary = summaryOf(outOf(set, '2/2'))
    expect(summary).toMatchObject({
      verdict: 'part',
      exitCode: 0,
      thresholds: [],
      shard: { index: 2, of: 2, judgedByMerge: ['--threshold coverage>=101%', '--allow-errors 1%'] },
    })
    const markdown = readFileSync(join(folder, outOf(set, '2/2'), 'summary.md'), 'utf8')
    for (const text of [ended[1]?.stderr, markdown]) {
      expect(text).toMatch(/part 2 of 2 of the set: .*alone .*--allow-errors 1%.* is left to merge/)
      expect(text).toContain('npx assist-harness merge')
    }
    const said = await go('report', outOf(set, '2/2'), '--threshold', 'coverage>=99%')
    expect([said.code, said.stderr]).toEqual([
      0,
      expect.stringMatching(
        /^Not yet judged: .*--threshold coverage>=99%.* not judged on a part, but by merge/m,
      ),
    ])
    const page = readFileSync(join(folder, outOf(set, '2/2'), 'report.html'), 'utf8')
    expect(page).toContain('Not yet judged')
  })

  test('fails for a turn that fails the whole wherever it stands', async () => {
    const endpoint = await openEndpoint((call) =>
      call.body.message === 'Q1.1' ? answerJson(call, 404, { error: { message: 'no' } }) : false,
    )
    const set = makeSet()
    const { ended, parts } = await askAll(set, endpoint, 3, '--threshold', 'coverage>=1%')
    expect(ended.map(({ code }) => code).toSorted(byNumber)).toEqual([0, 0, 1])
    const merged = await go('merge', ...parts, '--out', `${set}-joined`)
    expect(merged.code, merged.stderr).toBe(1)
    expect(merged.stderr).toContain('1 turn ended in an error')
    expectSame(`${set}-joined`, await askAlone(set, endpoint, '--threshold', 'coverage>=1%'))
  })

  test('without a question is complete, asks nothing, and is joined with the others', async () => {
    const endpoint = await openEndpoint()
    const set = makeSet(1)
    const { ended, parts } = await askAll(set, endpoint, 4, '--max-calls', '12')
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0])
    expect(parts.map((part) => summaryOf(part).turns.total).toSorted(byNumber)).toEqual([0, 0, 0, 3])
    expect(parts.map((part) => manifestOf(part).state)).toEqual(Array(4).fill('complete'))
    const empty = parts.findIndex((part) => summaryOf(part).turns.total === 0)
    const markdown = readFileSync(join(folder, parts[empty] ?? '', 'summary.md'), 'utf8')
    for (const text of [ended[empty]?.stderr, markdown])
      expect(text).toMatch(/Part\W+part \d of 4 has no question: the whole is judged by merge/)
    expect((await go('merge', ...parts, '--out', `${set}-joined`)).code).toBe(0)
    expectSame(`${set}-joined`, await askAlone(set, endpoint))
  })

  test('estimate tells the calls of the part, and they add up to those of the whole', async () => {
    const set = makeSet()
    const base = async (...more: string[]): Promise<number> => {
      const { stdout } = await go('estimate', set, '--json', ...more)
      return (JSON.parse(stdout) as { calls: { base: number } }).calls.base
    }
    const [whole, ...parts] = await Promise.all([
      base(),
      ...['1/3', '2/3', '3/3'].map(async (part) => base('--shard', part)),
    ])
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(whole)
    expect(Math.max(...parts)).toBeLessThan(whole)
  })

  test('load asks the threads of the part alone', async () => {
    const endpoint = await openEndpoint()
    const set = makeSet()
    const shared = ['load', set, '--base-url', endpoint.url, '--arrival-rate', '20/s', '--duration', '1s']
    const [asked, first] = await Promise.all([
      go(...shared, '--shard', '1/2', '--out', `${set}-load`),
      go(...runWords(set, endpoint, `${set}-run`, '--shard', '1/2')),
    ])
    expect(asked.code, asked.stderr).toBe(0)
    expect(first.code, first.stderr).toBe(0)
    const mine = new Set(readResults(join(folder, `${set}-run`)).map((row) => row['message']))
    expect(new Set(endpoint.calls.map(({ body }) => body.message))).toEqual(mine)
    expect(mine.size).toBeLessThan(15)
    const words = ['load', makeSet(1), ...shared.slice(2), '--shard']
    const empty = await Promise.all([go(...words, '1/2', '--out', 'e1'), go(...words, '2/2', '--out', 'e2')])
    expect(empty.map(({ code }) => code).toSorted(byNumber)).toEqual([0, 2])
    expect(empty.map((one) => one.stderr).join('')).toMatch(/--shard .\/2 holds no thread of the set/)
    const refused = await go('merge', `${set}-load`)
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('holds a load test')])
  })
})

describe('merge', () => {
  test('joins confirmations of questions that must pass, and repeats', async () => {
    const behave = (): Behaviour => {
      const asked = new Map<string, number>()
      // The first answers to what must pass are not from the knowledge base; a later one is.
      return (call) => {
        const { message } = call.body
        const times = (asked.get(message) ?? 0) + 1
        asked.set(message, times)
        const fails = message === 'Q0.1' && times <= 3
        return fails ? answerJson(call, 200, { ...goodReply(call), contextSource: 'MODEL' }) : false
      }
    }
    made += 1
    const set = `must-${made}.csv`
    const rows = Array.from({ length: 6 }, (_, n) => `q${n},t${n},Q${n}.1,x,KNOWLEDGE_BASE`)
    writeFileSync(join(folder, set), `id,thread,message,must_pass,expect_source\n${rows.join('\n')}\n`)
    const more = ['--repeat', '2', '--confirm', '2']
    const { parts, ended } = await askAll(set, await openEndpoint(behave()), 3, ...more)
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0])
    const merged = await go('merge', ...parts, '--out', `${set}-joined`)
    expect(merged.code, merged.stderr).toBe(0)
    const alone = await askAlone(set, await openEndpoint(behave()), ...more)
    const [found, expected] = [summaryOf(`${set}-joined`), summaryOf(alone)]
    expect(found.mustPass).toEqual(expected.mustPass)
    expect(found.mustPass).toMatchObject([{ id: 'q0', confirmations: 2, confirmed: true }])
    expect(found.quota).toEqual(expected.quota)
  })

  test('judges the whole by the gates of the parts, or by those that are said', async () => {
    const endpoint = await openEndpoint((call) =>
      call.body.message === 'Q1.1'
        ? answerJson(call, 200, { ...goodReply(call), contextSource: 'MODEL' })
        : false,
    )
    const set = makeSet()
    const { parts } = await askAll(set, endpoint, 3, '--threshold', 'coverage>=100%')
    const failed = await go('merge', ...parts, '--out', `${set}-a`)
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('coverage>=100%')])
    const passed = await go('merge', ...parts, '--out', `${set}-b`, '--threshold', 'coverage>=50%', '--json')
    expect(passed.code, passed.stderr).toBe(0)
    expect(JSON.parse(passed.stdout)).toEqual(summaryOf(`${set}-b`))
    const unknown = await go('merge', ...parts, '--out', `${set}-c`, '--threshold', 'coverage[evne]>=50%')
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('even')])
    expect(existsSync(join(folder, `${set}-c`))).toBe(false)
  })

  test('holds the whole against the baseline that was said for the parts', async () => {
    let isWorse = false
    const endpoint = await openEndpoint((call) =>
      isWorse ? answerJson(call, 200, { ...goodReply(call), contextSource: 'MODEL' }) : false,
    )
    const set = makeSet(12)
    const accepted = await askAlone(set, endpoint)
    isWorse = true
    const { ended, parts } = await askAll(set, endpoint, 2, '--baseline', accepted)
    expect(
      ended.map(({ code }) => code),
      ended[1]?.stderr,
    ).toEqual([0, 0])
    expect(parts.map((part) => existsSync(join(folder, part, 'comparison.json')))).toEqual([false, false])
    const merged = await go('merge', ...parts, '--out', join('deeper', `${set}-joined`))
    expect(merged.code, merged.stderr).toBe(1)
    expect(merged.stderr).toContain(`compared with ${accepted}`)
    const joined = await go('report', join('deeper', `${set}-joined`))
    expect(joined.code, joined.stderr).toBe(1)
  })

  test('names the parts that are missing, and joins without them only where it is said', async () => {
    const endpoint = await openEndpoint()
    const set = makeSet()
    const { parts } = await askAll(set, endpoint, 4)
    const some = [parts[0] ?? '', parts[3] ?? '']
    const refused = await go('merge', ...some, '--out', `${set}-a`)
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('parts 2, 3 of 4 are missing (--shard 2/4, --shard 3/4)'),
    ])
    expect(existsSync(join(folder, `${set}-a`))).toBe(false)
    const partial = await go('merge', ...some, '--out', `${set}-b`, '--partial')
    expect([partial.code, partial.stderr]).toEqual([
      4,
      expect.stringContaining('parts 2, 3 of 4 are missing'),
    ])
    const there = some.reduce((sum, part) => sum + summaryOf(part).turns.answered, 0)
    expect(summaryOf(`${set}-b`)).toMatchObject({
      state: 'incomplete',
      verdict: 'incomplete',
      turns: { total: 15, answered: there, notAsked: 15 - there },
    })
    // The whole run goes on, with what the missing parts would have asked.
    const before = endpoint.calls.length
    const resumed = await go(...resumeWords(partial.stderr))
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(endpoint.calls.length - before).toBe(15 - there)
    expect(summaryOf(`${set}-b`).turns).toMatchObject({ total: 15, answered: 15 })
    const alone = await askAlone(set, endpoint)
    expect(comparableRows(join(folder, `${set}-b`))).toEqual(comparableRows(join(folder, alone)))
  })

  test('joined without a part, it says to put back the set that the questions of that part are read from', async () => {
    const endpoint = await openEndpoint()
    const set = makeSet()
    const path = join(folder, set)
    const { parts } = await askAll(set, endpoint, 3)
    const out = `${set}-joined`
    await go('merge', ...[parts[0], parts[2]].map(String), '--out', out, '--partial')
    const resume = ['run', '--resume', out]
    const why = `${out} was joined without part 2 of 3, whose questions are read from the set as it was: put it back`
    const calls = endpoint.calls.length
    writeFileSync(join(folder, 'moved.csv'), readFileSync(path))
    rmSync(path)
    expect((await go('report', out)).code).toBe(4)
    const gone = await go(...resume)
    expect([gone.code, gone.stderr]).toEqual([
      2,
      expect.stringContaining(`${set} is not there any more; ${why}`),
    ])
    writeFileSync(path, `${readFileSync(join(folder, 'moved.csv'), 'utf8')}more,,More,,\n`)
    for (const words of [resume, [...resume, '--accept-changes']]) {
      const changed = await go(...words)
      expect([changed.code, changed.stderr]).toEqual([
        2,
        expect.stringContaining(`${set} has changed since the run was started; ${why}`),
      ])
      expect(changed.stderr).not.toContain('start a new run')
    }
    expect(endpoint.calls.length).toBe(calls)
    const resumed = await go('run', 'moved.csv', '--resume', out)
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(summaryOf(out).turns).toMatchObject({ total: 15, answered: 15 })
  })

  test.each([2, 7])(
    'divides a budget of %i, and the joined run goes on with a larger one',
    async (maxCalls) => {
      const endpoint = await openEndpoint()
      const set = makeSet()
      const { parts, ended } = await askAll(set, endpoint, 3, '--max-calls', String(maxCalls))
      expect(parts.reduce((sum, part) => sum + (manifestOf(part).options.maxCalls ?? 0), 0)).toBe(maxCalls)
      expect(endpoint.calls.length).toBeLessThanOrEqual(maxCalls)
      expect(ended.map(({ code }) => code)).toEqual(parts.map((part) => summaryOf(part).exitCode))
      const merged = await go('merge', ...parts, '--out', `${set}-joined`)
      const asked = endpoint.calls.length
      expect(summaryOf(`${set}-joined`)).toMatchObject({
        turns: { total: 15, answered: asked, notAsked: 15 - asked },
        quota: { attempts: asked, certain: asked },
      })
      expect(merged.code, merged.stderr).toBe(asked === 15 ? 0 : 4)
      if (merged.code === 0) return
      expect(merged.stderr).toContain('the call budget of')
      const words = resumeWords(merged.stderr)
      // Parts may stop although the whole has calls left: then nothing need be raised.
      await go(...words, ...(words.includes('--max-calls') ? [] : ['--max-calls', '15']))
      expect(endpoint.calls.length).toBe(15)
      const conversations = new Map<string, Set<string>>()
      for (const row of readResults(join(folder, `${set}-joined`)))
        conversations.set(
          row['thread'] ?? '',
          (conversations.get(row['thread'] ?? '') ?? new Set()).add(row['conversation_id'] ?? ''),
        )
      // A thread that had begun went on in its own conversation.
      expect([...conversations.values()].map((ids) => ids.size)).toEqual(Array(9).fill(1))
      expect(summaryOf(`${set}-joined`)).toMatchObject({ state: 'complete', turns: { answered: 15 } })
    },
  )

  test('a part that used up its calls is named, and its own resume takes a budget of the whole', async () => {
    const endpoint = await openEndpoint()
    const set = makeSet()
    const { ended, parts } = await askAll(set, endpoint, 2, '--max-calls', '10')
    const place = ended.findIndex(({ code }) => code === 4)
    const [part, said] = [parts[place] ?? '', ended[place]?.stderr ?? '']
    const merged = await go('merge', ...parts, '--out', `${set}-a`)
    expect(merged.stderr).toContain(`the call budget of 5, that of part ${place + 1} of 2, is used up`)
    const resumed = await go(...resumeWords(said))
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(summaryOf(part).turns.notAsked).toBe(0)
    expect((await go('merge', ...parts, '--out', `${set}-b`)).code).toBe(0)
    const { sittings } = summaryOf(`${set}-b`).run
    expect([sittings, endpoint.calls.length]).toEqual([2, 15])
  })

  describe('of a budget that some parts used up and others had over', () => {
    // The parts have 3, 5, 9 and 8 turns.
    const askFour = async (maxCalls: number) => {
      const [endpoint, set] = [await openEndpoint(), makeSet(15)]
      const { ended, parts } = await askAll(set, endpoint, 4, '--max-calls', String(maxCalls))
      expect(ended.map(({ code }) => code)).toEqual([0, 0, 4, 4])
      return { endpoint, out: `${set}-joined`, parts }
    }
    const goOn = async (out: string, said: string): Promise<string[]> => {
      const words = resumeWords(said)
      expect(resumeWords((await go('report', out)).stderr)).toEqual(words)
      const resumed = await go(...words)
      expect(resumed.code, resumed.stderr).toBe(0)
      expect(summaryOf(out).turns).toMatchObject({ total: 25, answered: 25 })
      return words
    }

    test('names all of the first, and its command raises it as far as it takes', async () => {
      const { endpoint, out, parts } = await askFour(20)
      const { code, stderr } = await go('merge', ...parts, '--out', out)
      expect(code, stderr).toBe(4)
      expect(stderr).toContain('the call budget of 10, that of parts 3, 4 of 4, is used up; 7 turns have')
      expect(await goOn(out, stderr)).toEqual(['run', '--resume', out, '--max-calls', '25'])
      expect(endpoint.calls.length).toBe(25)
    })

    test.each([
      { missing: 3, maxCalls: 20, raised: ['--max-calls', '25'] },
      { missing: 1, maxCalls: 28, raised: [] },
    ])(
      'keeps the share of part $missing that is missing of $maxCalls, and says what it cannot count',
      async ({ missing, maxCalls, raised }) => {
        const { out, parts } = await askFour(maxCalls)
        const there = parts.filter((_, place) => place + 1 !== missing)
        const { code, stderr } = await go('merge', ...there, '--partial', '--out', out)
        expect(code, stderr).toBe(4)
        expect(manifestOf(out).options.maxCalls).toBe(maxCalls)
        expect(summaryOf(out).warnings).toContain(
          `calls that part ${missing} of 4 may have made are not known here: the call budget of ${maxCalls} does not count them`,
        )
        expect(await goOn(out, stderr)).toEqual(['run', '--resume', out, ...raised])
      },
    )

    test('raises nothing where it was not the budget that ended a part', async () => {
      const [endpoint, set] = [await openEndpoint(), makeSet(15)]
      const { parts } = await askAll(set, endpoint, 4, '--max-calls', '100')
      // As if each had been interrupted before its first call, with a budget that is too small.
      for (const part of parts) {
        const journal = join(folder, part, 'journal.ndjson')
        const lines = readFileSync(journal, 'utf8').trimEnd().split('\n')
        const first = lines.findIndex((line) => line.startsWith('{"kind":"intent"'))
        writeFileSync(journal, `${lines.slice(0, first).join('\n')}\n`)
        rewrite(part, (manifest) => ({
          ...manifest,
          state: 'interrupted',
          options: { ...manifest.options, maxCalls: 2 },
        }))
      }
      const { stderr } = await go('merge', ...parts, '--out', `${set}-joined`)
      expect(resumeWords(stderr)).toEqual(['run', '--resume', `${set}-joined`])
    })
  })

  test('a part that was killed is refused, goes on as the part it is, and is joined with its account', async () => {
    const endpoint = await openEndpoint((call) => call.number === 3)
    const set = makeSet()
    const part = outOf(set, '1/2')
    const running = startProgram(shardWords(set, endpoint, '1/2'), { cwd: folder, env: KEY_ENV })
    await endpoint.called(3)
    const early = await go('merge', part)
    expect([early.code, early.stderr]).toEqual([
      2,
      expect.stringMatching(/process \d+ is still asking part 1 of 2/),
    ])
    running.signal('SIGKILL')
    await running.ended
    await go(...shardWords(set, endpoint, '2/2'))
    const refused = await go('merge', part, outOf(set, '2/2'))
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(`run --resume ${part}`)])
    const partial = await go('merge', part, outOf(set, '2/2'), '--partial', '--out', `${set}-a`)
    expect([partial.code, partial.stderr]).toEqual([4, expect.stringContaining('the process ended before')])
    expect(summaryOf(`${set}-a`).quota).toMatchObject({ possible: 1, attempts: endpoint.calls.length })

    const other = await go('run', '--resume', part, '--shard', '2/2')
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('--shard was 1/2, not 2/2')])
    const resumed = await go('run', '--resume', part)
    expect(resumed.code, resumed.stderr).toBe(0)
    // A torn last line and a line that nobody can read, which may have been an attempt.
    const journal = join(folder, part, 'journal.ndjson')
    const lines = readFileSync(journal, 'utf8').trimEnd().split('\n')
    const last = lines.findLastIndex((line) => line.startsWith('{"kind":"intent"'))
    lines[last] = `${lines[last]?.slice(0, 40)}#`
    writeFileSync(journal, `${lines.join('\n')}\n{"kind":"pac`)
    const merged = await go('merge', part, outOf(set, '2/2'), '--out', `${set}-b`)
    expect(merged.code, merged.stderr).toBe(0)
    const { quota, run, warnings } = summaryOf(`${set}-b`)
    expect([quota.attempts, quota.possible, run.sittings]).toEqual([endpoint.calls.length, 1, 2])
    expect(warnings.join('\n')).toContain('part 1 of 2: line')
    expect(readResults(join(folder, `${set}-b`)).every((row) => row['outcome'] === 'answered')).toBe(true)
  })

  test('an attempt that a journal has lost at its end stays in the account', async () => {
    const endpoint = await openEndpoint()
    const set = makeSet()
    const { parts } = await askAll(set, endpoint, 2, '--max-calls', '6')
    const journal = join(folder, parts[1] ?? '', 'journal.ndjson')
    const lines = readFileSync(journal, 'utf8').trimEnd().split('\n')
    const last = lines.findLastIndex((line) => line.startsWith('{"kind":"intent"'))
    writeFileSync(journal, `${[...lines.slice(0, last), '{"kind":"inte#'].join('\n')}\n`)
    expect((await go('merge', ...parts, '--out', `${set}-joined`)).code).toBe(4)
    const { quota } = summaryOf(`${set}-joined`)
    expect(quota).toMatchObject({ attempts: 6, certain: 5, possible: 1 })
  })

  test('refuses what are no parts of one run, naming the difference', async () => {
    const endpoint = await openEndpoint()
    const set = makeSet()
    const other = makeSet(8)
    const words = (part: string, out: string, ...more: string[]): string[] => [
      ...runWords(set, endpoint, out, '--organization', 'acme', ...more, '--shard', part),
    ]
    await Promise.all([
      go(...words('1/2', 'first')),
      go(...words('1/2', 'again')),
      go(...words('2/2', 'second')),
      go(...words('2/3', 'of-three')),
      go(...words('2/2', 'gated', '--threshold', 'coverage>=1%')),
      go(...runWords(other, endpoint, 'other', '--organization', 'acme', '--shard', '2/2')),
      go(...runWords(set, endpoint, 'whole')),
    ])
    cpSync(join(folder, 'first'), join(folder, 'copied'), { recursive: true })
    const refusals: [string[], string][] = [
      [['first', 'again'], 'first and again are both part 1 of 2, asked twice'],
      [['--out', 'of-both', '--', 'first', '-again'], '-again holds no run'],
      [['first', 'copied'], 'first and copied are both part 1 of 2, one a copy of the other: name one'],
      [['first', 'first', 'second'], 'first and first are both part 1 of 2: name one'],
      [['first', 'of-three'], 'the number of parts (--shard): 2, and 3'],
      [['first', 'gated'], '--threshold: [], and ["coverage>=1%"] (say it with merge'],
      [['first', 'other'], 'the question sets:'],
      [['whole', 'first'], 'whole is a whole run, asked without --shard'],
      [['first', 'nothing'], 'nothing holds no run'],
      [['first', 'second', '--out', 'whole'], '--out whole holds a run already'],
    ]
    const before = readdirSync(folder).sort()
    await Promise.all(
      refusals.map(async ([runs, said]) => {
        const { code, stderr } = await go('merge', ...runs)
        expect([code, stderr], runs.join(' ')).toEqual([2, expect.stringContaining(said)])
      }),
    )
    expect(readdirSync(folder).sort()).toEqual(before)
    expect((await go('merge', 'first', 'gated', '--threshold', 'coverage>=2%', '--out', 'mended')).code).toBe(
      0,
    )
    expect((await go('merge', 'first', 'second', '--out', 'joined')).code).toBe(0)
    const twice = await go('merge', 'joined', 'second')
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('joined is joined already')])
    expect((await go('merge')).stderr).toContain('the run folders of all parts of one run')
  })

  test('a part that went on with a better key is joined; other days and other keys are told of in the report', async () => {
    const endpoint = await openEndpoint((call) =>
      call.headers.authorization?.includes('worn-out') === true
        ? answerJson(call, 401, { error: { message: 'no' } })
        : false,
    )
    const set = makeSet()
    const words = (part: string): string[] => runWords(set, endpoint, outOf(set, part), '--shard', part)
    expect((await go(...words('1/2'))).code).toBe(0)
    const env = { ASSIST_API_KEY: 'worn-out-key-0123456789' }
    const stopped = await runProgram(words('2/2'), { cwd: folder, env })
    expect(stopped.code, stopped.stderr).toBe(3)
    const resumed = await go(...resumeWords(stopped.stderr))
    expect(resumed.code, resumed.stderr).toBe(0)
    const parts = [outOf(set, '1/2'), outOf(set, '2/2')]
    // Nobody names the organization: it is called by a key, and may be called by one before.
    rewrite(parts[1] ?? '', (manifest) => ({
      ...manifest,
      startedAt: new Date(Date.parse(manifest.startedAt) - 30 * 3_600_000).toISOString(),
      target: { ...manifest.target, keyFingerprint: '01234567' },
    }))
    const merged = await go('merge', ...parts, '--out', `${set}-joined`)
    expect(merged.code, merged.stderr).toBe(0)
    const { warnings, run } = summaryOf(`${set}-joined`)
    expect(warnings.join('\n')).toMatch(/more than a day apart: part 2 of 2 was started/)
    expect(warnings.join('\n')).toMatch(/different keys \(\w{8}, 01234567\)/)
    expect(run.startedAt).toBe(manifestOf(parts[1] ?? '').startedAt)
    expect(readFileSync(join(folder, `${set}-joined`, 'summary.md'), 'utf8')).toContain('a day apart')
  })

  test('parts that took on a changed set are joined in the order that it has now', async () => {
    const endpoint = await openEndpoint()
    const set = makeSet()
    const { parts } = await askAll(set, endpoint, 3)
    const path = join(folder, set)
    const [header, ...rows] = readFileSync(path, 'utf8').trimEnd().split('\n')
    const added = Array.from({ length: 6 }, (_, n) => `new${n},s${n},N${n},,`)
    writeFileSync(path, `${[header, ...added.slice(0, 3), ...rows.slice(1), ...added.slice(3)].join('\n')}\n`)
    const refused = await go('merge', ...parts, '--out', `${set}-a`)
    expect(refused.code, refused.stderr).toBe(0)
    await Promise.all(parts.slice(0, 2).map(async (part) => go('run', '--resume', part, '--accept-changes')))
    const mixed = await go('merge', ...parts, '--out', `${set}-b`)
    expect([mixed.code, mixed.stderr]).toEqual([2, expect.stringContaining('--accept-changes')])
    for (const part of parts.slice(2)) await go('run', '--resume', part, '--accept-changes')
    const merged = await go('merge', ...parts, '--out', `${set}-c`)
    expect(merged.code, merged.stderr).toBe(0)
    const ids = readResults(join(folder, `${set}-c`)).map((row) => row['id'])
    expect(ids).toEqual(
      [...added.slice(0, 3), ...rows.slice(1), ...added.slice(3)].map((row) => row.split(',')[0]),
    )
    expect(summaryOf(`${set}-c`).quota.attempts).toBe(endpoint.calls.length)
  })

  test('parts whose files hold the same questions in other bytes are joined, and a note names them', async () => {
    const endpoint = await openEndpoint()
    const set = makeSet()
    const text = readFileSync(join(folder, set), 'utf8')
    mkdirSync(join(folder, 'windows'), { recursive: true })
    writeFileSync(join(folder, 'windows', set), `\uFEFF${text.replaceAll('\n', '\r\n')}`)
    const parts = [outOf(set, '1/3'), outOf(set, '2/3'), outOf(set, '3/3')]
    await go(...shardWords(set, endpoint, '1/3'))
    const onWindows = runWords(join('windows', set), endpoint, parts[1] ?? '', '--organization', 'acme')
    await go(...onWindows, '--shard', '2/3')
    await go(...shardWords(set, endpoint, '3/3'))
    const merged = await go('merge', ...parts, '--out', `${set}-joined`)
    expect(merged.code, merged.stderr).toBe(0)
    const alone = await askAlone(set, endpoint)
    const [note, ...others] = summaryOf(`${set}-joined`).warnings
    expect(note).toMatch(/differ in their bytes, and in no question: .* in parts 1, 3 .*, .* in part 2$/)
    expect(comparableSummary({ ...summaryOf(`${set}-joined`), warnings: others })).toEqual(
      comparableSummary(summaryOf(alone)),
    )
    expect(comparableRows(join(folder, `${set}-joined`))).toEqual(comparableRows(join(folder, alone)))
    // It is the first part's file that the joined run was asked with.
    const [recorded] = manifestOf(`${set}-joined`).datasets
    expect(recorded).toEqual(manifestOf(alone).datasets[0])
    // Asked again of one's own file, what was recorded is as it was.
    await go('run', '--resume', parts[1] ?? '', '--accept-changes')
    expect((await go('merge', ...parts, '--out', `${set}-again`)).code).toBe(0)
  })

  test.each<[string, string[]]>([
    ['of all of it', []],
    ['of a sample', ['--sample', '6']],
  ])(
    'parts %s that hold another text under the same ids are joined once all were asked the same set',
    async (_, more) => {
      const endpoint = await openEndpoint()
      const set = makeSet()
      mkdirSync(join(folder, 'edited'), { recursive: true })
      const edited = join('edited', set)
      writeFileSync(
        join(folder, edited),
        readFileSync(join(folder, set), 'utf8').replaceAll(/,Q(\d)/g, ',Anew $1'),
      )
      const parts = [outOf(set, '1/2'), outOf(set, '2/2')]
      await go(...shardWords(set, endpoint, '1/2', ...more))
      const words = runWords(edited, endpoint, parts[1] ?? '', '--organization', 'acme', ...more)
      await go(...words, '--shard', '2/2')
      const refused = await go('merge', ...parts, '--out', `${set}-joined`)
      expect(refused.code).toBe(2)
      const advice = /for each part, run FILE (--resume) DIR (--accept-changes) with/.exec(refused.stderr)
      expect(refused.stderr).not.toContain('the questions chosen')
      for (const part of parts) await go('run', edited, ...[advice?.[1], part, advice?.[2]].map(String))
      const merged = await go('merge', ...parts, '--out', `${set}-joined`)
      expect(merged.code, merged.stderr).toBe(0)
      const alone = await askAlone(edited, endpoint, ...more)
      const messages = (run: string): unknown[] => readResults(join(folder, run)).map((row) => row['message'])
      expect(messages(`${set}-joined`)).toEqual(messages(alone))
    },
  )

  test('parts take on a set in which none of their own questions changed', async () => {
    const endpoint = await openEndpoint()
    const set = makeSet()
    const { parts } = await askAll(set, endpoint, 3)
    const path = join(folder, set)
    writeFileSync(path, `${readFileSync(path, 'utf8')}new,new,New,even,\n`)
    const grown: string[] = []
    for (const part of parts) {
      const { datasets, shard } = manifestOf(part)
      const { code, stderr } = await go('run', '--resume', part)
      expect(manifestOf(part)).toMatchObject({ datasets, shard })
      if (code === 2) grown.push(part)
      else
        expect(stderr).toMatch(
          /but no question of part \d of 3 \(the whole has 16 questions in 10 threads now, and had 15 in 9\): going on as a part of the set as it was/,
        )
    }
    expect(grown).toHaveLength(1)
    await go('run', '--resume', String(grown), '--accept-changes')
    for (const more of [[], ['--partial']]) {
      const mixed = await go('merge', ...parts, '--out', `${set}-joined`, ...more)
      expect([mixed.code, mixed.stderr]).toEqual([2, expect.stringMatching(/1[56] in (9|10)$/m)])
      expect(mixed.stderr).not.toMatch(/[{}]/)
    }
    for (const part of parts.filter((one) => !grown.includes(one))) {
      const taken = await go('run', '--resume', part, '--accept-changes')
      expect([taken.code, taken.stderr]).toEqual([0, expect.stringContaining('taken on as it is now')])
    }
    const calls = endpoint.calls.length
    const merged = await go('merge', ...parts, '--out', `${set}-joined`)
    expect(merged.code, merged.stderr).toBe(0)
    expect(calls).toBe(16)
    const alone = await askAlone(set, endpoint)
    // The parts were gone on with, and nothing else tells them from one process.
    const { run, ...figures } = comparableSummary(summaryOf(`${set}-joined`))
    expect({ ...figures, run: { ...run, sittings: 1 } }).toEqual(comparableSummary(summaryOf(alone)))
    expect(comparableRows(join(folder, `${set}-joined`))).toEqual(comparableRows(join(folder, alone)))
  })

  test(
    'killed, it leaves nothing that looks whole, and the next one takes that away',
    { timeout: 240_000 },
    async () => {
      const turns = 6000
      const ids = Array.from({ length: turns }, (_, place) => `q${place}`)
      const digest = createIdsDigest()
      for (const id of ids) digest.add(id)
      const whole = { questions: turns, threads: turns, turns: [turns], digest: digest.finish() }
      recordRun(join(folder, 'long'), {
        turns: ids.map((id, place) => ({
          question: makeQuestion(id, id, 1, { line: place + 2 }),
          came: { answer: 'yes', source: 'KNOWLEDGE_BASE' },
        })),
        manifest: { state: 'complete', shard: { index: 1, of: 1, maxCalls: null, numbered: turns, whole } },
      })
      const running = startProgram(['merge', 'long', '--out', 'cut'], { cwd: folder, env: KEY_ENV })
      const left = (): string[] => readdirSync(folder).filter((name) => name.startsWith('cut'))
      while (left().length === 0) await sleep(2)
      running.signal('SIGKILL')
      await running.ended
      expect(left()).toEqual([`cut.merging.${running.pid}`])
      expect(readdirSync(join(folder, left()[0] ?? ''))).not.toContain('run.json')
      const again = await go('merge', 'long', '--out', 'cut')
      expect(again.code, again.stderr).toBe(0)
      expect(left()).toEqual(['cut'])
      expect(summaryOf('cut').turns).toMatchObject({ total: turns, answered: turns })
    },
  )

  test('takes the reviews of the parts, and says where one cannot be read', async () => {
    const set = makeSet()
    const path = join(folder, set)
    // A word of the set itself, for a column of this name, is nobody's review.
    const [header, ...rows] = readFileSync(path, 'utf8').trimEnd().split('\n')
    writeFileSync(path, `${header},review\n${rows.map((row) => `${row},later`).join('\n')}\n`)
    const { parts } = await askAll(set, await openEndpoint(), 2)
    const results = join(parts[0] ?? '', 'results.csv')
    const table = readResults(join(folder, parts[0] ?? ''))
    const [good, misspelt] = table.map(({ id }) => id)
    const reviewOf: Record<string, string> = { [good ?? '']: 'good', [misspelt ?? '']: 'corect' }
    const edited = table.map((row) => ({ ...row, review: reviewOf[row['id'] ?? ''] ?? row['review'] }))
    const text = stringify(edited, { header: true })
    writeFileSync(join(folder, results), text)
    const out = `${set}-joined`
    const merged = await go('merge', ...parts, '--out', out)
    expect(merged.code, merged.stderr).toBe(0)
    const line = text.split('\n').findIndex((row) => row.includes(',corect,')) + 1
    expect(merged.stderr.split('\n').filter((said) => said.startsWith('Note: '))).toEqual([
      expect.stringMatching(
        `^Note: ${results} could not be read whole \\(results\\.csv:${line}: the review "corect" .*merged; mend it`,
      ),
    ])
    const words = (): unknown[] =>
      readResults(join(folder, out)).flatMap(({ id, review = '' }) =>
        review === 'later' ? [] : [[id, review]],
      )
    expect(words()).toEqual([[good, 'good']])
    writeFileSync(join(folder, results), text.replace(',corect,', ',poor,').replaceAll(',later,', ',,'))
    const command = /npx assist-harness (report .*)/.exec(merged.stderr)?.[1]?.split(' ') ?? []
    const reported = await go(...command)
    expect(reported.code, reported.stderr).toBe(0)
    expect(words()).toEqual([
      [good, 'good'],
      [misspelt, 'poor'],
    ])
  })

  test('in a history every call counts once, whatever went on after it was joined', async () => {
    const endpoint = await openEndpoint()
    const set = makeSet()
    const root = `${set}-all`
    const { parts } = await askAll(set, endpoint, 2, '--max-calls', '6')
    const months = async (): Promise<unknown> => {
      const { stdout, stderr, code } = await go('history', root, '--json', '--out', `${root}-history`)
      expect(code, stderr).toBe(0)
      const { months: found } = JSON.parse(stdout) as History
      return found.map(({ min, max, runs }) => [min, max, runs])
    }
    const all = (): unknown => [[endpoint.calls.length, endpoint.calls.length, 1]]
    const inRoot = parts.map((_, place) => join(root, `part-${place + 1}`))
    for (const [place, part] of parts.entries())
      cpSync(join(folder, part), join(folder, inRoot[place] ?? ''), { recursive: true })
    const [whole, anew] = [join(root, 'm'), join(root, 'm-anew')]
    expect((await go('merge', ...inRoot, '--out', whole)).code).toBe(4)
    expect(await months()).toEqual(all())
    for (const run of [...inRoot, whole]) await go('run', '--resume', run, '--max-calls', '99')
    expect(summaryOf(whole).turns.answered).toBe(15)
    expect(endpoint.calls.length).toBeGreaterThan(15)
    expect(await months()).toEqual(all())
    expect((await go('merge', ...inRoot, '--out', anew)).code).toBe(0)
    expect(await months()).toEqual(all())
    cpSync(join(folder, whole), join(folder, root, 'copy'), { recursive: true })
    expect(await months()).toEqual(all())
  })

  test('what it writes is a run for every other command', async () => {
    const endpoint = await openEndpoint()
    const set = makeSet()
    const { parts } = await askAll(set, endpoint, 2)
    expect((await go('merge', ...parts, '--out', `${set}-joined`)).code).toBe(0)
    const before = readFileSync(join(folder, `${set}-joined`, 'summary.json'), 'utf8')
    expect((await go('report', `${set}-joined`)).code).toBe(0)
    expect(readFileSync(join(folder, `${set}-joined`, 'summary.json'), 'utf8')).toBe(before)
    const alone = await askAlone(set, endpoint)
    const compared = await go('compare', alone, `${set}-joined`, '--out', `${set}-compared`)
    expect(compared.code, compared.stderr).toBe(0)
    const calls = endpoint.calls.length
    expect((await go('run', '--resume', `${set}-joined`)).code).toBe(0)
    expect(endpoint.calls.length).toBe(calls)
    expect(manifestOf(`${set}-joined`)).toMatchObject({ state: 'complete', merged: { of: 2 } })
  })
})
