// Protects reports in cases that confused new users: incomplete runs, missing baselines, long reasons, options that differ.
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { report } from '../../src/library/report.ts'
import { run } from '../../src/library/run.ts'
import { renderTerminal } from '../../src/report/terminal.ts'
import { copyRecorded } from '../recorded/reports.ts'
import { projectRoot } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const scratch = temporaryFolder()

const read = (...path: readonly string[]): string => readFileSync(join(...path), 'utf8')

test('an incomplete run has no passed gates, and no note that its set has no expectations', async () => {
  for (const name of ['budget-reached', 'nothing-sent']) {
    const folder = join(copyRecorded(name, scratch), 'run')
    await report({ run: folder })
    for (const file of ['summary.md', 'report.html'])
      expect(read(folder, file)).not.toMatch(/Passed gates|no expectations in this set/)
  }
  expect(read(scratch, 'nothing-sent', 'run', 'summary.md')).toMatch(
    /^\| Expectations met \| – \| {2}\| none graded \|$/m,
  )
})

test('a missing baseline is a warning in every report', async () => {
  const folder = join(copyRecorded('expectations', scratch), 'run')
  await report({ run: folder, baseline: join(scratch, 'nowhere') })
  for (const file of ['summary.json', 'summary.md', 'report.html'])
    expect(read(folder, file)).toContain('nowhere does not exist yet; nothing is compared')
})

test('a reason that is too long for the screen ends with the names of the failed gates', async () => {
  const folder = copyRecorded('compared', scratch)
  const [candidate, baseline] = [join(folder, 'candidate'), join(folder, 'baseline')]
  const threshold = ['grounded>=99%', 'quota.max<=30', 'latency.p99<=10ms', 'coverage>=99%']
  const { shown } = await report({
    run: candidate,
    baseline,
    threshold,
    failOn: ['must-pass', 'newly-failing'],
  })
  const screen = renderTerminal(shown.document).join('\n')
  expect(screen).toMatch(/^✗ Failed · grounded is .*\n.* …\n {2}failed gates: threshold grounded>=99%, /m)
})

test('options that differ from the baseline are listed, the folder of articles included', async () => {
  const set = join(projectRoot, 'datasets', 'quickstart.csv')
  const articles = join(projectRoot, 'datasets', 'knowledge-base')
  const kb = join(scratch, 'articles')
  cpSync(articles, kb, { recursive: true })
  const asked = { datasets: [set], sandbox: true, rate: 'unlimited', sample: 3 } as const
  const [baseline, out] = [join(scratch, 'before'), join(scratch, 'after')]
  await run({ ...asked, out: baseline })
  await run({ ...asked, out, baseline, kb, repeat: 2 })
  const said = read(out, 'summary.md')
  expect(said).toContain('Sent differently from the baseline: --repeat 2 (baseline: 1)')
  expect(said).toMatch(/--kb \S*articles \(baseline: not given\)/)
  expect(read(out, 'report.html')).toContain('Sent differently from the baseline')
})
