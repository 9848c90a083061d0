// `report` of a load test through the program: its files, its verdict, what is refused, and its page in a real browser.
import { cpSync, existsSync, readFileSync, rmSync, truncateSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadReportSchema, type LoadReport } from '../../src/domain/load.ts'
import { compare } from '../../src/library/compare.ts'
import { report } from '../../src/library/report.ts'
import { run as runLibrary } from '../../src/library/run.ts'
import { UsageError } from '../../src/library/usage-error.ts'
import { rampIntoALimit } from '../support/example-loads.ts'
import { findChromium, openBrowser } from '../support/browser.ts'
import { loadRecords, recordLoad } from '../support/load-journal.ts'
import { runProgram } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { faultsOf } from '../support/watched-browser.ts'

const folder = temporaryFolder()
const at = (name: string): string => join(folder, name)
const FILES = ['load.json', 'summary.md', 'report.html', 'load.prom'] as const
const readReport = (name: string): LoadReport =>
  loadReportSchema.parse(JSON.parse(readFileSync(join(at(name), 'load.json'), 'utf8')))
const run = async (...words: readonly string[]) => runProgram(words, { cwd: folder })

beforeAll(() => {
  const { manifest, simulated } = rampIntoALimit()
  recordLoad(at('ramp'), manifest, loadRecords(simulated))
})

describe('a recorded load test', () => {
  test('gets its reports, its verdict and its exit code', async () => {
    const { code, stdout, screen } = await run('report', 'ramp', '--json')
    expect(screen).toMatch(/^ +Offered +15\.3\/s +1,830 conversations$/m)
    expect(screen).toMatch(/^✗ Failed · response\.p95<1s: /m)
    expect(code).toBe(1)
    for (const name of FILES) expect(existsSync(join(at('ramp'), name)), name).toBe(true)
    expect(existsSync(join(at('ramp'), 'summary.json'))).toBe(false)
    expect(JSON.parse(stdout)).toEqual(readReport('ramp'))
  })

  test('gets the same again to the byte, and another verdict by other gates', async () => {
    cpSync(at('ramp'), at('again'), { recursive: true })
    for (const name of FILES) rmSync(join(at('again'), name))
    await run('report', 'again')
    for (const name of FILES)
      expect(readFileSync(join(at('again'), name), 'utf8'), name).toBe(
        readFileSync(join(at('ramp'), name), 'utf8'),
      )
    const { code } = await run(
      'report',
      'again',
      '--threshold',
      'response.p95<3s',
      '--threshold',
      'errors<=5%',
    )
    expect(code).toBe(0)
    expect(readReport('again').thresholds).toMatchObject([
      { metric: 'response.p95', passed: true },
      { passed: true },
    ])
  })

  test('counts its calls against the allowance that report names', async () => {
    cpSync(at('ramp'), at('quota'), { recursive: true })
    const gate = ['--threshold', 'quota.shareOfQuota<=50%', '--threshold', 'errors<=100%'] as const
    const without = await run('report', 'quota', ...gate)
    expect(without.screen).toMatch(
      /quota\.shareOfQuota has no value: give\s+the\s+monthly allowance with --quota N/,
    )
    const { code } = await run('report', 'quota', ...gate, '--quota', '1000000')
    expect(code).toBe(0)
    const { max, shareOfQuota } = readReport('quota').quota
    expect(shareOfQuota).toBe(max / 1_000_000)
  })

  test('is held against a ledger, which lacks one of its calls', async () => {
    cpSync(at('ramp'), at('ledger'), { recursive: true })
    const answered = readFileSync(join(at('ledger'), 'journal.ndjson'), 'utf8')
      .split('\n')
      .flatMap((line) => {
        const one = line === '' ? undefined : (JSON.parse(line) as Record<string, unknown>)
        const result = one?.['result'] as
          { httpStatus?: number; reply?: { conversationId: string } } | undefined
        return result?.reply === undefined ? [] : [`${one?.['at'] as number},${result.reply.conversationId}`]
      })
    writeFileSync(at('usage.csv'), `createdAt,conversationId\n${answered.slice(1).join('\n')}\n`)
    await run('report', 'ledger', '--ledger', 'usage.csv')
    expect(readFileSync(join(at('ledger'), 'report.html'), 'utf8')).toMatch(/1 below the account/)
  })

  test('that died in mid-line says so', async () => {
    cpSync(at('ramp'), at('dead'), { recursive: true })
    const journal = join(at('dead'), 'journal.ndjson')
    truncateSync(journal, Math.floor(statSync(journal).size / 2))
    const { code, screen } = await run('report', 'dead')
    expect(code).toBe(4)
    expect(screen).toMatch(
      /^! Incomplete · the process ended before the run did; conversations\s+started\s+before\s+that:\s+\d+/m,
    )
    expect(screen).toMatch(/the last line of journal\.ndjson \(\d+\) is incomplete/)
  })

  test.each([
    ['is empty', ''],
    ['has no readable line', '{"kind":"sitting"}\ndamaged\n'],
  ])('whose journal %s keeps its figures', async (fault, text) => {
    cpSync(at('ramp'), at('emptied'), { recursive: true })
    writeFileSync(join(at('emptied'), 'journal.ndjson'), text)
    const figures = readFileSync(join(at('emptied'), 'load.json'), 'utf8')
    const { code, screen } = await run('report', 'emptied')
    expect([code, screen]).toEqual([
      2,
      expect.stringContaining(`journal.ndjson ${fault}, but the run had started: restore it`),
    ])
    expect(readFileSync(join(at('emptied'), 'load.json'), 'utf8')).toBe(figures)
  })

  // In this process: a program takes its time to start.
  test.each([
    [
      async () => report({ run: at('ramp'), threshold: ['respnse.p95<1s'] }),
      /load\.json; did you mean response\.p95\?/,
    ],
    [
      async () => report({ run: at('ramp'), baseline: at('again') }),
      /^baseline needs a run; .* is a load test/,
    ],
    [
      async () => compare({ baseline: at('ramp'), candidates: [at('emptied')] }),
      /ramp holds a load test: .* cannot be compared with a run/,
    ],
    [async () => runLibrary({ resume: at('ramp') }), /ramp holds a load test: it cannot be resumed/],
  ])('is refused with a sentence: %#', async (act, message) => {
    await expect(act()).rejects.toThrow(UsageError)
    await expect(act()).rejects.toThrow(message)
  })
})

const chromium = findChromium()

describe.skipIf(chromium === undefined)('its page', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser(chromium ?? '')
  })
  afterAll(async () => browser?.close())

  test.each(['light', 'dark'] as const)(
    'runs nothing, asks for nothing, is as wide as a telephone, and has no fault that axe knows (%s)',
    async (colorScheme) => {
      const context = await browser.newContext({
        bypassCSP: true,
        colorScheme,
        viewport: { width: 360, height: 740 },
      })
      const page = await context.newPage()
      const heard: string[] = []
      page.on('request', (request) => heard.push(request.url()))
      page.on('console', (message) => heard.push(message.text()))
      page.on('pageerror', (error) => heard.push(error.message))
      const address = `file://${at('ramp')}/report.html`
      await page.goto(address)
      expect(heard).toEqual([address])
      expect(await page.locator('.badge').innerText()).toBe('✗ Failed')
      expect(await page.getByRole('searchbox').count()).toBe(0)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
      const found = await faultsOf(page)
      expect(found).toEqual([])
      await context.close()
    },
  )
})
