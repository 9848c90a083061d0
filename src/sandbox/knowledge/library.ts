// The knowledge base in use: read at the start, and again when an editor changes it.
import { dirname, resolve as toAbsolute, sep } from 'node:path'
import { answer, type AssistantAnswer, type EarlierTurn } from './assistant.ts'
import { loadKnowledgeBase } from './articles.ts'
import { buildIndex } from './search.ts'

export interface Library {
  readonly ask: (message: string, earlier: readonly EarlierTurn[]) => AssistantAnswer
  readonly close: () => Promise<void>
}

export interface LibraryOptions {
  /** Absent: an empty knowledge base. */
  readonly path: string | undefined
  readonly relevance: number | undefined
  readonly watch: boolean
  readonly log: (line: string) => void
}

/** Editors write a file in several steps; this long after the last of them it is read. */
const SETTLE_MS = 80

/** Throws where the knowledge base cannot be read. A change that cannot be read later is logged, and waits for its fix. */
export async function openLibrary({ path, relevance, watch, log }: LibraryOptions): Promise<Library> {
  const read = async () => buildIndex(path === undefined ? [] : await loadKnowledgeBase(path))
  let index = await read()
  if (path !== undefined && index.size === 0) log(`${path} holds no article: every reply is model-only`)
  const reload = async (): Promise<void> => {
    try {
      index = await read()
      log(`knowledge base reloaded: ${index.size} articles`)
    } catch (error) {
      log(`knowledge base not reloaded, the last good one stays: ${(error as Error).message}`)
    }
  }
  return {
    ask: (message, earlier) => answer(index, message, earlier, relevance),
    close: watch && path !== undefined ? await watchPath(path, reload, log) : async () => {},
  }
}

/** Resolves, once it watches, with how to stop. */
async function watchPath(
  path: string,
  changed: () => Promise<void>,
  log: (line: string) => void,
): Promise<() => Promise<void>> {
  const { watch } = await import('chokidar')
  const watched = toAbsolute(path)
  // The folder around it: a watch on the path itself would end, unnoticed, when it is removed and made anew.
  const parent = dirname(watched)
  const below = watched.endsWith(sep) ? watched : watched + sep
  const isOurs = (one: string): boolean => one === parent || one === watched || one.startsWith(below)
  const watcher = watch(parent, { ignoreInitial: true, ignored: (one) => !isOurs(toAbsolute(one)) })
  const ended = (why: string): void =>
    log(`${path} is no longer watched (${why}): restart the sandbox to watch it again`)
  watcher.on('error', (error) => ended((error as Error).message))
  watcher.on('unlinkDir', (gone) => {
    if (toAbsolute(gone) === parent && parent !== watched) ended(`${parent} is gone`)
  })
  let timer: NodeJS.Timeout | undefined
  let reloading = Promise.resolve()
  watcher.on('all', () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      // One after the other, or an older state could overtake a newer one.
      reloading = reloading.then(changed)
    }, SETTLE_MS)
  })
  await new Promise<void>((resolve) => {
    watcher.once('ready', resolve)
  })
  return async () => {
    clearTimeout(timer)
    await watcher.close()
  }
}
