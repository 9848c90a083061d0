// From which articles the sandbox answers, through the built program: those of `--kb`, or those that the package ships.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Manifest } from '../../src/domain/manifest.ts'
import { main, readResults, runProgram, startProgram, type Ended } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const root = temporaryFolder()
const COFFEE = 'Who repairs the espresso machine in the kitchen?'
const ARTICLE = (who: string): string =>
  `# Espresso machine\n\nThe espresso machine in the kitchen: ${who} repairs it within ${who.length} days.\n`

/** A folder with a set of two questions, and with these articles. */
function folderWith(name: string, articles: Readonly<Record<string, string>> = {}): string {
  const folder = join(root, name)
  mkdirSync(join(folder, 'articles'), { recursive: true })
  writeFileSync(join(folder, 'set.csv'), `message\n${COFFEE}\n${COFFEE} Please.\n`)
  for (const [file, text] of Object.entries(articles)) writeFileSync(join(folder, 'articles', file), text)
  return folder
}
const go = async (cwd: string, ...words: readonly string[]): Promise<Ended> => runProgram(words, { cwd })
const KB = ['--sandbox', '--kb', 'articles'] as const
const recordedAt = (...path: readonly string[]): Manifest['target']['knowledgeBase'] =>
  (JSON.parse(readFileSync(join(...path, 'run.json'), 'utf8')) as Manifest).target.knowledgeBase
const answersOf = (...path: readonly string[]) =>
  readResults(join(...path)).map((row) => [row['context_source'], row['answer']])
const from = (who: string) => ['KNOWLEDGE_BASE', expect.stringContaining(`${who} repairs it`)]

test('--kb answers from that folder, and an edit of it is seen by compare', async () => {
  const folder = folderWith('edited', { 'espresso.md': ARTICLE('Ann') })
  const before = await go(folder, 'run', 'set.csv', ...KB, '--out', 'before')
  expect(before.code, before.screen).toBe(0)
  expect(recordedAt(folder, 'before')).toBe('../articles')
  writeFileSync(join(folder, 'articles', 'espresso.md'), ARTICLE('Bobby'))
  await go(folder, 'run', 'set.csv', ...KB, '--out', 'after')
  expect(answersOf(folder, 'before')).toEqual([from('Ann'), from('Ann')])
  expect(answersOf(folder, 'after')).toEqual([from('Bobby'), from('Bobby')])
  const compared = await go(folder, 'compare', 'before', 'after', '--json')
  const change = { factsLost: [{ text: '3 days' }], factsGained: [{ text: '5 days' }] }
  expect(JSON.parse(compared.stdout)).toMatchObject({ candidates: [{ changes: [change, change] }] })
})

test('without --kb the shipped articles answer, whatever this folder holds', async () => {
  const folder = folderWith('bare')
  mkdirSync(join(folder, 'datasets', 'knowledge-base'), { recursive: true })
  writeFileSync(join(folder, 'datasets', 'knowledge-base', 'espresso.md'), ARTICLE('Ann'))
  const { code, screen } = await go(folder, 'run', 'set.csv', '--sandbox', '--out', 'run')
  expect(code, screen).toBe(0)
  expect(recordedAt(folder, 'run')).toBeUndefined()
  for (const [, answer] of answersOf(folder, 'run')) expect(answer).not.toContain('Ann')
})

test('articles that cannot be had are told before anything is asked', async () => {
  const folder = folderWith('broken', { 'vpn.md': '---\ntitle: VPN\n---\n' })
  mkdirSync(join(folder, 'empty'))
  const timetable = ['--arrival-rate', '1/s', '--duration', '1s']
  for (const [words, said] of [
    [['run', 'set.csv', ...KB], `--kb ${join('articles', 'vpn.md')}: the article has no text; name`],
    [
      ['load', 'set.csv', ...KB, ...timetable],
      `${join('articles', 'vpn.md')}: the article has no text; name`,
    ],
    [['run', 'set.csv', '--sandbox', '--kb', 'none'], '--kb none is not a folder; name a folder of Markdown'],
    [['run', 'set.csv', '--kb', 'articles'], '--kb needs --sandbox'],
    [['estimate', 'set.csv', '--kb', 'articles'], '--kb needs --sandbox'],
    [
      ['sandbox', '--port', '0', '--kb', 'articles'],
      `${join('articles', 'vpn.md')}: the article has no text`,
    ],
  ] as const) {
    const { code, screen } = await go(folder, ...words)
    expect([code, screen], words.join(' ')).toEqual([2, expect.stringContaining(said)])
  }
})

test('load, estimate and the sandbox on its own take it, too', async () => {
  const folder = folderWith('others', { 'espresso.md': ARTICLE('Ann') })
  const timetable = ['--arrival-rate', '2/s', '--duration', '1s']
  const load = await go(folder, 'load', 'set.csv', ...KB, ...timetable, '--out', 'load')
  expect(load.code, load.screen).toBe(0)
  expect(readFileSync(join(folder, 'load', 'journal.ndjson'), 'utf8')).toContain('Ann repairs it')
  expect((await go(folder, 'estimate', 'set.csv', ...KB)).code).toBe(0)
  const running = startProgram(['sandbox', '--port', '0', '--kb', 'articles'], { cwd: folder })
  await running.says(/answers at http/)
  running.signal('SIGTERM')
  expect((await running.ended).code).toBe(0)
})

test('a run that resumes answers from the articles that it was begun with, wherever it is resumed', async () => {
  const folder = folderWith('begun', { 'espresso.md': ARTICLE('Ann') })
  const begun = await go(folder, 'run', 'set.csv', ...KB, '--max-calls', '1', '--out', 'run')
  expect(begun.code, begun.screen).toBe(4)
  const elsewhere = folderWith('elsewhere', { 'espresso.md': ARTICLE('Bob') })
  const resume = async (...more: string[]): Promise<Ended> =>
    go(elsewhere, 'run', '--resume', join('..', 'begun', 'run'), '--max-calls', '9', ...more)

  const articles = join(folder, 'articles')
  renameSync(articles, join(folder, 'away'))
  const gone = await resume()
  expect([gone.code, gone.screen]).toEqual([
    2,
    expect.stringMatching(/the articles of the run cannot be read: .* is not a folder; restore them/),
  ])
  renameSync(join(folder, 'away'), articles)

  const other = await resume('--sandbox', '--kb', 'articles')
  expect([other.code, other.screen]).toEqual([
    2,
    expect.stringContaining('--kb was not given, not articles; leave it out, or start a new run'),
  ])

  const { code, screen } = await resume()
  expect(code, screen).toBe(0)
  expect(answersOf(folder, 'run')).toEqual([from('Ann'), from('Ann')])
})

test('parts that are joined keep the way to the articles', async () => {
  const folder = folderWith('parts', { 'espresso.md': ARTICLE('Ann') })
  for (const part of ['1', '2'])
    await go(folder, 'run', 'set.csv', ...KB, '--shard', `${part}/2`, '--out', join('of', 'two', part))
  const merged = await go(folder, 'merge', join('of', 'two', '1'), join('of', 'two', '2'), '--out', 'whole')
  expect(merged.code, merged.screen).toBe(0)
  expect(recordedAt(folder, 'of', 'two', '1')).toBe('../../../articles')
  expect(recordedAt(folder, 'whole')).toBe('../articles')
})

test('the library takes it as an option', async () => {
  const folder = folderWith('library', { 'espresso.md': ARTICLE('Ann') })
  const library = join(main, '..', 'index.js')
  writeFileSync(
    join(folder, 'ask.mjs'),
    `import { run } from ${JSON.stringify(library)}
await run({ datasets: ['set.csv'], sandbox: true, kb: 'articles', out: 'run' })`,
  )
  const { execFileSync } = await import('node:child_process')
  expect(execFileSync(process.execPath, ['ask.mjs'], { cwd: folder, encoding: 'utf8' })).toBe('')
  expect(answersOf(folder, 'run')).toEqual([from('Ann'), from('Ann')])
})
