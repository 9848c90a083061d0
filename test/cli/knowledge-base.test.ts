// From which articles the sandbox answers, through the built program: this folder's own, or those that the package ships.
import { cpSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Manifest } from '../../src/domain/manifest.ts'
import { main, projectRoot, readResults, runProgram, startProgram, type Ended } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const root = temporaryFolder()
const ARTICLES = join('datasets', 'knowledge-base')
const OWN = `Note: the sandbox answers from ${ARTICLES} of this folder`
const NO_ARTICLE = `Note: ${ARTICLES} of this folder holds no article`
const COFFEE = 'Who repairs the espresso machine in the kitchen?'
const ARTICLE = (who: string): string =>
  `# Espresso machine\n\nThe espresso machine in the kitchen: ${who} repairs it within ${who.length} days.\n`

/** A folder with a set, and with these articles of its own. */
function folderWith(name: string, articles?: Readonly<Record<string, string>>): string {
  const folder = join(root, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'set.csv'), `id,message\nq1,${COFFEE}\n`)
  if (articles === undefined) return folder
  mkdirSync(join(folder, ARTICLES), { recursive: true })
  for (const [file, text] of Object.entries(articles)) writeFileSync(join(folder, ARTICLES, file), text)
  return folder
}
const go = async (cwd: string, ...words: readonly string[]): Promise<Ended> => runProgram(words, { cwd })
const asked = async (cwd: string, out: string): Promise<Ended> =>
  go(cwd, 'run', 'set.csv', '--sandbox', '--out', out)
const manifestOf = (...path: readonly string[]): Manifest =>
  JSON.parse(readFileSync(join(...path, 'run.json'), 'utf8')) as Manifest
const answerOf = (...path: readonly string[]): [string | undefined, string | undefined] => {
  const [row] = readResults(join(...path))
  return [row?.['context_source'], row?.['answer']]
}

test('an article of this folder is answered with, and an edit of it is seen by compare', async () => {
  const folder = folderWith('edited', { 'espresso.md': ARTICLE('Ann') })
  const before = await asked(folder, 'before')
  expect(before.code, before.stderr).toBe(0)
  expect(before.stderr).toContain(OWN)
  expect(manifestOf(folder, 'before').target.knowledgeBase).toBe(`../datasets/knowledge-base`)
  writeFileSync(join(folder, ARTICLES, 'espresso.md'), ARTICLE('Bobby'))
  await asked(folder, 'after')
  expect(answerOf(folder, 'before')).toEqual(['KNOWLEDGE_BASE', expect.stringContaining('Ann')])
  expect(answerOf(folder, 'after')).toEqual(['KNOWLEDGE_BASE', expect.stringContaining('Bobby')])
  const compared = await go(folder, 'compare', 'before', 'after')
  expect(compared.stderr).toContain('3 days → 5 days')
})

test('without articles here, those of the package answer, and nothing is said of it', async () => {
  const folder = folderWith('bare')
  const { code, stderr } = await asked(folder, 'run')
  expect(code, stderr).toBe(0)
  expect(stderr).not.toMatch(/^Note: .*(?:sandbox|knowledge-base)/m)
  expect(manifestOf(folder, 'run').target).not.toHaveProperty('knowledgeBase')
  expect(answerOf(folder, 'run')[0]).toBe('MODEL')
})

test('the package itself, also by another way to it, gets no note', async () => {
  const folder = folderWith('linked')
  symlinkSync(join(projectRoot, 'datasets'), join(folder, 'datasets'))
  const { code, stderr } = await asked(folder, 'run')
  expect([code, stderr]).toEqual([0, expect.not.stringContaining(ARTICLES)])
  expect(manifestOf(folder, 'run').target).not.toHaveProperty('knowledgeBase')
})

test('a folder without an article in it is passed over, and said', async () => {
  const folder = folderWith('empty', { 'README.md': '# How we write\n\nShort.\n' })
  const { code, stderr } = await asked(folder, 'run')
  expect([code, stderr]).toEqual([0, expect.stringContaining(NO_ARTICLE)])
  expect(manifestOf(folder, 'run').target).not.toHaveProperty('knowledgeBase')
})

test('an article that cannot be read is told before anything is asked, with its file', async () => {
  const folder = folderWith('broken', { 'vpn.md': '---\ntitle: VPN\n---\n' })
  for (const words of [
    ['run', 'set.csv', '--sandbox', '--out', 'run'],
    ['load', 'set.csv', '--sandbox', '--arrival-rate', '1/s', '--duration', '1s', '--out', 'run'],
    ['sandbox', '--port', '0'],
  ]) {
    const { code, stderr } = await go(folder, ...words)
    expect([code, stderr], words.join(' ')).toEqual([
      2,
      expect.stringContaining(`${join(ARTICLES, 'vpn.md')}: the article has no text): mend it`),
    ])
  }
})

test('load and the sandbox on its own answer from them, too', async () => {
  const folder = folderWith('others', { 'espresso.md': ARTICLE('Ann') })
  const timetable = ['--arrival-rate', '2/s', '--duration', '1s']
  const load = await go(folder, 'load', 'set.csv', '--sandbox', ...timetable, '--out', 'load')
  expect([load.code, load.stderr]).toEqual([0, expect.stringContaining(OWN)])
  expect(readFileSync(join(folder, 'load', 'journal.ndjson'), 'utf8')).toContain('Ann repairs it')
  const running = startProgram(['sandbox', '--port', '0'], { cwd: folder })
  await running.says(/answers at http/)
  running.signal('SIGTERM')
  const { stderr } = await running.ended
  expect(stderr).toContain(OWN)
})

test('a run that goes on answers from the articles that it was begun with, wherever it is gone on with', async () => {
  const folder = folderWith('begun', { 'espresso.md': ARTICLE('Ann') })
  writeFileSync(join(folder, 'set.csv'), `message\n${COFFEE}\n${COFFEE} Please.\n`)
  const begun = await go(folder, 'run', 'set.csv', '--sandbox', '--max-calls', '1', '--out', 'run')
  expect(begun.code, begun.stderr).toBe(4)
  const elsewhere = folderWith('elsewhere', { 'espresso.md': ARTICLE('Bob') })
  const resume = async (): Promise<Ended> =>
    go(elsewhere, 'run', '--resume', join('..', 'begun', 'run'), '--max-calls', '9')

  const articles = join(folder, ARTICLES)
  renameSync(articles, join(folder, 'away'))
  const gone = await resume()
  expect([gone.code, gone.stderr]).toEqual([2, expect.stringMatching(/cannot answer from .*: put it back/)])
  renameSync(join(folder, 'away'), articles)

  const { code, stderr } = await resume()
  expect(code, stderr).toBe(0)
  expect(stderr).toContain(`the sandbox answers from ${join('..', 'begun', ARTICLES)}, as before`)
  const answers = readResults(join(folder, 'run')).map(({ answer }) => answer)
  expect(answers).toEqual([expect.stringContaining('Ann'), expect.stringContaining('Ann')])
})

test('a run that was begun with the articles of the package goes on with them', async () => {
  const folder = folderWith('shipped')
  writeFileSync(join(folder, 'set.csv'), `message\n${COFFEE}\n${COFFEE} Please.\n`)
  await go(folder, 'run', 'set.csv', '--sandbox', '--max-calls', '1', '--out', 'run')
  cpSync(join(root, 'edited', 'datasets'), join(folder, 'datasets'), { recursive: true })
  const { code, stderr } = await go(folder, 'run', '--resume', 'run', '--max-calls', '9')
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('the sandbox answers from')])
  expect(readResults(join(folder, 'run')).map((row) => row['context_source'])).toEqual(['MODEL', 'MODEL'])
})

test('parts that are joined keep the way to the articles', async () => {
  const folder = folderWith('parts', { 'espresso.md': ARTICLE('Ann') })
  writeFileSync(join(folder, 'set.csv'), `message\n${COFFEE}\n${COFFEE} Please.\n`)
  for (const part of ['1', '2'])
    await go(folder, 'run', 'set.csv', '--sandbox', '--shard', `${part}/2`, '--out', join('of', 'two', part))
  const merged = await go(folder, 'merge', join('of', 'two', '1'), join('of', 'two', '2'), '--out', 'whole')
  expect(merged.code, merged.stderr).toBe(0)
  expect(manifestOf(folder, 'of', 'two', '1').target.knowledgeBase).toBe('../../../datasets/knowledge-base')
  expect(manifestOf(folder, 'whole').target.knowledgeBase).toBe('../datasets/knowledge-base')
})

test('the library answers from them, prints nothing, and tells it among its notes', async () => {
  const folder = folderWith('library', { 'espresso.md': ARTICLE('Ann') })
  const library = join(main, '..', 'index.js')
  writeFileSync(
    join(folder, 'ask.mjs'),
    `import { run } from ${JSON.stringify(library)}
const { notes, folder } = await run({ datasets: ['set.csv'], sandbox: true, out: 'run' })
console.log(JSON.stringify(notes))`,
  )
  const { execFileSync } = await import('node:child_process')
  const printed = execFileSync(process.execPath, ['ask.mjs'], { cwd: folder, encoding: 'utf8' })
  expect(JSON.parse(printed)).toContain(OWN.slice('Note: '.length))
  expect(answerOf(folder, 'run')).toEqual(['KNOWLEDGE_BASE', expect.stringContaining('Ann')])
})
