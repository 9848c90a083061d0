// `run --resume`: what it checks, what it asks, and what it leaves alone, through the built program.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Manifest } from '../../src/domain/manifest.ts'
import { answerJson, goodReply, type ReceivedCall, type TestEndpoint } from '../support/endpoint.ts'
import { openEndpoint } from '../support/open-endpoint.ts'
import { readResults, readSummary, runProgram, type Ended } from '../support/program.ts'
import { KEY_ENV, resumeWords, runWords } from '../support/runs.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
let endpoint: TestEndpoint

let made = 0
interface Started {
  readonly set: string
  readonly out: string
}
const name = (): Started => {
  made += 1
  return { set: `set-${made}.csv`, out: join(folder, `run-${made}`) }
}
const write = ({ set }: Started, ...rows: readonly string[]): void =>
  writeFileSync(join(folder, set), `id,thread,message,tags\n${rows.join('\n')}\n`)
const go = async (...words: readonly string[]): Promise<Ended> =>
  runProgram(words, { cwd: folder, env: KEY_ENV })
const start = async ({ set, out }: Started, ...more: readonly string[]): Promise<Ended> =>
  go(...runWords(set, endpoint, out, ...more))
const asked = (): string[] => endpoint.calls.map(({ body }) => body.message)
const outcomes = (out: string): Record<string, string> =>
  Object.fromEntries(readResults(out).map((row) => [row['id'] ?? '', row['outcome'] ?? '']))

describe('a resume', () => {
  test('asks what is left in the recorded conversation, and needs nothing else on the command line', async () => {
    endpoint = await openEndpoint()
    const run = name()
    write(run, 'a1,a,A1', 'a2,a,A2', 'a3,a,A3', 'b1,b,B1')
    await start(run, '--max-calls', '2')
    const resumed = await go('run', '--resume', run.out, '--max-calls', '10')
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(asked()).toEqual(['A1', 'A2', 'A3', 'B1'])
    const ids = endpoint.calls.map(({ body }) => body.conversationId)
    expect(ids).toEqual([undefined, 'conversation-1', 'conversation-1', undefined])
    expect(readSummary(run.out)).toMatchObject({ run: { sittings: 2 }, quota: { attempts: 4, certain: 4 } })
  })

  test('starts a thread again whose conversation the endpoint has forgotten', async () => {
    endpoint = await openEndpoint((call) =>
      call.number === 3 ? answerJson(call, 200, { ...goodReply(call), conversationId: 'fresh' }) : false,
    )
    const run = name()
    write(run, 'a1,a,A1', 'a2,a,A2', 'a3,a,A3')
    await start(run, '--max-calls', '2')
    const resumed = await go('run', '--resume', run.out, '--max-calls', '20')
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(asked()).toEqual(['A1', 'A2', 'A3', 'A1', 'A2', 'A3'])
    expect(readSummary(run.out)).toMatchObject({
      turns: { answered: 3, contextLost: 0 },
      quota: { certain: 6 },
    })
    expect(readSummary(run.out).warnings.join('\n')).toContain(
      '1 thread was asked again from the start: 1 since the endpoint had forgotten the conversation',
    )
  })

  test('of a run that is done asks nothing', async () => {
    endpoint = await openEndpoint()
    const run = name()
    write(run, 'a1,a,A1')
    await start(run)
    const resumed = await go('run', '--resume', run.out)
    expect([resumed.code, asked()]).toEqual([0, ['A1']])
  })

  test('of a run that is done says nothing of calls, though its questions must pass', async () => {
    endpoint = await openEndpoint()
    const run = name()
    writeFileSync(join(folder, run.set), 'message,must_pass\nA1,yes\nA2,yes\n')
    const begun = await start(run)
    expect(begun.stderr).toMatch(/^Calls .*to confirm what must pass/m)
    const resumed = await go('run', '--resume', run.out)
    expect(resumed.stderr).toMatch(/^Going on: 0 of 2 turns left to ask/)
    expect(resumed.stderr).not.toMatch(/to confirm/)
    expect([resumed.code, asked()]).toEqual([0, ['A1', 'A2']])
  })

  test('counts what is left of all repeats', async () => {
    endpoint = await openEndpoint()
    const run = name()
    write(run, 'a1,a,A1', 'b1,b,B1', 'c1,c,C1')
    await start(run, '--repeat', '3', '--max-calls', '2')
    const resumed = await go('run', '--resume', run.out, '--max-calls', '20')
    expect(resumed.stderr).toMatch(/^Going on: 7 of 9 turns left to ask/)
    expect(asked()).toHaveLength(9)
  })

  test('with --retry-errors asks threads with an error again, whole, and counts both', async () => {
    let isDown = true
    endpoint = await openEndpoint((call) =>
      isDown && call.body.message === 'A2'
        ? answerJson(call, 404, { success: false, error: { code: 'GONE', message: 'no' } })
        : false,
    )
    const run = name()
    write(run, 'a1,a,A1', 'a2,a,A2', 'a3,a,A3', 'b1,b,B1')
    expect((await start(run)).code).toBe(1)
    expect(outcomes(run.out)).toEqual({ a1: 'answered', a2: 'refused', a3: 'skipped', b1: 'answered' })
    expect((await go('run', '--resume', run.out)).code).toBe(1)
    isDown = false
    const before = asked().length
    const resumed = await go('run', '--resume', run.out, '--retry-errors')
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(asked().slice(before)).toEqual(['A1', 'A2', 'A3'])
    expect(readSummary(run.out).quota).toMatchObject({ attempts: 6, certain: 5, notCounted: 1 })
    expect(readResults(run.out).map((row) => row['attempts'])).toEqual(['2', '2', '1', '1'])
  })

  test('refuses other options with the difference, and takes the same ones', async () => {
    endpoint = await openEndpoint()
    const run = name()
    write(run, 'a1,a,A1', 'a2,a,A2')
    await start(run, '--max-calls', '1', '--grounded-sources', 'FAQ')
    for (const [words, difference] of [
      [['--grounded-sources', 'KNOWLEDGE_BASE'], '--grounded-sources was'],
      [['--base-url', 'http://127.0.0.1:9'], '--base-url was'],
      [['--tag', 'x'], '--tag was'],
      [['--out', 'elsewhere'], '--out cannot be given again'],
    ] as const) {
      const refused = await go('run', '--resume', run.out, '--max-calls', '9', ...words)
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(difference)])
    }
    expect(endpoint.calls).toHaveLength(1)
    const same = ['--grounded-sources', 'FAQ', '--base-url', endpoint.url]
    const resumed = await go('run', '--resume', run.out, '--max-calls', '9', ...same)
    expect(resumed.code, resumed.stderr).toBe(0)
  })

  test('does not send another key to a desk that the environment no longer names', async () => {
    endpoint = await openEndpoint()
    const run = name()
    write(run, 'a1,a,A1', 'a2,a,A2')
    await start(run, '--max-calls', '1')
    const words = ['run', '--resume', run.out, '--max-calls', '9']
    const other = { ASSIST_API_KEY: 'another-key-987654321', ASSIST_BASE_URL: 'https://other.example.com' }
    const refused = await runProgram(words, { cwd: folder, env: other })
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('https://other.example.com')])
    const newKey = await runProgram(words, { cwd: folder, env: { ASSIST_API_KEY: 'another-key-987654321' } })
    expect(newKey.code).toBe(0)
    expect(newKey.stderr).toMatch(/the key in ASSIST_API_KEY is another one than before/)
  })

  test.each([
    ['of the right key where the wrong one was refused', 0, 'after'],
    ['of the key before where that had an answer', 1, 'before'],
  ] as const)('with another key is of the organization %s', async (_, answers, whose) => {
    endpoint = await openEndpoint((call) =>
      call.headers.authorization?.includes('worn-out') === true && call.number > answers
        ? answerJson(call, 401, { error: { message: 'no' } })
        : false,
    )
    const run = name()
    write(run, 'a1,a,A1', 'b1,b,B1')
    const target = (): Manifest['target'] =>
      (JSON.parse(readFileSync(join(run.out, 'run.json'), 'utf8')) as Manifest).target
    const env = { ASSIST_API_KEY: 'worn-out-key-0123456789' }
    const stopped = await runProgram(runWords(run.set, endpoint, run.out), { cwd: folder, env })
    expect(stopped.code, stopped.stderr).toBe(3)
    const before = target()
    const resumed = await go(...resumeWords(stopped.stderr))
    expect(resumed.code, resumed.stderr).toBe(0)
    const after = target()
    expect(after.keyFingerprint).not.toBe(before.keyFingerprint)
    const { keyFingerprint } = { before, after }[whose]
    expect(after.organization).toBe(`${endpoint.url} ${keyFingerprint}`)
    expect(readSummary(run.out).run).toMatchObject({ organization: after.organization })
  })
})

describe('a question set that has changed', () => {
  const before = ['a1,a,A1', 'a2,a,A2', 'd1,d,D1', 'd2,d,D2', 'b1,b,B1', 'c1,c,C1']

  test('is refused with the difference, and nothing is sent', async () => {
    endpoint = await openEndpoint()
    const run = name()
    write(run, ...before)
    await start(run, '--max-calls', '3')
    write(run, 'a1,a,A1', 'a2,a,A2 anew', 'c1,c,C1,tagged', 'd1,d,D1', 'd2,d,D2', 'e1,e,E1')
    const refused = await go('run', '--resume', run.out, '--max-calls', '20')
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain(`${run.set} has changed since the run was started:`)
    expect(refused.stderr).toMatch(
      /1 question added: e1\n.*1 question edited: a2\n.*1 question removed: b1\n/,
    )
    expect(refused.stderr).toMatch(/1 question with other expectations, tags or columns: c1/)
    expect(endpoint.calls).toHaveLength(3)
  })

  test('is taken on with --accept-changes: what was answered stands, the rest is asked', async () => {
    endpoint = await openEndpoint()
    const run = name()
    write(run, ...before)
    // The longest threads first: a and d are under way, b and c not yet.
    await start(run, '--max-calls', '4')
    expect(asked()).toEqual(['A1', 'D1', 'A2', 'D2'])
    write(run, 'e1,e,E1', 'a1,a,A1', 'a2,a,A2 anew', 'c1,c,C1,tagged', 'd1,d,D1', 'd2,d,D2', 'd3,d,D3')
    const resumed = await go('run', '--resume', run.out, '--accept-changes', '--max-calls', '20')
    expect(resumed.code, resumed.stderr).toBe(0)
    const later = asked().slice(4).sort()
    // The edited turn's conversation held the old text: its thread starts again. D3 goes on with D's conversation.
    expect(later).toEqual(['A1', 'A2 anew', 'C1', 'D3', 'E1'])
    expect(endpoint.calls.find(({ body }) => body.message === 'D3')?.body.conversationId).toBe(
      endpoint.calls.find(({ body }) => body.message === 'D2')?.body.conversationId,
    )
    expect(Object.keys(outcomes(run.out))).toEqual(['e1', 'a1', 'a2', 'c1', 'd1', 'd2', 'd3'])
    const summary = readSummary(run.out)
    expect(summary.turns).toMatchObject({ total: 7, answered: 7, notAsked: 0 })
    expect(summary.quota).toMatchObject({ attempts: 9, certain: 9 })
    expect(summary.warnings.join('\n')).toMatch(/1 attempt went to questions that have left the set/)
    expect(summary.tags).toHaveProperty('tagged')
    // Once taken on, it is the set of the run.
    expect((await go('run', '--resume', run.out)).code).toBe(0)
    expect(endpoint.calls).toHaveLength(9)
  })

  test('is not needed to go on: the journal holds the questions', async () => {
    endpoint = await openEndpoint()
    const run = name()
    write(run, 'a1,a,A1', 'a2,a,A2')
    await start(run, '--max-calls', '1')
    rmSync(join(folder, run.set))
    const resumed = await go('run', '--resume', run.out, '--max-calls', '5')
    expect([resumed.code, asked()]).toEqual([0, ['A1', 'A2']])
    expect(resumed.stderr).toMatch(/is not there any more: going on with the questions as recorded/)
    const changes = await go('run', '--resume', run.out, '--accept-changes')
    expect([changes.code, changes.stderr]).toEqual([2, expect.stringContaining('is not there')])
  })

  test('in its order alone says so, and which threads start again', async () => {
    endpoint = await openEndpoint()
    const run = name()
    write(run, 'a1,a,A1', 'a2,a,A2', 'b1,b,B1', 'c1,c,C1')
    await start(run, '--max-calls', '3')
    write(run, 'a2,a,A2', 'a1,a,A1', 'b1,b,B1', 'c1,c,C1')
    const refused = await go('run', '--resume', run.out, '--max-calls', '9')
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('1 thread with questions in another order: a\n')
    const resumed = await go('run', '--resume', run.out, '--max-calls', '9', '--accept-changes')
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(resumed.stderr).toContain(
      '1 thread starts again, 2 turns: a: the order or text of what was asked has changed',
    )
    expect(asked().slice(3).sort()).toEqual(['A1', 'A2', 'C1'])
    write(run, 'c1,c,C1', 'a2,a,A2', 'a1,a,A1', 'b1,b,B1')
    const moved = await go('run', '--resume', run.out)
    expect([moved.code, moved.stderr]).toEqual([2, expect.stringContaining('the questions in another order')])
    const taken = await go('run', '--resume', run.out, '--accept-changes')
    expect([taken.code, taken.stderr]).toEqual([0, expect.not.stringContaining('starts again')])
    expect(Object.keys(outcomes(run.out))).toEqual(['c1', 'a2', 'a1', 'b1'])
  })

  test('in its bytes alone is no change; a note in a column is one', async () => {
    endpoint = await openEndpoint()
    const run = name()
    write(run, 'a1,a,A1', 'b1,b,B1')
    await start(run, '--max-calls', '1')
    const path = join(folder, run.set)
    writeFileSync(path, `\uFEFF${readFileSync(path, 'utf8').replaceAll('\n', '\r\n')}`)
    const resumed = await go('run', '--resume', run.out, '--max-calls', '2')
    expect([resumed.code, resumed.stderr]).toEqual([0, expect.stringContaining('none of its questions')])
    // Taken on, it is the file of the run.
    expect((await go('run', '--resume', run.out)).stderr).toContain('none of its questions')
    const taken = await go('run', '--resume', run.out, '--accept-changes')
    expect([taken.code, taken.stderr]).toEqual([
      0,
      expect.stringContaining('but none of its questions: taken on'),
    ])
    expect((await go('run', '--resume', run.out)).stderr).not.toContain('has changed')
    writeFileSync(path, 'id,thread,message,tags,note\na1,a,A1,,see there\nb1,b,B1,,\n')
    const noted = await go('run', '--resume', run.out)
    expect([noted.code, noted.stderr]).toEqual([2, expect.stringMatching(/other expectations.*: a1/)])
  })

  test('outside a sample says what is not asked, and with nothing left in it is refused', async () => {
    endpoint = await openEndpoint()
    const run = name()
    write(run, 'a1,a,A1', 'b1,b,B1', 'c1,c,C1')
    await start(run, '--sample', '1', '--seed', '1')
    const text = readFileSync(join(folder, run.set), 'utf8')
    writeFileSync(join(folder, run.set), `${text}d1,d,D1,\n`)
    const outside = await go('run', '--resume', run.out, '--accept-changes')
    expect([outside.code, outside.stderr]).toEqual([
      0,
      expect.stringContaining('3 questions outside the sample: not asked'),
    ])
    write(run, 'x1,x,X1')
    const gone = await go('run', '--resume', run.out, '--accept-changes')
    expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining('no question of the run is left')])
    expect(endpoint.calls).toHaveLength(1)
  })

  test('of two: a missing one hides no change, the order of names does not matter, their number does', async () => {
    endpoint = await openEndpoint()
    const [run, other] = [name(), name()]
    write(run, 'a1,a,A1')
    write(other, 'b1,b,B1', 'b2,b,B2')
    await start(run, other.set, '--max-calls', '1')
    const fewer = await go('run', '--resume', run.out, run.set)
    expect([fewer.code, fewer.stderr]).toEqual([2, expect.stringContaining('the run had 2 sets, 1 is named')])
    const swapped = await go('run', '--resume', run.out, other.set, run.set, '--max-calls', '2')
    expect([swapped.code, swapped.stderr]).toEqual([4, expect.not.stringContaining('changed')])
    rmSync(join(folder, run.set))
    write(other, 'b1,b,B1 anew', 'b2,b,B2')
    const both = await go('run', '--resume', run.out, '--max-calls', '9')
    expect(both.code).toBe(2)
    expect(both.stderr).toMatch(/set-\d+\.csv has changed since .*, and .*set-\d+\.csv is not there/)
    expect(endpoint.calls).toHaveLength(2)
  })

  test('may have moved: it is named behind the run', async () => {
    endpoint = await openEndpoint()
    const run = name()
    write(run, 'a1,a,A1', 'a2,a,A2')
    await start(run, '--max-calls', '1')
    writeFileSync(join(folder, 'moved.csv'), readFileSync(join(folder, run.set)))
    rmSync(join(folder, run.set))
    const resumed = await go('run', '--resume', run.out, '--max-calls', '5', 'moved.csv')
    expect([resumed.code, resumed.stderr]).toEqual([0, expect.not.stringContaining('not there')])
  })
})

/** Puts the lines of a run's journal, without their ends, through `change`. */
function rewriteJournal(out: string, change: (lines: string[]) => string): void {
  const path = join(out, 'journal.ndjson')
  writeFileSync(path, change(readFileSync(path, 'utf8').split('\n')))
}
/** The lines before the last intent, and that intent. */
function cutAtLastIntent(lines: readonly string[]): { before: string; intent: string } {
  const last = lines.findLastIndex((line) => line.includes('"intent"'))
  return { before: `${lines.slice(0, last).join('\n')}\n`, intent: lines[last] ?? '' }
}

/** As a process leaves a folder that is killed before its first call. */
function diedAtStart(out: string): void {
  const path = join(out, 'run.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace(/"state": "\w+"/, '"state": "running"'))
  for (const file of ['results.csv', 'summary.json', 'summary.md']) rmSync(join(out, file))
}

test.each(['missing', 'emptied', 'unreadable'])(
  'a journal that is %s after the run had begun is refused',
  async (how) => {
    endpoint = await openEndpoint()
    const run = name()
    write(run, 'a1,a,A1', 'b1,b,B1')
    await start(run, '--max-calls', '1')
    const results = readFileSync(join(run.out, 'results.csv'), 'utf8')
    const journal = join(run.out, 'journal.ndjson')
    if (how === 'missing') rmSync(journal)
    else if (how === 'emptied') writeFileSync(journal, '')
    else rewriteJournal(run.out, (lines) => lines.map((line) => `#${line.slice(1)}\n`).join(''))
    for (const words of [
      ['run', '--resume', run.out, '--max-calls', '9'],
      ['report', run.out],
    ]) {
      const refused = await go(...words)
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('though the run had begun')])
    }
    expect(readFileSync(join(run.out, 'results.csv'), 'utf8')).toBe(results)
    expect(endpoint.calls).toHaveLength(1)
  },
)

test('a damaged run.json is called so, and what is still there', async () => {
  endpoint = await openEndpoint()
  const run = name()
  write(run, 'a1,a,A1', 'b1,b,B1')
  await start(run, '--max-calls', '1')
  writeFileSync(join(run.out, 'run.json'), '{"formatVersion": 1,')
  for (const words of [
    ['run', '--resume', run.out],
    ['report', run.out],
  ]) {
    const refused = await go(...words)
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/run\.json is damaged .*journal\.ndjson still holds every answer/),
    ])
  }
})

describe('a line of the journal that cannot be read', () => {
  /** After two of three calls: the endpoint has seen both. */
  const stopped = async (): Promise<string> => {
    endpoint = await openEndpoint()
    const run = name()
    write(run, 'a1,a,A1', 'a2,a,A2', 'a3,a,A3')
    await start(run, '--max-calls', '2')
    return run.out
  }

  test('and was an intent does not have its question asked twice: result and outcome tell it', async () => {
    const out = await stopped()
    rewriteJournal(out, (lines) => {
      const last = lines.findLastIndex((line) => line.includes('"intent"'))
      return lines
        .map((line, place) => (place === last ? line.replace('attempt', 'attemqt') : line))
        .join('\n')
    })
    const resumed = await go('run', '--resume', out, '--max-calls', '9')
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(asked()).toEqual(['A1', 'A2', 'A3'])
    expect(readSummary(out).quota).toMatchObject({ attempts: 3, certain: 3, possible: 0 })
  })

  test('and may have been the last intent counts as an attempt that was sent', async () => {
    const out = await stopped()
    rewriteJournal(out, (lines) => {
      const { before, intent } = cutAtLastIntent(lines)
      return `${before}#${intent.slice(1)}\n`
    })
    const resumed = await go('run', '--resume', out, '--max-calls', '3')
    expect(resumed.code).toBe(4)
    // Two were sent before, one now: the budget holds.
    expect(endpoint.calls).toHaveLength(3)
    expect(readSummary(out).quota).toMatchObject({ attempts: 3, certain: 2, possible: 1 })
  })

  test('and is torn was not sent, before a resume and after it', async () => {
    const out = await stopped()
    // Whole but for its end: the moment before the write returned.
    rewriteJournal(out, (lines) => {
      const { before, intent } = cutAtLastIntent(lines)
      return `${before}${intent}`
    })
    await go('report', out)
    expect(readSummary(out).quota).toMatchObject({ attempts: 1, certain: 1 })
    const resumed = await go('run', '--resume', out, '--max-calls', '9')
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(readSummary(out).quota).toMatchObject({ attempts: 3, certain: 3, possible: 0 })
  })
})

describe('a journal cut off before its first call', () => {
  test.each([0, 1, 2])('after %i lines: the run is asked from the set', async (lines) => {
    endpoint = await openEndpoint()
    const run = name()
    write(run, 'a1,a,A1', 'b1,b,B1')
    await start(run, '--max-calls', '1')
    rewriteJournal(run.out, (all) =>
      all
        .slice(0, lines)
        .map((line) => `${line}\n`)
        .join(''),
    )
    diedAtStart(run.out)
    const resumed = await go('run', '--resume', run.out, '--max-calls', '5')
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(outcomes(run.out)).toEqual({ a1: 'answered', b1: 'answered' })
  })

  test('or without a journal at all', async () => {
    endpoint = await openEndpoint()
    const run = name()
    write(run, 'a1,a,A1')
    await start(run, '--max-calls', '1')
    rmSync(join(run.out, 'journal.ndjson'))
    diedAtStart(run.out)
    expect(await go('report', run.out)).toMatchObject({ code: 2 })
    expect((await go('run', '--resume', run.out, '--max-calls', '5')).code).toBe(0)
    expect(outcomes(run.out)).toEqual({ a1: 'answered' })
  })
})

test('a sitting that died between an answer and its outcome does not ask the turn again', async () => {
  endpoint = await openEndpoint()
  const run = name()
  write(run, 'a1,a,A1', 'a2,a,A2')
  await start(run, '--max-calls', '1')
  rewriteJournal(run.out, (lines) => {
    const end = lines.findIndex((line) => line.includes('"kind":"outcome"'))
    return `${lines.slice(0, end).join('\n')}\n`
  })
  const resumed = await go('run', '--resume', run.out, '--max-calls', '5')
  expect(resumed.code, resumed.stderr).toBe(0)
  expect(asked()).toEqual(['A1', 'A2'])
  expect(endpoint.calls[1]?.body.conversationId).toBe('conversation-1')
})

test('--on-ambiguous fail records the error instead of asking the thread again', async () => {
  const broken = (call: ReceivedCall): boolean => {
    if (call.body.message !== 'A2') return false
    return answerJson(call, 503, { success: false, error: { code: 'DOWN', message: 'no' } })
  }
  endpoint = await openEndpoint(broken)
  const run = name()
  write(run, 'a1,a,A1', 'a2,a,A2', 'a3,a,A3')
  expect((await start(run, '--on-ambiguous', 'fail')).code).toBe(1)
  expect(asked()).toEqual(['A1', 'A2'])
  expect(outcomes(run.out)).toEqual({ a1: 'answered', a2: 'server_error', a3: 'skipped' })
  expect(readSummary(run.out).quota).toMatchObject({ certain: 1, possible: 1 })
})

test('--retry-errors and --accept-changes belong to a resume', async () => {
  for (const option of ['--retry-errors', '--accept-changes']) {
    const { code, stderr } = await go('run', 'set-1.csv', '--sandbox', option)
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${option} goes with --resume`)])
  }
})

describe('what a resume is to ask again', () => {
  /** A2 fails once; the run is done, with an error. */
  const failed = async (): Promise<Started> => {
    let isDown = true
    endpoint = await openEndpoint((call) => {
      if (call.body.message !== 'A2' || !isDown) return false
      isDown = false
      return answerJson(call, 404, { success: false, error: { code: 'GONE', message: 'no' } })
    })
    const run = name()
    write(run, 'a1,a,A1', 'a2,a,A2', 'b1,b,B1')
    expect((await start(run)).code).toBe(1)
    return run
  }
  const answers = (out: string): (string | undefined)[] => readResults(out).map(({ answer }) => answer)

  test('keeps its outcomes and answers until it is really asked', async () => {
    const run = await failed()
    const before = answers(run.out)
    const stopped = await go('run', '--resume', run.out, '--retry-errors', '--max-calls', '2')
    expect(stopped.code).toBe(4)
    expect(stopped.stderr).toMatch(
      /every turn has an outcome, but not every one that was to be asked again or confirmed was/,
    )
    expect(outcomes(run.out)).toEqual({ a1: 'answered', a2: 'refused', b1: 'answered' })
    expect(answers(run.out)).toEqual(before)
    expect(readSummary(run.out)).toMatchObject({ state: 'incomplete', turns: { notAsked: 0 } })
    // The budget that is proposed is enough, though the one typed was below what had been sent.
    const command = resumeWords(stopped.stderr)
    expect(command).toEqual(['run', '--resume', run.out, '--retry-errors', '--max-calls', '5'])
    const resumed = await go(...command)
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(asked().slice(3)).toEqual(['A1', 'A2'])
  })

  test('is left alone by a later resume without the wish', async () => {
    const run = await failed()
    await go('run', '--resume', run.out, '--retry-errors', '--max-calls', '2')
    const later = await go('run', '--resume', run.out, '--max-calls', '20')
    expect([later.code, asked().length]).toEqual([1, 3])
  })

  test('stands as it was where its set has changed', async () => {
    endpoint = await openEndpoint()
    const run = name()
    write(run, 'a1,a,A1', 'a2,a,A2', 'b1,b,B1')
    await start(run)
    write(run, 'a2,a,A2', 'a1,a,A1', 'b1,b,B1')
    const stopped = await go('run', '--resume', run.out, '--accept-changes', '--max-calls', '3')
    expect(stopped.code).toBe(4)
    expect(outcomes(run.out)).toEqual({ a2: 'answered', a1: 'answered', b1: 'answered' })
    const resumed = await go('run', '--resume', run.out, '--max-calls', '9')
    expect([resumed.code, asked().slice(3)]).toEqual([0, ['A2', 'A1']])
  })
})

test('a turn that joins a thread which had started again does not wipe its answers', async () => {
  let isDown = true
  endpoint = await openEndpoint((call) => {
    if (call.body.message !== 'A2' || !isDown) return false
    isDown = false
    return answerJson(call, 503, { success: false, error: { code: 'DOWN', message: 'no' } })
  })
  const run = name()
  write(run, 'a1,a,A1', 'a2,a,A2')
  await start(run)
  expect(asked()).toEqual(['A1', 'A2', 'A1', 'A2'])
  write(run, 'a1,a,A1', 'a2,a,A2', 'a3,a,A3')
  const resumed = await go('run', '--resume', run.out, '--accept-changes')
  expect(resumed.code, resumed.stderr).toBe(0)
  expect(asked().slice(4)).toEqual(['A3'])
  expect(outcomes(run.out)).toEqual({ a1: 'answered', a2: 'answered', a3: 'answered' })
})

test('the command that goes on can be typed where the folder begins with a dash', async () => {
  endpoint = await openEndpoint()
  const run = { ...name(), out: '-odd' }
  write(run, 'a1,a,A1', 'a2,a,A2')
  const words = ['run', run.set, '--base-url', endpoint.url, '--out=-odd', '--max-calls', '1']
  const stopped = await go(...words)
  expect(resumeWords(stopped.stderr)).toContain('./-odd')
  const resumed = await go(...resumeWords(stopped.stderr))
  expect(resumed.code, resumed.stderr).toBe(0)
})

test('the command that goes on names the file of the key, and no sandbox', async () => {
  endpoint = await openEndpoint()
  const run = name()
  write(run, 'a1,a,A1', 'a2,a,A2')
  writeFileSync(join(folder, 'key.env'), 'ASSIST_API_KEY=test-key-0123456789\n')
  const words = ['run', run.set, '--base-url', endpoint.url, '--out', run.out, '--max-calls', '1']
  const stopped = await runProgram([...words, '--env-from', 'key.env'], { cwd: folder })
  expect(stopped.stderr).toContain(`--resume ${run.out} --env-from key.env --max-calls 2`)
  const keyless = await runProgram(['run', '--resume', run.out], { cwd: folder })
  expect([keyless.code, keyless.stderr]).toEqual([2, expect.stringContaining('--env-from')])
  expect(keyless.stderr).not.toContain('--sandbox')
})
