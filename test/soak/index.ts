// `npm run bench -- kills [seed]`: kills a run 200 times.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { faultsOf, killAgainAndAgain } from './kills.ts'

const seed = Number(process.argv[2] ?? 1)
const folder = mkdtempSync(join(tmpdir(), 'assist-soak-'))
let faults = 0
try {
  const started = performance.now()
  const plan = { turns: 500, kills: 200, seed, concurrency: 8 }
  const report = await killAgainAndAgain({ folder: join(folder, 'killed'), ...plan })
  const { audit, summary, ledger, kills, sittings, outcomes } = report
  console.log(
    `${kills} kills, ${sittings} sittings of ${plan.turns} turns, seed ${seed}: ` +
      `${((performance.now() - started) / 1000).toFixed(0)} s\n` +
      `  outcomes ${JSON.stringify(outcomes)}\n` +
      `  ledger ${ledger} in [${summary.quota.min}, ${summary.quota.max}], attempts ${summary.quota.attempts}\n` +
      `  dangling intents ${audit.dangling}, calls repeated ${audit.repeated} (restarts explain up to ${audit.explained}), torn lines ${audit.tornLines}`,
  )
  for (const fault of faultsOf(report, plan)) {
    faults += 1
    console.log(`  FAULT: ${fault}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(faults === 0 ? 'Nothing lost, nothing paid twice.' : `${faults} faults`)
process.exitCode = faults === 0 ? 0 : 1
