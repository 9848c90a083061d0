// The nights that the recipe of every CI system must get right, with the shipped config file and a desk whose
// articles get worse. What the system itself does (artifacts, conditions) is up to the recipe's test.
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { answerJson, goodReply, serveFile } from '../../support/endpoint.ts'
import { projectRoot, type ProgramResult } from '../../support/program.ts'
import { serveProgram } from '../../support/shell-program.ts'
import { openWorkspace, type Workspace } from '../../support/workspace.ts'

/**
 * `worse`: every seventh question lost its article, which no threshold notices; `bad`: all did; `broken`: each
 * call is an error; `closed`: the key is refused.
 */
export type Desk = 'good' | 'worse' | 'bad' | 'broken' | 'closed'

export interface Recipe {
  readonly workspace: Workspace
  /** The checkout of each job. */
  readonly project: string
  /** What the recipe's variables and secrets give. */
  readonly env: Readonly<Record<string, string>>
  readonly calls: () => number
  readonly set: (desk: Desk) => void
}

const rows = Array.from({ length: 60 }, (_, number) => `q${number},Question ${number}?\n`)

export async function openRecipe(): Promise<Recipe> {
  const night = readFileSync(join(projectRoot, 'docs/nightly.yaml'), 'utf8')
  const workspace = openWorkspace({
    'project/questions.csv': `id,message\n${rows.join('')}`,
    'project/nightly.yaml': `${night}rate: unlimited\nconcurrency: 1\n`,
    // What `npm ci` installs: the built program of this checkout.
    'project/node_modules/.bin/assist-harness': await serveProgram(),
    // npm itself would take longer than the program.
    'bin/npm': '#!/bin/sh\ntest "$*" = ci\n',
  })
  const { at } = workspace
  for (const file of ['project/node_modules/.bin/assist-harness', 'bin/npm']) chmodSync(at(file), 0o755)
  let [desk, calls]: [Desk, number] = ['good', 0]
  const endpoint = await serveFile((call) => {
    calls += 1
    if (desk === 'closed') return answerJson(call, 401, { error: { code: 'UNAUTHORIZED', message: 'no' } })
    if (desk === 'broken') return answerJson(call, 422, { error: { code: 'INVALID', message: 'no' } })
    const [, number = 0] = /(\d+)/.exec(call.body.message) ?? []
    const isGap = desk === 'bad' || (desk === 'worse' && Number(number) % 7 === 0)
    return isGap ? answerJson(call, 200, { ...goodReply(call), contextSource: 'MODEL' }) : false
  })
  return {
    workspace,
    project: at('project'),
    env: {
      ASSIST_BASE_URL: endpoint.url,
      ASSIST_API_KEY: 'nightly-key-0123456789abcdef',
      PATH: `${at('bin')}:${process.env['PATH'] ?? ''}`,
    },
    calls: () => calls,
    set: (state) => {
      desk = state
    },
  }
}

/** `play`: one job, from a fresh checkout. Returns the result of the step that runs the harness. */
export async function expectNights(
  { workspace, calls, set }: Recipe,
  play: (job: 'nightly' | 'accept') => Promise<ProgramResult>,
): Promise<void> {
  const sentBy = async (job: 'nightly' | 'accept', code: number) => {
    const before = calls()
    const ended = await play(job)
    expect(ended.code, ended.screen).toBe(code)
    return { screen: ended.screen, sent: calls() - before }
  }
  const summary = () => workspace.summary('project/tonight')

  const first = await sentBy('nightly', 2)
  expect(first.screen).toContain('accepted does not exist, but is required')
  expect(first.sent).toBe(0)
  await sentBy('accept', 0)
  set('worse')
  // Nine questions newly fail, and are sent twice more.
  expect((await sentBy('nightly', 1)).sent).toBe(60 + 18)
  expect(summary()).toMatchObject({ verdict: 'failed', comparison: { verdict: 'failed' } })

  // A certain miss ends the night early.
  set('broken')
  expect((await sentBy('nightly', 1)).sent).toBe(1)
  expect(summary()).toMatchObject({ state: 'decided', comparison: null })
  // What a person accepts is sent whole, and counts though a gate fails.
  set('bad')
  expect((await sentBy('accept', 0)).sent).toBe(60)
  // An incomplete run is never accepted: the next night is compared with the one before it.
  set('closed')
  expect((await play('accept')).code).not.toBe(0)
  set('worse')
  await sentBy('nightly', 0)
  expect(summary()).toMatchObject({ verdict: 'passed', comparison: { verdict: 'passed' } })
}

/** All of them. */
export const NIGHTS_MS = 180_000
