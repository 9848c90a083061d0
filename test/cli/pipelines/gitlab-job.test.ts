// Protects the GitLab jobs of docs/guides/ci.md: gitlab-ci-local expands them, and their scripts run with its
// caches.
import { cpSync, existsSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { answerJson, goodReply, serveFile } from '../../support/endpoint.ts'
import { main, runCommand, type ProgramResult } from '../../support/program.ts'
import { fileInPage } from '../../support/readme-blocks.ts'
import { openWorkspace } from '../../support/workspace.ts'

interface Job {
  readonly before_script: readonly string[]
  readonly script: readonly string[]
  readonly variables: Readonly<Record<string, string>>
  readonly rules: readonly unknown[]
  readonly cache: readonly { readonly paths: readonly string[]; readonly policy: string }[]
}

const guide = fileInPage('docs/guides/ci.md', '.gitlab-ci.yml')
const rows = Array.from({ length: 30 }, (_, number) => `q${number},Question ${number}?\n`)
const { folder, at, summary } = openWorkspace({
  'project/.gitlab-ci.yml': guide.replaceAll('--max-calls', '--rate unlimited --max-calls'),
  'project/questions.csv': `id,message\n${rows.join('')}`,
  // What `npm ci` installs: the built program of this checkout.
  'project/node_modules/.bin/assist-harness': `#!/bin/sh\nexec ${process.execPath} ${main} "$@"\n`,
  // npm itself would take longer than the program.
  'bin/npm': '#!/bin/sh\ntest "$*" = ci\n',
})
const project = at('project')
let isWorse = false
const endpoint = await serveFile((call) =>
  isWorse ? answerJson(call, 200, { ...goodReply(call), contextSource: 'MODEL' }) : false,
)
let jobs: Readonly<Record<string, Job>>

beforeAll(async () => {
  const run = async (command: string, ...words: string[]): Promise<ProgramResult> =>
    runCommand(command, words, { cwd: project, env: { HOME: folder } })
  await run('chmod', '+x', 'node_modules/.bin/assist-harness', '../bin/npm')
  await run('git', 'init', '--quiet', '--initial-branch', 'main')
  await run('git', 'remote', 'add', 'origin', 'git@gitlab.example.com:desk/questions.git')
  const emulator = fileURLToPath(import.meta.resolve('gitlab-ci-local'))
  const { stdout, screen } = await run(process.execPath, emulator, '--preview')
  expect(stdout, screen).toContain('assist-nightly:')
  jobs = parse(stdout) as Readonly<Record<string, Job>>
})

/** Starts from a fresh checkout, fetches and keeps the cached folders as the policy of the job says. */
async function play(name: 'assist-nightly' | 'assist-accept'): Promise<ProgramResult> {
  const { before_script: before, script, variables, cache } = jobs[name] as Job
  for (const path of ['tonight', 'accepted']) rmSync(at('project', path), { recursive: true, force: true })
  const folders = cache.flatMap(({ paths, policy }) => paths.map((path) => ({ path, policy })))
  for (const { path, policy } of folders)
    if (policy !== 'push' && existsSync(at('cache', path)))
      cpSync(at('cache', path), at('project', path), { recursive: true })
  const words = ['-eo', 'pipefail', '-c', [...before, ...script].join('\n')]
  const own = { ASSIST_BASE_URL: endpoint.url, ASSIST_API_KEY: 'gitlab-key-0123456789abcdef' }
  const path = `${at('bin')}:${process.env['PATH'] ?? ''}`
  const ended = await runCommand('bash', words, { cwd: project, env: { ...variables, ...own, PATH: path } })
  if (ended.code === 0)
    for (const { path: kept, policy } of folders)
      if (policy !== 'pull') cpSync(at('project', kept), at('cache', kept), { recursive: true })
  return ended
}

test('the nightly job runs on a schedule, the other one when a person starts it', () => {
  expect(jobs['assist-nightly']?.rules).toEqual([{ if: '$CI_PIPELINE_SOURCE == "schedule"' }])
  expect(jobs['assist-accept']?.rules).toEqual([{ if: '$CI_PIPELINE_SOURCE == "web"' }])
})

test('nights are compared with the accepted run, a worse one fails, and a run is accepted on request', async () => {
  const first = await play('assist-nightly')
  expect([first.code, first.screen]).toEqual([
    2,
    expect.stringContaining('accepted does not exist, but is required'),
  ])
  expect((await play('assist-accept')).code).toBe(0)
  isWorse = true
  const worse = await play('assist-nightly')
  expect(worse.code, worse.screen).toBe(1)
  expect(summary('project/tonight')).toMatchObject({ verdict: 'failed', comparison: { verdict: 'failed' } })

  // The articles were removed on purpose: a person accepts the new state, though its coverage is lower.
  expect((await play('assist-accept')).code).toBe(0)
  await play('assist-nightly')
  expect(summary('project/tonight')).toMatchObject({ comparison: { verdict: 'passed' } })
})
