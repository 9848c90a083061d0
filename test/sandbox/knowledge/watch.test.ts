// `--watch`: an editor adds, changes, breaks and removes an article, and asks again.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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

const within = { timeout: 5000, interval: 25 }

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

test('a CSV file', async () => {
  const file = join(folder, 'faq.csv')
  writeFileSync(file, 'question,answer\nWhere is the swimming pool?,On the roof\n')
  const { ask } = await startClient({ knowledgeBase: file, watch: true })
  const reply = async () => (await ask({ message: 'Where is the swimming pool?' })).body.message as string
  expect(await reply()).toBe('On the roof')
  writeFileSync(file, 'question,answer\nWhere is the swimming pool?,In the cellar\n')
  await vi.waitFor(async () => expect(await reply()).toBe('In the cellar'), within)
})
