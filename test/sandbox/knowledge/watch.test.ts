// `--watch`: an editor adds, changes, breaks and removes an article, and asks again.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { KNOWLEDGE_BASE, startClient } from '../client.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watched-'))
  cpSync(KNOWLEDGE_BASE, folder, { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const within = { timeout: 50_000, interval: 25 }

test('a folder', async () => {
  const notices: string[] = []
  const { ask } = await startClient({
    knowledgeBase: folder,
    watch: true,
    notice: (line) => notices.push(line),
  })
  const source = async () => (await ask({ message: 'Where is the swimming pool?' })).body.message as string
  const file = join(folder, 'pool.md')
  expect(await source()).not.toContain('roof')

  writeFileSync(file, '# The swimming pool\n\nIt is on the roof.')
  await vi.waitFor(async () => expect(await source()).toBe('It is on the roof.'), within)

  writeFileSync(file, '# The swimming pool\n\nIt is in the cellar.')
  await vi.waitFor(async () => expect(await source()).toBe('It is in the cellar.'), within)

  writeFileSync(file, '---\ntitle: [\n---\n')
  await vi.waitFor(() => expect(notices.at(-1)).toMatch(/not reloaded.*pool\.md/), within)
  expect(await source()).toBe('It is in the cellar.')

  rmSync(file)
  await vi.waitFor(async () => expect(await source()).not.toContain('cellar'), within)
})

test('a folder that is removed and made anew', async () => {
  const notices: string[] = []
  const { ask } = await startClient({
    knowledgeBase: folder,
    watch: true,
    notice: (line) => notices.push(line),
  })
  const reply = async () => (await ask({ message: 'Where is the swimming pool?' })).body.message as string
  for (const place of ['roof', 'cellar']) {
    rmSync(folder, { recursive: true })
    const seen = notices.length
    await vi.waitFor(() => expect(notices.slice(seen).join()).toMatch(/the last good one stays/), within)
    mkdirSync(folder)
    writeFileSync(join(folder, 'pool.md'), `# The swimming pool\n\nIt is in the ${place}.`)
    await vi.waitFor(async () => expect(await reply()).toBe(`It is in the ${place}.`), within)
  }
})

test('says so when the folder around it goes, too', async () => {
  const notices: string[] = []
  const inner = join(folder, 'outer', 'inner')
  cpSync(KNOWLEDGE_BASE, inner, { recursive: true })
  await startClient({ knowledgeBase: inner, watch: true, notice: (line) => notices.push(line) })
  rmSync(join(folder, 'outer'), { recursive: true })
  await vi.waitFor(() => expect(notices.join()).toMatch(/no longer watched/), within)
})

test('says so when there is no article', async () => {
  const notices: string[] = []
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  await startClient({ knowledgeBase: empty, notice: (line) => notices.push(line) })
  expect(notices).toEqual([`${empty} holds no article: every reply is model-only`])
})
