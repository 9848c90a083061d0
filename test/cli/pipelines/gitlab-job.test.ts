// Protects the GitLab jobs of docs/guides/ci.md: nights and acceptances, run by gitlab-ci-local with its shell executor.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Summary } from '../../../src/domain/summary.ts'
import { answerJson, goodReply, serveFile } from '../../support/endpoint.ts'
import { main, runCommand, type ProgramResult } from '../../support/program.ts'
import { fileInPage } from '../../support/readme-blocks.ts'
import { openWorkspace } from '../../support/workspace.ts'

// `npm ci` in a project whose only package is the built program of this checkout.
const link = `mkdir -p node_modules/.bin && ln -sf ${main} node_modules/.bin/assist-harness && chmod +x ${main}`
const made = { name: 'p', version: '1.0.0' }
const { folder, at, put, summary } = openWorkspace({
  'project/package.json': JSON.stringify({ ...made, scripts: { postinstall: link } }),
  'project/package-lock.json': JSON.stringify({
    ...made,
    lockfileVersion: 3,
    packages: { '': { name: 'p' } },
  }),
})
const project = at('project')
const hasRsync = spawnSync('rsync', ['--version']).status === 0
const KEY = 'gitlab-key-0123456789abcdef'
let isWorse = false
const endpoint = await serveFile((call) =>
  isWorse ? answerJson(call, 200, { ...goodReply(call), contextSource: 'MODEL' }) : false,
)

beforeAll(async () => {
  prepare('q')
  await start('git', ['init', '--quiet', '--initial-branch', 'main'])
  await start('git', ['remote', 'add', 'origin', 'git@gitlab.example.com:desk/questions.git'])
  await start('git', ['add', '.'])
  await start('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', 'questions'])
})

async function start(command: string, words: readonly string[]): Promise<ProgramResult> {
  const env = { HOME: folder, npm_config_update_notifier: 'false' }
  const { screen, ...ended } = await runCommand(command, words, { cwd: project, env })
  return { ...ended, screen: stripVTControlCharacters(screen) }
}

/** Writes a set of 30 questions, and the jobs. */
function prepare(prefix: string): void {
  const rows = Array.from({ length: 30 }, (_, number) => `${prefix}${number},${prefix} ${number}?\n`)
  put('project/questions.csv', `id,message\n${rows.join('')}`)
  const jobs = fileInPage('docs/guides/ci.md', '.gitlab-ci.yml')
  put('project/.gitlab-ci.yml', jobs.replaceAll('--max-calls', '--rate unlimited --max-calls'))
}

/** The script's exit code. gitlab-ci-local prints it, but does not exit with it. */
function codeOf({ screen }: ProgramResult): number {
  const [, code] = /\bFAIL (\d+)/.exec(screen) ?? []
  if (code === undefined) throw new Error(`no exit code in the output:\n${screen}`)
  return Number(code)
}

/**
 * A job starts from a fresh checkout. gitlab-ci-local works in the project itself, so the cached folder is already there.
 * A job that only pushes to the cache starts without it.
 */
async function startJob(job: 'assist-nightly' | 'assist-accept'): Promise<ProgramResult> {
  rmSync(at('project/tonight'), { recursive: true, force: true })
  if (job === 'assist-accept') rmSync(at('project/accepted'), { recursive: true, force: true })
  const variables = {
    CI_PIPELINE_SOURCE: job === 'assist-nightly' ? 'schedule' : 'web',
    ASSIST_BASE_URL: endpoint.url,
    ASSIST_API_KEY: KEY,
  }
  return start(process.execPath, [
    fileURLToPath(import.meta.resolve('gitlab-ci-local')),
    '--force-shell-executor',
    '--no-shell-isolation',
    ...Object.entries(variables).flatMap(([name, value]) => ['--variable', `${name}=${value}`]),
    job,
  ])
}

const can = hasRsync ? '' : ' (skipped: gitlab-ci-local needs rsync)'
describe.skipIf(!hasRsync && process.env['CI'] !== 'true')(`the jobs${can}`, () => {
  const tonight = (): Summary => summary('project/tonight')

  test('compare a night with the accepted run, fail a worse one, and accept a run on request', async () => {
    const first = await startJob('assist-nightly')
    expect(codeOf(first), first.screen).toBe(2)
    expect(first.screen).toContain('accepted does not exist, but is required; nothing was sent')

    const accepting = await startJob('assist-accept')
    expect(accepting.code, accepting.screen).toBe(0)
    isWorse = true
    const worse = await startJob('assist-nightly')
    expect(codeOf(worse), worse.screen).toBe(1)
    expect(tonight()).toMatchObject({ verdict: 'failed', comparison: { verdict: 'failed' } })

    // The articles were removed on purpose: a person accepts the new state.
    const again = await startJob('assist-accept')
    expect(again.code, again.screen).toBe(0)
    await startJob('assist-nightly')
    expect(tonight()).toMatchObject({ comparison: { verdict: 'passed' } })
  })

  test('reject a rewritten question set until its run is accepted', async () => {
    isWorse = false
    expect((await startJob('assist-accept')).code).toBe(0)
    prepare('new')
    const rejected = await startJob('assist-nightly')
    expect(codeOf(rejected)).toBe(2)
    expect(rejected.screen).toMatch(/lower --min-overlap, or leave --baseline out/)

    expect((await startJob('assist-accept')).code).toBe(0)
    expect((await startJob('assist-nightly')).code).toBe(0)
    expect(tonight()).toMatchObject({ comparison: { verdict: 'passed' } })
  })
})
