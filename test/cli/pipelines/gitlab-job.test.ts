// The README's GitLab job, run by gitlab-ci-local with its shell executor: two nights and an acceptance.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerJson, goodReply, startEndpoint, type TestEndpoint } from '../../support/endpoint.ts'
import { main, readSummary, type Ended } from '../../support/program.ts'
import { readmeFile } from '../../support/readme-blocks.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const folder = temporaryFolder()
const project = join(folder, 'project')
const hasRsync = spawnSync('rsync', ['--version']).status === 0
const KEY = 'gitlab-key-0123456789abcdef'
let endpoint: TestEndpoint
let isWorse = false

beforeAll(async () => {
  endpoint = await startEndpoint((call) =>
    isWorse ? answerJson(call, 200, { ...goodReply(call), contextSource: 'MODEL' }) : false,
  )
  mkdirSync(project)
  const rows = Array.from({ length: 30 }, (_, number) => `q${number},Question ${number}?\n`)
  writeFileSync(join(project, 'questions.csv'), `id,message\n${rows.join('')}`)
  writeFileSync(join(project, '.gitlab-ci.yml'), readmeFile('.gitlab-ci.yml'))
  // `npm ci` of a project whose one package is the built program of this checkout.
  const link = `mkdir -p node_modules/.bin && ln -sf ${main} node_modules/.bin/assist-harness && chmod +x ${main}`
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ name: 'p', version: '1.0.0', scripts: { postinstall: link } }),
  )
  writeFileSync(
    join(project, 'package-lock.json'),
    JSON.stringify({ name: 'p', version: '1.0.0', lockfileVersion: 3, packages: { '': { name: 'p' } } }),
  )
  await start('git', ['init', '--quiet', '--initial-branch', 'main'])
  await start('git', ['remote', 'add', 'origin', 'git@gitlab.example.com:desk/questions.git'])
  await start('git', ['add', '.'])
  await start('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', 'questions'])
})
afterAll(async () => endpoint.close())

async function start(command: string, words: readonly string[]): Promise<Ended> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, npm_config_update_notifier: 'false' }
  const child = spawn(command, words, { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr }
}

/** A job starts from a fresh checkout and its cache. */
async function night(accept = 'first'): Promise<Ended> {
  rmSync(join(project, 'tonight'), { recursive: true, force: true })
  const variables = {
    CI_PIPELINE_SOURCE: 'schedule',
    ASSIST_BASE_URL: endpoint.url,
    ASSIST_API_KEY: KEY,
    ACCEPT: accept,
  }
  return start(process.execPath, [
    fileURLToPath(import.meta.resolve('gitlab-ci-local')),
    '--force-shell-executor',
    '--no-shell-isolation',
    ...Object.entries(variables).flatMap(([name, value]) => ['--variable', `${name}=${value}`]),
    'assist-nightly',
  ])
}

const title = 'accepts the first night, fails a worse one, and accepts what a person accepts'
test.skipIf(!hasRsync && process.env['CI'] !== 'true')(
  hasRsync ? title : `${title} (skipped: gitlab-ci-local needs rsync)`,
  async () => {
    const first = await night()
    expect(first.code, first.stdout + first.stderr).toBe(0)
    expect(readSummary(join(project, 'tonight')).comparison).toBeNull()
    const runOf = (path: string): string => readFileSync(join(project, path, 'run.json'), 'utf8')
    const accepted = runOf('accepted')

    isWorse = true
    const second = await night()
    expect(second.code, second.stdout + second.stderr).toBe(1)
    expect(readSummary(join(project, 'tonight'))).toMatchObject({ verdict: 'failed', comparison: {} })
    expect(runOf('accepted')).toBe(accepted)

    expect((await night('yes')).code).toBe(1)
    expect(runOf('accepted')).toBe(runOf('tonight'))
  },
)
