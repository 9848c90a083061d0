// Report pages (`--open`) and the workbench in the browser of this machine.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { messageOf } from '../options/faults.ts'
import type { Screen } from './screen.ts'

const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens a page or an address, and does not wait for the opener, which may become the browser itself. */
export async function openInBrowser(what: string, name: string, screen: Screen): Promise<void> {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...args, what], { stdio: 'ignore', detached: true })
  child.unref()
  await once(child, 'spawn').catch((error: unknown) =>
    screen.note(`${name} cannot be opened here (${messageOf(error)})`),
  )
}
