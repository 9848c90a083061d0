// Report pages (`--open`) and the workbench in the browser of this machine.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { messageOf } from '../options/faults.ts'
import type { Screen } from './screen.ts'

/** What opens a file as a double click does. */
const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/**
 * Does not wait for the opener, which may become the browser itself. A page that cannot be opened is a note.
 */
export async function openPages(paths: readonly string[], screen: Screen): Promise<void> {
  for (const path of paths) await open(resolve(path), path, screen)
}

export const openAddress = async (url: string, screen: Screen): Promise<void> =>
  open(url, 'the address', screen)

async function open(what: string, name: string, screen: Screen): Promise<void> {
  const [command, ...words] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...words, what], { stdio: 'ignore', detached: true })
  child.unref()
  await once(child, 'spawn').catch((error: unknown) =>
    screen.note(`${name} cannot be opened here (${messageOf(error)})`),
  )
}
