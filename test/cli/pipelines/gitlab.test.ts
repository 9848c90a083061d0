// Protects the GitLab jobs of docs/guides/ci-gitlab.md: gitlab-ci-local checks and expands them, and their
// scripts run against a server of generic packages.
import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { runCommand, type ProgramResult } from '../../support/program.ts'
import { fileInPage } from '../../support/readme-blocks.ts'
import { expectNights, NIGHTS_MS, openRecipe } from './nights.ts'

interface Job {
  readonly before_script: readonly string[]
  readonly script: readonly string[]
  readonly variables: Readonly<Record<string, string>>
  readonly rules: readonly unknown[]
  readonly artifacts: { readonly paths: readonly string[]; readonly reports: { readonly junit: string } }
}

const TOKEN = 'job-token-0123456789'
const recipe = await openRecipe()
const { workspace, project, env } = recipe
const { at, folder, has, put } = workspace
put('project/.gitlab-ci.yml', fileInPage('docs/guides/ci-gitlab.md', '.gitlab-ci.yml'))
let jobs: Readonly<Record<string, Job>>

/** The newest file of each address. */
const packages = new Map<string, Buffer>()
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const path = request.url ?? ''
    const isKnown = /^\/api\/v4\/projects\/7\/packages\/generic\/[\w.-]+\/\d+\.\d+\.\d+\/[\w.-]+$/.test(path)
    if (request.headers['job-token'] !== TOKEN || !isKnown) response.writeHead(401).end()
    else if (request.method === 'PUT') {
      packages.set(path, Buffer.concat(chunks))
      response.writeHead(201).end('{"message":"201 Created"}')
    } else if (packages.has(path)) response.end(packages.get(path))
    else response.writeHead(404).end('{"message":"404 Not Found"}')
  })
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const run = async (command: string, ...words: string[]): Promise<ProgramResult> =>
    runCommand(command, words, { cwd: project, env: { HOME: folder } })
  await run('git', 'init', '--quiet', '--initial-branch', 'main')
  await run('git', 'remote', 'add', 'origin', 'git@gitlab.example.com:desk/questions.git')
  const emulator = fileURLToPath(import.meta.resolve('gitlab-ci-local'))
  const { stdout, screen } = await run(process.execPath, emulator, '--preview')
  expect(stdout, screen).toContain('assist-nightly:')
  jobs = parse(stdout) as Readonly<Record<string, Job>>
})
afterAll(() => server.close())

async function play(name: 'nightly' | 'accept'): Promise<ProgramResult> {
  const { before_script: before, script, variables, artifacts } = jobs[`assist-${name}`] as Job
  for (const path of ['tonight', 'accepted', 'accepted.tar.gz'])
    rmSync(at('project', path), { recursive: true, force: true })
  const predefined: Record<string, string> = {
    CI_API_V4_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v4`,
    CI_PROJECT_ID: '7',
    CI_JOB_TOKEN: TOKEN,
  }
  // GitLab expands the predefined variables in those of the file.
  const own = Object.entries(variables).map(([key, value]) => [
    key,
    value.replaceAll(/\$(\w+)/g, (whole, used: string) => predefined[used] ?? whole),
  ])
  const words = ['-eo', 'pipefail', '-c', [...before, ...script].join('\n')]
  const all = { ...predefined, ...Object.fromEntries(own), ...env } as Record<string, string>
  const ended = await runCommand('bash', words, { cwd: project, env: all })
  if (ended.code !== 2)
    for (const kept of [...artifacts.paths, artifacts.reports.junit])
      expect(has('project', kept), kept).toBe(true)
  return ended
}

test('the nightly job runs on a schedule, the other one when a person starts it', () => {
  expect(jobs['assist-nightly']?.rules).toEqual([{ if: '$CI_PIPELINE_SOURCE == "schedule"' }])
  expect(jobs['assist-accept']?.rules).toEqual([{ if: '$CI_PIPELINE_SOURCE == "web"' }])
})

test(
  'nights are compared with the accepted run, a worse one fails, and a run is accepted on request',
  async () => {
    await expectNights(recipe, play)
  },
  NIGHTS_MS,
)
