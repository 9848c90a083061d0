// Protects the Jenkinsfile of docs/guides/ci-jenkins.md: its sections are those of a declarative pipeline, and
// its stages run, with folders for what is archived and copied. Jenkins itself does not run here.
import { cpSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runCommand, type ProgramResult } from '../../support/program.ts'
import { fileInPage } from '../../support/readme-blocks.ts'
import { expectNights, NIGHTS_MS, openRecipe } from './nights.ts'

const recipe = await openRecipe()
const { workspace, project, env } = recipe
const { at, has } = workspace

interface Section {
  readonly head: string
  /** Steps, and settings of one line. */
  readonly lines: readonly string[]
  readonly sections: readonly Section[]
}

/** `head { … }`, on one line or on several. */
function readSections(text: string): Section {
  const open: { head: string; lines: string[]; sections: Section[] }[] = [
    { head: '', lines: [], sections: [] },
  ]
  for (const [, word = ''] of text.matchAll(/((?:'[^'\n]*'|[^'{}\n])*[{}]?)/g)) {
    const said = word.replace(/[{}]$/, '').trim()
    const here = open.at(-1)
    if (here === undefined) throw new Error('a bracket closes nothing')
    if (word.endsWith('{')) open.push({ head: said, lines: [], sections: [] })
    else if (said !== '' && !said.startsWith('//')) here.lines.push(said)
    if (word.endsWith('}')) {
      const closed = open.pop()
      if (closed !== undefined) open.at(-1)?.sections.push(closed)
    }
  }
  const [root, ...unclosed] = open
  if (root === undefined || unclosed.length > 0) throw new Error('a bracket is not closed')
  return root
}

const [pipeline] = readSections(fileInPage('docs/guides/ci-jenkins.md', 'Jenkinsfile')).sections
const inside = (section: Section | undefined, head: string): Section | undefined =>
  section?.sections.find((one) => one.head === head)
const stages = inside(pipeline, 'stages')?.sections ?? []
const always = inside(inside(pipeline, 'post'), 'always')

const stepsOf = (section: Section | undefined): string[] =>
  section === undefined
    ? []
    : [...section.lines, ...section.sections.filter(({ head }) => head === 'script').flatMap(stepsOf)]

/** `name: 'value'` of a step. */
const wordOf = (step: string, name: string): string =>
  new RegExp(`\\b${name}: '([^']*)'`).exec(step)?.[1] ?? ''

interface Build {
  readonly isAccepting: boolean
  readonly isSuccessful: boolean
  readonly archive: string
}
const builds: Build[] = []
let isKept = false

/** Runs a step as Jenkins would. */
async function runStep(step: string, archive: string): Promise<ProgramResult | undefined> {
  const [, name = ''] = /^([\w.]+)/.exec(step) ?? []
  if (name === 'sh') {
    const [, script = ''] = /^sh '(.*)'$/.exec(step) ?? []
    return runCommand('sh', ['-xe', '-c', script], { cwd: project, env })
  }
  if (name === 'copyArtifacts') {
    expect([wordOf(step, 'projectName'), step]).toEqual([
      'assist-nightly',
      expect.stringContaining('lastSuccessful()'),
    ])
    const isAccepting = wordOf(step, 'parameters') === 'ACCEPT=true'
    const from = builds.findLast((one) => one.isSuccessful && one.isAccepting === isAccepting)
    if (from === undefined) expect(step).toContain('optional: true')
    else copyMatching(wordOf(step, 'filter'), from.archive, 'project')
  } else if (name === 'archiveArtifacts') {
    const pattern = wordOf(step, 'artifacts')
    const isThere = copyMatching(pattern, 'project', archive)
    if (!isThere) expect(step).toContain('allowEmptyArchive: true')
  } else if (name === 'junit') {
    if (!has('project', wordOf(step, 'testResults'))) expect(step).toContain('allowEmptyResults: true')
  } else if (step === 'currentBuild.keepLog = true') isKept = true
  else throw new Error(`no replacement for ${step}`)
  return undefined
}

/** `pattern`: a folder and all in it. Returns whether it exists. */
function copyMatching(pattern: string, from: string, to: string): boolean {
  const [, name = ''] = /^(\w+)\/\*\*$/.exec(pattern) ?? []
  expect(name, pattern).not.toBe('')
  if (!has(from, name)) return false
  cpSync(at(from, name), at(to, name), { recursive: true })
  return true
}

async function play(job: 'nightly' | 'accept'): Promise<ProgramResult> {
  const [isAccepting, archive] = [job === 'accept', `build-${builds.length}`]
  let screen = ''
  let failed: ProgramResult | undefined
  for (const stage of stages) {
    const condition = inside(stage, 'when')
    const isNegated = inside(condition, 'not') !== undefined
    const mayRun = condition === undefined || isNegated !== isAccepting
    for (const step of mayRun ? stepsOf(inside(stage, 'steps')) : []) {
      if (failed !== undefined) continue
      const ended = await runStep(step, archive)
      screen += ended?.screen ?? ''
      if (ended !== undefined && ended.code !== 0) failed = ended
    }
  }
  for (const step of stepsOf(always)) await runStep(step, archive)
  builds.push({ isAccepting, isSuccessful: failed === undefined, archive })
  return { code: failed?.code ?? 0, stdout: '', stderr: '', screen }
}

test('the file is a declarative pipeline whose job may copy from itself', () => {
  expect(pipeline?.head).toBe('pipeline')
  const known = 'agent triggers parameters options environment stages post'.split(' ')
  expect(pipeline?.sections.map(({ head }) => head)).toEqual(known)
  expect(stages.map(({ head }) => head)).toEqual(["stage('Install')", "stage('Evaluate')", "stage('Accept')"])
  expect(inside(pipeline, 'options')?.lines).toContain("copyArtifactPermission('assist-nightly')")
  const conditions = stages.map((stage) => JSON.stringify(inside(stage, 'when') ?? null))
  expect(conditions.map((text) => text.includes('params.ACCEPT'))).toEqual([false, true, true])
  expect(inside(pipeline, 'environment')?.lines).toContain("ASSIST_API_KEY = credentials('assist-api-key')")
})

test(
  'nights are compared with the accepted run, a worse one fails, and a run is accepted on request',
  async () => {
    rmSync(at('project/accepted'), { recursive: true, force: true })
    await expectNights(recipe, play)
    expect(isKept).toBe(true)
  },
  NIGHTS_MS,
)
