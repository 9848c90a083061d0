// Protects the recipes of docs/guides/ci-*.md: the lines of GitLab's jobs run in a shell, over nights with the shipped
// config file and a desk whose articles get worse. Jenkins and Azure run the same commands.
import { chmodSync, readFileSync, rmSync } from 'node:fs'
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

/**
 * `worse`: every seventh question lost its article, which no threshold notices; `bad`: all did; `broken`: each
 * call is an error; `closed`: the key is refused.
 */
let desk: 'good' | 'worse' | 'bad' | 'broken' | 'closed' = 'good'
const endpoint = await serveFile((call) => {
  if (desk === 'closed') return answerJson(call, 401, { error: { code: 'UNAUTHORIZED', message: 'no' } })
  if (desk === 'broken') return answerJson(call, 422, { error: { code: 'INVALID', message: 'no' } })
  const [, number = 0] = /(\d+)/.exec(call.body.message) ?? []
  const isGap = desk === 'bad' || (desk === 'worse' && Number(number) % 7 === 0)
  return isGap ? answerJson(call, 200, { ...goodReply(call), contextSource: 'MODEL' }) : false
})

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
  const { code, screen } = await runCommand('bash', ['-eo', 'pipefail', '-c', script], {
    cwd: at('project'),
    env: {
      PATH: `${at('bin')}:${process.env['PATH'] ?? ''}`,
      ASSIST_BASE_URL: endpoint.url,
      ASSIST_API_KEY: 'nightly-key-0123456789abcdef',
      CI_JOB_TOKEN: TOKEN,
      ACCEPTED: gitlab['.assist'].variables.ACCEPTED,
    },
  })
  return { code, screen, sent: endpoint.calls.length - before }
}
const tonight = () => summary('project/tonight')

test('nights are compared with the accepted run, a worse one fails, and a run is accepted on request', async () => {
  const first = await play('nightly')
  expect(first).toMatchObject({ code: 2, sent: 0 })
  expect(first.screen).toContain('accepted does not exist, but is required')
  expect(await play('accept')).toMatchObject({ code: 0 })
  desk = 'worse'
  // Nine questions newly fail, and are sent twice more.
  expect(await play('nightly')).toMatchObject({ code: 1, sent: 60 + 18 })
  expect(tonight()).toMatchObject({ verdict: 'failed', comparison: { verdict: 'failed' } })
  // A certain miss ends the night early.
  desk = 'broken'
  expect(await play('nightly')).toMatchObject({ code: 1, sent: 1 })
  expect(tonight()).toMatchObject({ state: 'decided', comparison: null })
  // What a person accepts is sent whole, and counts though a gate fails.
  desk = 'bad'
  expect(await play('accept')).toMatchObject({ code: 0, sent: 60 })
  // An incomplete run is never accepted: the next night is compared with the one before it.
  desk = 'closed'
  expect((await play('accept')).code).not.toBe(0)
  desk = 'worse'
  expect(await play('nightly')).toMatchObject({ code: 0 })
  expect(tonight()).toMatchObject({ verdict: 'passed', comparison: { verdict: 'passed' } })
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
    `${night} --require-baseline=false --until-decided=false || [ $? -eq 1 ]`,
  ])
  expect(recipe).toContain(junit)
})
