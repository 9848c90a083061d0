// Reads a knowledge base from disk: a folder of Markdown articles.
import type { Dirent } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Article } from './article.ts'
import { parseMarkdown } from './parse-markdown.ts'

/** Throws an error that names the file and what is wrong with it. Articles come in the order of their slugs. */
export async function loadKnowledgeBase(path: string): Promise<Article[]> {
  const entries = await listFolder(path)
  const files = entries
    .filter((entry) => entry.isFile() && isArticle(entry.name))
    .map((entry) => relative(path, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
  return Promise.all(
    files.map(async (file) =>
      inFile(join(path, file), async () =>
        parseMarkdown(file.slice(0, -'.md'.length), await readFile(join(path, file), 'utf8')),
      ),
    ),
  )
}

async function listFolder(path: string): Promise<Dirent[]> {
  try {
    return await readdir(path, { recursive: true, withFileTypes: true })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
    throw new Error(`${path} is no folder`, { cause: error })
  }
}

/** A folder's README speaks to its editors. Names with a leading dot or underscore are drafts and editors' files. */
const isArticle = (name: string): boolean => /^[^._].*\.md$/.test(name) && name.toLowerCase() !== 'readme.md'

async function inFile<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error })
  }
}
