// `compare` through the built program, where the runs are not of one kind: other questions, other settings, another tool, many runs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { stringify } from 'csv-stringify/sync'
import { afterAll, describe, expect, test } from 'vitest'
import { compare as compareCommand } from '../../src/cli/commands/compare.ts'
import { lockFolder } from '../../src/cli/folder-lock.ts'
import { UsageError } from '../../src/cli/usage-error.ts'
import {
  answered,
  askedAs,
  fromArticle,
  onlyFirst,
  readComparison,
  recordDay,
  unsure,
} from '../support/answered.ts'
import { comparesIn } from '../support/compare-program.ts'
import { runProgram } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const { at, compare, candidate } = comparesIn(folder)

recordDay(at('base'), 10, answered(40))

describe.concurrent('compare', () => {
  test('added, removed and edited questions stand apart, with their texts', async () => {
    const turns = answered(42, (number) => {
      if (number === 5) return { question: askedAs(5, { message: 'Asked in other words?' }), came: unsure }
      return number === 41 ? { came: unsure } : undefined
    })
    recordDay(at('other-set'), 11, turns.slice(1))
    const { code, stderr } = await compare('other-set', 'base', 'other-set')
    expect(code, stderr).toBe(0)
    expect(stderr).toMatch(/other-set: 38 questions in both, 2 added, 1 removed, 1 edited$/m)
    expect(stderr).toMatch(/^ {2}q5 +message of q5 +→ Asked in other words\?$/m)
    const { added, removed, edited, changes } = candidate('other-set')
    expect(added.map(({ id }) => id)).toEqual(['q40', 'q41'])
    expect(removed).toEqual([{ id: 'q0', message: 'message of q0' }])
    expect(edited).toEqual([{ id: 'q5', baseline: 'message of q5', candidate: 'Asked in other words?' }])
    expect(changes).toEqual([])
  })

  test('too few questions in both: no difference, every gate fails; --min-overlap takes fewer', async () => {
    recordDay(at('rest'), 11, answered(60, onlyFirst(40, { came: unsure })).slice(30))
    const { code, stderr } = await compare('rest', 'base', 'rest')
    expect(code, stderr).toBe(1)
    expect(stderr).toMatch(/^Only 16\.7 % of the questions are in both runs, fewer than the 50\.0 %/m)
    expect(stderr).not.toMatch(/^(?:Coverage|Passed|Latency)/m)
    const low = candidate('rest')
    expect([low.grounding.difference, low.verdicts.difference, low.overlap.isLow]).toEqual([null, null, true])
    expect(low.gates.map(({ passed }) => passed)).toEqual([false, false, false])
    const lower = await compare('rest-lower', 'base', 'rest', '--min-overlap', '10%')
    expect(lower.code).toBe(1)
    expect(lower.stderr).toMatch(/^Failed: coverage fell by 100 points over 10 questions/m)
    expect(candidate('rest-lower').grounding.lost).toHaveLength(10)
  })

  test('another organization, other grounded sources and another repeat are named', async () => {
    const turns = answered(40).flatMap((turn) => [
      { ...turn, repeat: 1 },
      { ...turn, repeat: 2 },
    ])
    const options = { groundedSources: ['KNOWLEDGE_BASE', 'TICKETS'], repeat: 2 }
    recordDay(at('elsewhere'), 11, turns, { target: { organization: 'globex' }, options })
    const { code, stderr } = await compare('elsewhere', 'base', 'elsewhere')
    expect(code, stderr).toBe(0)
    expect(stderr).toMatch(/^ {2}organization: acme → globex: The runs asked different organizations/m)
    expect(stderr).toMatch(/^ {2}repeats: 1 → 2: /m)
    expect(stderr).toMatch(/^ {2}grounded sources: KNOWLEDGE_BASE → KNOWLEDGE_BASE, TICKETS: /m)
    expect(candidate('elsewhere').settings.map(({ setting }) => setting)).toEqual([
      'organization',
      'repeats',
      'grounded sources',
    ])
  })

  test('up to eight runs, with the trend of each figure', async () => {
    const days = [11, 12, 13, 14, 15, 16, 17]
    for (const day of days)
      recordDay(at(`day-${day}`), day, answered(40, onlyFirst(day === 17 ? 12 : 0, { came: unsure })))
    const runs = ['base', ...days.map((day) => `day-${day}`)]
    const { code, stderr } = await compare('eight', ...runs)
    expect(code, stderr).toBe(1)
    expect(stderr).toMatch(/^Failed: day-17: coverage fell by 30 points/m)
    const { trend, candidates } = readComparison(at('of-eight'))
    expect(candidates).toHaveLength(7)
    expect(trend.find(({ figure }) => figure === 'coverage')?.values).toEqual([1, 1, 1, 1, 1, 1, 1, 0.7])
    expect(stderr).toMatch(/^ {2}Coverage .*100\.0 % +70\.0 %$/m)
    const nine = await compare('nine', ...runs, 'one-more')
    expect([nine.code, nine.stderr]).toEqual([2, expect.stringMatching(/8 runs at most.*; 9 were given/)])
  })

  test("another tool's export is a baseline: it has answers, but no sources and no times", async () => {
    const rows = answered(10).map(({ question, came }) => [
      question.message,
      'portal',
      typeof came === 'string' ? '' : came.answer,
      'CompareMeaning',
      'Pass',
    ])
    const header = ['question', 'expectedResponse', 'actualResponse', 'testMethodType_1', 'result_1']
    writeFileSync(at('export.csv'), stringify([header, ...rows]))
    recordDay(at('now'), 11, answered(10, onlyFirst(1, { came: fromArticle('Ask your manager.') })))
    const { code, stderr } = await compare('export', 'export.csv', 'now')
    expect(code, stderr).toBe(0)
    expect(stderr).toMatch(/^ {2}baseline +export\.csv +another tool {2,}start unknown/m)
    const { overlap, grounding, verdicts, quota } = candidate('export')
    expect([overlap.shared, overlap.renamed, grounding.questions, quota]).toEqual([10, 10, 0, null])
    expect(verdicts.passToFail).toEqual(['q0'])
  })

  test('a journal with a line that cannot be read, and one of a later version, is compared as far as it goes', async () => {
    recordDay(at('garbled'), 11, answered(40))
    const journal = at('garbled/journal.ndjson')
    const lines = readFileSync(journal, 'utf8').split('\n')
    const place = lines.findIndex((line) => line.startsWith('{"kind":"outcome"'))
    lines[place] = `${lines[place]?.slice(0, 20)}#garbled`
    lines.splice(place + 1, 0, '{"kind":"mood","at":1}')
    writeFileSync(journal, lines.join('\n'))
    const { code, stderr } = await compare('garbled', 'base', 'garbled')
    expect(code, stderr).toBe(0)
    expect(candidate('garbled').availability.notAsked).toEqual(['q0'])
    expect(stderr).toMatch(/^Note: garbled: line \d+ of the journal cannot be read and was passed over/m)
    expect(readComparison(at('of-garbled')).notes).toHaveLength(2)
  })
})

describe.concurrent('compare refuses, and says the mend:', () => {
  test.for([
    [['base', 'nowhere'], /^nowhere is not there: name the folder of a recorded run$/m],
    [[], /^compare needs the folders of two recorded runs at least, the baseline first/m],
    [['base', 'same', '--fail-on', 'ground'], /^--fail-on must be .*; did you mean grounding\?$/m],
    [['base', 'same', '--alpha', '5'], /^--alpha must be a number between 0 and 1, like 0\.05$/m],
    [['base', 'same', '--margin', 'x'], /^--margin must be a number of percentage points, like 2/m],
    [['base', 'same', '--baseline', 'x'], /^--baseline is no option of compare: see .* compare --help$/m],
    [['base', '--', '-same'], /^-same is not there/m],
    [['--', 'nowhere', 'base'], /^nowhere is not there/m],
    [['--fail-on', 'grounding', '--', 'nowhere', 'base'], /^nowhere is not there/m],
    // This process holds it.
    [['base', 'open'], /^open: process \d+ .*is still writing this run; wait for it, or stop it$/m],
  ] as const)('%j', async ([words, said]) => {
    const { code, stdout, stderr } = await runProgram(['compare', ...words], { cwd: folder })
    expect([code, stdout], stderr).toEqual([2, ''])
    expect(stderr).toMatch(said)
  })

  recordDay(at('same'), 11, answered(3))
  writeFileSync(at('file'), '')
  recordDay(at('open'), 11, answered(3))
  afterAll(lockFolder(at('open')))
  test.for([
    [['base', 'file'], 'of', /file is a file; name the folder of a run, as in reports\/\S+$/],
    [['base', ''], 'of', /holds \d+ runs in folders of their own: name one of them, like \S+base$/],
    [['base', 'same', './base/'], 'of', /\.\/base\/ is given twice; name each run once$/],
    [['base'], 'of', /^compare needs two runs at least/],
    [['base', 'same'], 'base/of', /written into the run \S+base, which must stay as it is/],
    [['base', 'same'], 'base/run.json', /^--out \S+base\/run\.json is not a folder/],
    [['base', 'same'], 'file/of', /^--out \S+file\/of cannot be made/],
  ] as const)('%j into %s', async ([paths, out, said]) => {
    const refused = compareCommand(
      paths.map((path) => `${folder}/${path}`),
      { out: at(out) },
    )
    await expect(refused).rejects.toThrow(said)
    await expect(refused).rejects.toBeInstanceOf(UsageError)
    expect(existsSync(at('of'))).toBe(false)
  })
})
