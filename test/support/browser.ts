// A real browser for tests of the report page: the Chromium that the machine has. A CI without one fails; others skip.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Undefined where there is none. */
export function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const places = [
    process.env['CHROMIUM_PATH'],
    '/usr/bin/chromium',
    ...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))),
  ]
  return places.find((path) => path !== undefined && path !== '' && existsSync(path))
}

export async function openBrowser(executablePath: string): Promise<Browser> {
  // Root of a container has no name space of its own to lock the browser into.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}
