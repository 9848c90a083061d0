// `npm run bench -- kills [seed]`: kills a run 200 times.
import { killRepeatedly } from '../support/kills.ts'
import { inFolder } from './measured.ts'

const seed = Number(process.argv[2] ?? 1)
await inFolder(async (folder) => {
  const plan = { turns: 500, kills: 200, seed, concurrency: 8 }
  const { summary, faults } = await killRepeatedly(folder, plan)
  console.log(summary)
  for (const fault of faults) console.log(`  FAULT: ${fault}`)
  console.log(faults.length === 0 ? 'Nothing lost, nothing sent twice.' : `${faults.length} faults`)
  process.exitCode = faults.length === 0 ? 0 : 1
})
