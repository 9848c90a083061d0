// Protects the recipes of docs/guides/ci-*.md: the lines of GitLab's jobs run in a shell, over nights with the shipped
// config file and a desk whose articles get worse. Jenkins and Azure run the same commands.
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { answerJson, goodReply, serveFile } from '../../support/endpoint.ts'
import { projectRoot, runCommand } from '../../support/program.ts'
import { fileInPage } from '../../support/readme-blocks.ts'
import { serveProgram } from '../../support/shell-program.ts'
import { openWorkspace } from '../../support/workspace.ts'

interface Job {
  readonly script: readonly string[]
  readonly rules: readonly unknown[]
}

const TOKEN = 'job-token-0123456789'
const rows = Array.from({ length: 60 }, (_, number) => `q${number},Question ${number}?\n`)
const { at, summary } = openWorkspace({
  'project/questions.csv': `id,message\n${rows.join('')}`,
  'project/nightly.yaml': `${readFileSync(join(projectRoot, 'docs/nightly.yaml'), 'utf8')}rate: unlimited\nconcurrency: 1\n`,
  // What `npm ci` installs: the built program of this checkout.
  'project/node_modules/.bin/assist-harness': await serveProgram(),
  // npm itself would take longer than the program.
  'bin/npm': '#!/bin/sh\ntest "$*" = ci\n',
  // GitLab's generic packages: the newest upload of one address.
  'bin/curl': `#!/bin/sh
[ "$3" = 'JOB-TOKEN: ${TOKEN}' ] || exit 22
case "$*" in
  *' --upload-file '*) cp "$5" "../package.tar.gz"; echo "$6" > ../address ;;
  *) [ "$4" = "$(cat ../address)" ] && cat ../package.tar.gz || exit 22 ;;
esac
`,
})
for (const file of ['project/node_modules/.bin/assist-harness', 'bin/npm', 'bin/curl'])
  chmodSync(at(file), 0o755)

let isBad = false
let refusesFrom = Infinity
const endpoint = await serveFile((call) => {
  if (endpoint.calls.length >= refusesFrom) return answerJson(call, 401, { error: { message: 'expired' } })
  return isBad ? answerJson(call, 200, { ...goodReply(call), contextSource: 'MODEL' }) : false
})
const ENV = {
  PATH: `${at('bin')}:${process.env['PATH'] ?? ''}`,
  ASSIST_BASE_URL: endpoint.url,
  ASSIST_API_KEY: 'nightly-key-0123456789abcdef',
}

const gitlab = parse(fileInPage('docs/guides/ci-gitlab.md', '.gitlab-ci.yml'))
const jobs: Readonly<Record<'nightly' | 'accept', Job>> = {
  nightly: gitlab['assist-nightly'],
  accept: gitlab['assist-accept'],
}

/** Plays a job from a fresh checkout. */
async function play(job: 'nightly' | 'accept') {
  for (const path of ['tonight', 'accepted', 'accepted.tar.gz'])
    rmSync(at('project', path), { recursive: true, force: true })
  const before = endpoint.calls.length
  const script = [...gitlab['.assist'].before_script, ...jobs[job].script].join('\n')
  const { code, stderr } = await runCommand('bash', ['-eo', 'pipefail', '-c', script], {
    cwd: at('project'),
    env: { ...ENV, CI_JOB_TOKEN: TOKEN, ACCEPTED: gitlab['.assist'].variables.ACCEPTED },
  })
  return { code, sent: endpoint.calls.length - before, notes: stderr.match(/^Note: .*$/gm) ?? [] }
}
const tonight = () => summary('project/tonight')

test('the lines of the jobs: no night without an accepted run, then one that passes, and a worse one that fails', async () => {
  expect(await play('nightly')).toMatchObject({ code: 2, sent: 0 })
  expect(await play('accept')).toMatchObject({ code: 0, sent: 60 })
  expect(await play('nightly')).toEqual({ code: 0, sent: 60, notes: [] })
  expect(tonight()).toMatchObject({ verdict: 'passed', comparison: { verdict: 'passed' }, warnings: [] })
  isBad = true
  expect((await play('nightly')).code).toBe(1)
  // What a person accepts is sent whole, and counts though a gate fails.
  expect(await play('accept')).toMatchObject({ code: 0, sent: 60 })
})

test('the nightly job runs on a schedule, the other one when a person starts it', () => {
  expect(jobs.nightly.rules).toEqual([{ if: '$CI_PIPELINE_SOURCE == "schedule"' }])
  expect(jobs.accept.rules).toEqual([{ if: '$CI_PIPELINE_SOURCE == "web"' }])
})

test.each([
  ['ci-gitlab.md', '.gitlab-ci.yml', 'reports: { junit: tonight/junit.xml }'],
  ['ci-jenkins.md', 'Jenkinsfile', "junit testResults: 'tonight/junit.xml', allowEmptyResults: true"],
  ['ci-azure.md', 'azure-pipelines.yml', 'testResultsFormat: JUnit, testResultsFiles: tonight/junit.xml'],
])('%s runs the commands of a night and of an accepted run, and publishes junit.xml', (page, file, junit) => {
  const recipe = fileInPage(`docs/guides/${page}`, file)
  const night = 'node_modules/.bin/assist-harness run --config nightly.yaml'
  expect(recipe.match(/node_modules\/\.bin\/assist-harness [^'\n]*/g)).toEqual([
    night,
    `${night} --require-baseline=false || [ $? -eq 1 ]`,
  ])
  expect(recipe).toContain(junit)
})

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly if?: string
  readonly with?: Partial<Record<'name' | 'path' | 'pattern' | 'overwrite', string | boolean>>
}
const workflow = fileInPage('docs/guides/several-machines.md', '.github/workflows/assist-shards.yml')

/** Plays the steps of a job of GitHub on a new machine. Artifacts are folders. Returns the exit code. */
async function playSteps(job: 'send' | 'judge', attempt: number, shard = ''): Promise<number> {
  rmSync(at('project/reports'), { recursive: true, force: true })
  const steps: Step[] = parse(workflow.replaceAll('${{ matrix.shard }}', shard)).jobs[job].steps
  let failed = 0
  for (const { uses = '', run, if: when, with: values = {} } of steps) {
    const [name, path] = [String(values.name), String(values.path)]
    const isFirst = when === 'github.run_attempt > 1' && attempt === 1
    if (run !== undefined && failed === 0)
      failed = (await runCommand('bash', ['-ec', run], { cwd: at('project'), env: ENV })).code ?? -1
    if (uses.startsWith('actions/download-artifact') && !isFirst) {
      const all = readdirSync(at('artifacts')).filter((each) => each.startsWith('shard-'))
      const found = values.pattern === 'shard-*' ? all.map((each) => [each, each]) : [[name, '']]
      for (const [from = '', to = ''] of found)
        cpSync(at('artifacts', from), at('project', path, to), { recursive: true })
    }
    if (uses.startsWith('actions/upload-artifact')) {
      expect([when, values.overwrite]).toEqual(['always()', true])
      rmSync(at('artifacts', name), { recursive: true, force: true })
      cpSync(at('project', path), at('artifacts', name), { recursive: true })
    }
  }
  return failed
}

test('the steps of the shards: one whose key is refused fails, and a second attempt finishes it and the merge', async () => {
  isBad = false
  expect([await playSteps('send', 1, '1'), await playSteps('send', 1, '2')]).toEqual([0, 0])
  refusesFrom = endpoint.calls.length + 5
  expect([await playSteps('send', 1, '3'), await playSteps('judge', 1)]).toEqual([3, 3])
  refusesFrom = Infinity
  expect([await playSteps('send', 2, '3'), await playSteps('judge', 2)]).toEqual([0, 0])
  expect(summary('artifacts/whole')).toMatchObject({ turns: { answered: 60 }, quota: { certain: 60 } })
})
