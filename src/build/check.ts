// `npm run check`: every script of package.json whose name begins with `check:`, those after a failing one,
// too.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { scripts: object }
const checks = Object.keys(scripts).filter((name) => name.startsWith('check:'))
const failed = checks.filter((name) => {
  const { status } = spawnSync(`npm run ${name}`, { cwd: root, stdio: 'inherit', shell: true })
  return status !== 0
})
process.stdout.write(failed.length === 0 ? '\nEvery check passed\n' : `\nFailed: ${failed.join(', ')}\n`)
process.exitCode = failed.length === 0 ? 0 : 1
