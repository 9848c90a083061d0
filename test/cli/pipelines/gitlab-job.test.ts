// The README's GitLab job, run by gitlab-ci-local with its shell executor: nights and acceptances.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
  prepare('q', 30)
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
  return { code, stdout, stderr, screen: stderr + stdout }
}

/** A question set, and the job with more arguments. */
function prepare(prefix: string, questions: number, more = ''): void {
  const rows = Array.from({ length: questions }, (_, number) => `${prefix}${number},${prefix} ${number}?\n`)
  writeFileSync(join(project, 'questions.csv'), `id,message\n${rows.join('')}`)
  const job = readmeFile('.gitlab-ci.yml').replace('--max-calls 500', `--max-calls 500 ${more}`)
  writeFileSync(join(project, '.gitlab-ci.yml'), job)
}

/** No night has been before: neither its folder is there, nor the cache. */
function forget(): void {
  for (const path of ['accepted', '.gitlab-ci-local'])
    rmSync(join(project, path), { recursive: true, force: true })
}

/** The script's exit code, which gitlab-ci-local says, but does not end with. */
function codeOf({ stdout, stderr }: Ended): number {
  const said = stripVTControlCharacters(stdout + stderr)
  const [, code] = /\bFAIL (\d+)/.exec(said) ?? []
  if (code === undefined) throw new Error(`it says no exit code:\n${said}`)
  return Number(code)
}

const runOf = (path: string): string => readFileSync(join(project, path, 'run.json'), 'utf8')

/** A job starts from a fresh checkout and its cache. */
async function night(accept = 'no'): Promise<Ended> {
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

const can = hasRsync ? '' : ' (skipped: gitlab-ci-local needs rsync)'
describe.skipIf(!hasRsync && process.env['CI'] !== 'true')(`the job${can}`, () => {
  test('accepts the first night, fails a worse one, and accepts what a person accepts', async () => {
    const first = await night()
    expect(first.code, first.stdout + first.stderr).toBe(0)
    expect(readSummary(join(project, 'tonight')).comparison).toBeNull()
    const accepted = runOf('accepted')

    isWorse = true
    const second = await night()
    expect(second.code, second.stdout + second.stderr).toBe(1)
    expect(readSummary(join(project, 'tonight'))).toMatchObject({ verdict: 'failed', comparison: {} })
    expect(runOf('accepted')).toBe(accepted)

    const accepting = await night('yes')
    expect(accepting.code, accepting.screen).toBe(1)
    expect(runOf('accepted')).toBe(runOf('tonight'))
  })

  test('refuses a question set that was rewritten, until a person accepts its run', async () => {
    isWorse = false
    forget()
    prepare('old', 2)
    expect((await night()).code).toBe(0)
    const accepted = runOf('accepted')
    prepare('new', 3)
    const refused = await night()
    expect(codeOf(refused)).toBe(2)
    expect(refused.stdout + refused.stderr).toMatch(/leave --baseline out and accept this run as the new one/)

    // What else is wrong with a run is not mended by accepting it.
    prepare('new', 3, '--rate much')
    expect(codeOf(await night('yes'))).toBe(2)
    expect(runOf('accepted')).toBe(accepted)

    prepare('new', 3)
    const accepting = await night('yes')
    expect(accepting.code, accepting.stdout + accepting.stderr).toBe(0)
    expect(runOf('accepted')).toBe(runOf('tonight'))
    expect((await night()).code).toBe(0)
    expect(readSummary(join(project, 'tonight'))).toMatchObject({ comparison: { verdict: 'passed' } })
  })
})
