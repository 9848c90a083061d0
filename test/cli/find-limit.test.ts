// Protects `load --find-limit` over HTTP against known limits: what it finds, what it costs, and what it prints.
// runner/find-limit.test.ts covers the kinds of limits that the sandbox does not have, on a virtual clock.
import { cpSync } from 'node:fs'
import { expect, test } from 'vitest'
import { limitReportSchema, type LimitReport } from '../../src/domain/load.ts'
import { sandboxConfigSchema } from '../../src/sandbox/config.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import type { ProgramResult } from '../support/program.ts'
import { usageOf } from '../support/sandbox-usage.ts'
import { openWorkspace } from '../support/workspace.ts'

const { at, json, read, runLine, expectExit } = openWorkspace({
  'set.csv': 'thread,message\na,First?\na,Second?\nb,Other?\n',
})
const reportOf = (out: string): LimitReport => limitReportSchema.parse(json(out, 'limit.json'))

type Truth = Readonly<Record<string, number>> & { readonly ratePerSecond: number }

/** The largest relative error of a figure. */
const relativeError = ({ finding }: LimitReport, truth: Truth): number =>
  Math.max(
    ...Object.entries(truth).map(([name, value]) =>
      Math.abs(Number((finding as Partial<Record<string, unknown>>)[name] ?? Infinity) / value - 1),
    ),
  )

/** Searches a new sandbox. Returns the sandbox's ledger, too. */
async function search(out: string, rule: object) {
  const sandbox = await startSandbox({
    config: sandboxConfigSchema.parse({
      latency: { kind: 'constant', delay: '30ms' },
      // Announced, so that no second rule must be ruled out for a minute.
      rateLimit: { rules: [rule], retryAfter: 'none', headers: ['ietf'] },
    }),
  })
  const line = `load set.csv --find-limit --base-url ${sandbox.url} --out ${out}`
  const ended = await runLine(line, { ASSIST_API_KEY: sandbox.apiKey })
  const ledger = await usageOf(sandbox)
  await sandbox.close()
  return { ...ended, ledger, report: reportOf(out) }
}

/** Searches up to three times, because load on the machine disturbs the timing. */
async function find(
  kind: string,
  rule: object,
  truth: Truth,
  within: number,
  found = kind,
): Promise<ProgramResult & { readonly out: string }> {
  for (let time = 1; ; time += 1) {
    const out = `${kind}-${time}`
    const { report, ledger, ...ended } = await search(out, { kind, ...rule })
    const { calls, quota, finding, verdict } = report
    const isSure = 'confidence' in finding && finding.confidence === 'high'
    if (time < 3 && (ended.code !== 0 || !isSure || !(relativeError(report, truth) <= within))) continue
    const { sent, refused } = calls
    const known = { kind: found, confidence: 'high', calls: sent, refused }
    expect({ code: ended.code, verdict, finding }).toMatchObject({
      code: 0,
      verdict: 'known',
      finding: known,
    })
    expect(relativeError(report, truth)).toBeLessThanOrEqual(within)
    const { calls: made, counted } = ledger
    expect([sent, calls.accepted, quota.min]).toEqual([made, counted, counted])
    const byDefault = { budget: 2000, maxMs: 600_000, maxInFlight: 64, maxPerSecond: 50 }
    expect(json(out, 'run.json')).toMatchObject({ findLimit: byDefault })
    return { ...ended, out }
  }
}

test.concurrent.each<[string, object, Truth, string?]>([
  ['sliding-window', { limit: 16, window: '2s' }, { ratePerSecond: 8, windowMs: 2000, limit: 16 }],
  ['token-bucket', { limit: 12, window: '1s', burst: 10 }, { ratePerSecond: 12, burst: 10 }],
  ['gcra', { limit: 8, window: '1s', burst: 4 }, { ratePerSecond: 8, burst: 4 }, 'token-bucket'],
])('%s is found to within five percent', async (kind, rule, truth, found) => {
  await find(kind, rule, truth, 0.05, found)
})

test.concurrent(
  'a fixed window is found and printed; its folder can be reported, but not resumed or compared',
  async () => {
    const truth = { ratePerSecond: 10, windowMs: 1000, limit: 10 }
    const { out, stdout } = await find('fixed-window', { limit: 10, window: '1s' }, truth, 0.004)
    expect(stdout).toMatch(/^ +Limit +10\/s$[^]*^✓ 10 calls per 1 s, in fixed windows \(high confidence\)$/m)
    expect(stdout).toMatch(/--rate 10\/s$/m)
    expect(stdout).toMatch(/^✓ Known · the limit is known with high confidence; no second rule up to \d+ s$/m)
    expect(read(out, 'summary.md')).toContain('| Limit | 10/s |')
    const report = reportOf(out)
    await expectExit(0, `report ${out}`)
    expect(reportOf(out)).toEqual(report)
    cpSync(at(out), at('copy'), { recursive: true })
    for (const line of [`run --resume ${out}`, `compare ${out} copy`])
      expect((await runLine(line)).stderr).toContain("holds a search for the organization's limit")
  },
)
