// The harness's own version, as its package says it.
import { readFileSync } from 'node:fs'

const packageFile = new URL('../../package.json', import.meta.url)

export const VERSION = (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version
