// `--open`: report pages in the browser of this machine.
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { terminalText } from '../report/escape.ts'
import { say } from './output.ts'

/** What opens a file as a double click does. Where it becomes the browser itself, it never ends: nobody waits longer. */
const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}
const LONGEST_MS = 2000

/** Resolves when each is on its way. One that cannot be opened is a note: it was written all the same. */
export async function openPages(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const fault = await open(resolve(path))
    if (fault !== undefined) say(`Note: ${terminalText(path)} cannot be opened here (${fault})`)
  }
}

const open = async (path: string): Promise<string | undefined> =>
  new Promise((settle) => {
    const [command, ...words] = OPENERS[process.platform] ?? ['xdg-open']
    const child = spawn(command, [...words, path], { stdio: 'ignore', detached: true })
    const timer = setTimeout(settle, LONGEST_MS)
    const end = (fault: string | undefined): void => {
      clearTimeout(timer)
      settle(fault)
    }
    child.once('error', ({ message }) => end(message))
    child.once('exit', (code) => end(code === 0 ? undefined : `${command} ended with ${code}`))
    child.unref()
  })
