// The separator a spreadsheet expects, asked of processes in several locales.
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { oneModule } from '../support/one-module.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const script = `
  const { spreadsheetSeparator } = await import('${await oneModule('cli/locale.ts', folder)}')
  process.stdout.write(spreadsheetSeparator(process.env))
`

test.each([
  [{}, ','],
  [{ LANG: 'C' }, ','],
  [{ LANG: 'en_US.UTF-8' }, ','],
  [{ LANG: 'de_DE.UTF-8' }, ';'],
  [{ LANG: 'fr_FR.UTF-8' }, ';'],
  [{ LANG: 'de_CH.UTF-8' }, ','],
  [{ LANG: 'ja_JP.UTF-8' }, ','],
  [{ LC_ALL: 'de_DE.UTF-8', LANG: 'en_US.UTF-8' }, ';'],
  [{ LC_ALL: 'en_GB.UTF-8', LC_NUMERIC: 'de_DE.UTF-8', LANG: 'de_DE.UTF-8' }, ','],
  [{ LC_NUMERIC: 'nl_NL@euro', LANG: 'en_US.UTF-8' }, ';'],
  [{ LC_NUMERIC: 'C', LANG: 'de_DE.UTF-8' }, ','],
  [{ LC_NUMERIC: '', LANG: 'pt_BR.UTF-8' }, ';'],
  [{ LC_NUMERIC: 'no such locale!', LANG: 'es_ES.UTF-8' }, ';'],
])('%j: %s', (env: Record<string, string>, separator) => {
  const words = ['--input-type=module', '--eval', script]
  const options = {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    encoding: 'utf8',
  } as const
  expect(execFileSync(process.execPath, words, options)).toBe(separator)
})
