// The installed Chromium, for tests of the report page. Without one, CI fails and other machines skip the
// tests.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Undefined if none is installed. */
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
  // Root in a container cannot create the namespaces of Chromium's own sandbox.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}
