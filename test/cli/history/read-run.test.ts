// What a folder gives to a history, and in which words it is left out.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findRunFolders } from '../../../src/cli/history/find-runs.ts'
import { readRun } from '../../../src/cli/history/read-run.ts'
import type { FindLimitSettings } from '../../../src/domain/load/find-limit.ts'
import type { LoadOptions } from '../../../src/domain/load/load-options.ts'
import { encodeRecord } from '../../../src/journal/line.ts'
import { nightManifest, nightOf, nightSummary, writeNight } from '../../support/nights.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const root = temporaryFolder()
const night = { startedAt: nightOf(0) }

describe('finding', () => {
  test('runs at any depth, links once, and nothing below a run', () => {
    const at = join(root, 'find')
    writeNight(join(at, '2026/11/both/production'), night)
    writeNight(join(at, 'b'), night)
    writeNight(join(at, 'b/inner'), night)
    writeNight(join(at, '.hidden'), night)
    writeNight(join(at, 'node_modules/x'), night)
    mkdirSync(join(at, 'compared'))
    mkdirSync(join(at, 'journal-alone'))
    writeFileSync(join(at, 'journal-alone/journal.ndjson'), '')
    symlinkSync('b', join(at, 'a-latest'))
    symlinkSync('nowhere', join(at, 'broken'))
    symlinkSync('.', join(at, 'round'))
    const { folders, closed } = findRunFolders(at)
    expect(folders.map(({ name }) => name)).toEqual(['2026/11/both/production', 'b', 'journal-alone'])
    expect(closed).toEqual([])
  })

  test('what is too deep is said', () => {
    const at = join(root, 'deep')
    writeNight(join(at, '1/2/3/4/5'), { ...night, id: 'fifth' })
    writeNight(join(at, '1/2/3/4/x/6'), { ...night, id: 'sixth' })
    const { folders, closed } = findRunFolders(at)
    expect(folders.map(({ name }) => name)).toEqual(['1/2/3/4/5'])
    expect(closed).toEqual([{ name: '1/2/3/4/x', reason: 'not looked into: more than 5 folders deep' }])
  })

  test('the folder itself may be a run', () => {
    expect(findRunFolders(writeNight(join(root, 'itself'), night)).folders.map(({ name }) => name)).toEqual([
      '.',
    ])
  })
})

describe('reading', () => {
  let number = 0
  const read = async (
    manifest: unknown,
    files: Readonly<Record<string, unknown>>,
  ): ReturnType<typeof readRun> => {
    const path = join(root, `read-${(number += 1)}`)
    mkdirSync(path)
    const texts = { ...(manifest === undefined ? {} : { 'run.json': manifest }), ...files }
    for (const [name, json] of Object.entries(texts))
      writeFileSync(join(path, name), typeof json === 'string' ? json : JSON.stringify(json))
    return readRun({ path, name: 'x', files: new Set(Object.keys(texts)) })
  }
  const manifest = nightManifest(night)
  const summary = nightSummary(night)

  test('a run, with what a later harness may have added', async () => {
    const read1 = await read(
      {
        ...manifest,
        news: 1,
        shard: { index: 2, of: 4, maxCalls: null, numbered: 9, whole: null, moon: 'full' },
        merged: { of: 2, parts: [{ index: 1, runId: 'a', startedAt: manifest.startedAt }] },
      },
      { 'summary.json': { ...summary, moon: 'full' }, 'report.html': '' },
    )
    expect(read1).toMatchObject({ kind: 'run', run: { shard: '2/4', parts: ['a'], hasPage: true } })
  })

  test('a start in another zone is one of UTC', async () => {
    const read1 = await read(
      { ...manifest, startedAt: '2026-01-01T01:00:00+02:00' },
      { 'summary.json': summary },
    )
    expect(read1).toMatchObject({ run: { manifest: { startedAt: '2025-12-31T23:00:00.000Z' } } })
  })

  test('files that an editor has saved with a byte order mark', async () => {
    const [run, figures] = [manifest, summary].map((one) => `\uFEFF${JSON.stringify(one)}`)
    expect(await read(run, { 'summary.json': figures })).toMatchObject({ kind: 'run' })
  })

  const text = JSON.stringify(summary)
  const sitting = { kind: 'sitting', at: 0, sitting: 1, harnessVersion: '0.1.0' } as const
  const journal = { 'journal.ndjson': `damaged\n${encodeRecord(sitting, undefined)}\n` }
  test.each<[string, unknown, Record<string, unknown>, RegExp]>([
    ['no manifest', undefined, {}, /^run\.json is missing$/],
    ['a torn manifest', '{"formatVersion":1,', {}, /^run\.json is torn or no JSON$/],
    ['a newer manifest', { formatVersion: 2 }, {}, /^run\.json has format 2, and this harness reads 1$/],
    ['a start that is no time', { ...manifest, startedAt: 'soon' }, {}, /^run\.json says no time/],
    [
      'no summary',
      manifest,
      journal,
      /^summary\.json is missing; npx assist-harness report .* writes it anew$/,
    ],
    [
      'neither summary nor journal',
      manifest,
      {},
      /^summary\.json is missing; it cannot be written anew, as journal\.ndjson is missing, too: put back the journal or the summary from a copy$/,
    ],
    [
      'no summary, and nothing in the journal',
      manifest,
      { 'journal.ndjson': '' },
      /^summary\.json is missing; it cannot be written anew, as journal\.ndjson is empty, too: put back /,
    ],
    [
      'no summary, and nothing in the journal that can be read',
      manifest,
      { 'journal.ndjson': 'damaged\n{}\n' },
      /^summary\.json is missing; it cannot be written anew, as journal\.ndjson holds no line that can be read, too: put back /,
    ],
    [
      'a manifest alone, of a process that died',
      { ...manifest, state: 'running' },
      {},
      /^summary\.json is missing; no record of a question is left: npx assist-harness run --resume \S+ asks them all$/,
    ],
    [
      'a torn summary',
      manifest,
      { ...journal, 'summary.json': text.slice(0, text.length / 2) },
      /^summary\.json is torn .*writes it anew$/,
    ],
    [
      'an older summary',
      manifest,
      { ...journal, 'summary.json': { ...summary, formatVersion: 0 } },
      /^summary\.json has format 0, .* writes it anew$/,
    ],
    [
      'a newer summary',
      manifest,
      { 'summary.json': { ...summary, formatVersion: 9 } },
      /^summary\.json has format 9, .*; update the harness$/,
    ],
    [
      'a summary without coverage',
      manifest,
      { 'summary.json': { ...summary, coverage: undefined } },
      /^summary\.json lacks what a history needs \(coverage: /,
    ],
    [
      'a coverage of 200 %',
      manifest,
      { 'summary.json': { ...summary, coverage: { ...summary.coverage, rate: 2 } } },
      /^summary\.json lacks what a history needs \(coverage\.rate: /,
    ],
    ['a summary of null', manifest, { 'summary.json': 'null' }, /^summary\.json lacks what a history needs/],
  ])('%s', async (_, run, files, reason) => {
    const found = await read(run, files)
    expect(found.kind).toBe('unreadable')
    expect(found.kind === 'unreadable' ? found.leftOut.reason : '').toMatch(reason)
  })

  test('of a load test the usage, whatever else is in it; without it, that too is said', async () => {
    const load = { ...manifest, findLimit: undefined, load: LOAD }
    const quota = { attempts: 9, certain: 7, possible: 1, notCounted: 1, min: 7, max: 8 }
    const found = await read(load, { 'load.json': { formatVersion: 1, run: { id: 'x' }, quota } })
    expect(found).toMatchObject({ kind: 'load', load: { usage: { quota: { min: 7, max: 8 } } } })
    expect(await read(load, {})).toMatchObject({
      kind: 'load',
      load: undefined,
      leftOut: { reason: expect.stringContaining('its usage is not counted, as load.json is missing') },
    })
    for (const one of [load, { ...load, state: 'running' }, { ...manifest, findLimit: SEARCH }]) {
      const reasonWith = async (files: Record<string, unknown>): Promise<unknown> => {
        const left = await read(one, files)
        return left.kind === 'load' ? left.leftOut.reason : left
      }
      expect(await reasonWith(journal)).toMatch(/ is missing; npx assist-harness report \S+ writes it anew$/)
      expect(await reasonWith({})).toMatch(
        /; it cannot be written anew, as journal\.ndjson is missing, too: put back the journal or the figures from a copy$/,
      )
    }
  })
})

const LOAD: LoadOptions = {
  model: { kind: 'closed', users: 1, durationMs: 1000 },
  thinkTime: { kind: 'constant', ms: 0 },
  seed: 1,
  maxInFlight: 1,

  gracefulStopMs: 0,
}

const SEARCH: FindLimitSettings = {
  budget: 9,
  maxMs: 1000,
  maxInFlight: 1,
  maxPerSecond: 1,
  watchMs: 1000,
}
