// What each step of a comparison takes, and what it leaves in memory once all that nobody holds is cleaned away.
import { openRun } from '../../../src/cli/comparing/compared-run.ts'
import { gradeAlike } from '../../../src/cli/comparing/one-grader.ts'
import { comparisonRows } from '../../../src/analysis/comparison/compare-rows.ts'
import { createChangesGatherer } from '../../../src/analysis/comparison/gather-changes.ts'
import { reviewRuns } from '../../../src/analysis/comparison/review-runs.ts'

const [before = '', after = ''] = process.argv.slice(2)
const SOURCES = ['KNOWLEDGE_BASE']

let began = process.cpuUsage()
/** `held`: heap and what lies outside of it. */
function say(step: string): void {
  const { user, system } = process.cpuUsage(began)
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  console.log(
    `  ${step.padEnd(34)} ${((user + system) / 1e6).toFixed(1).padStart(6)} s of CPU, ${Math.round((heapUsed + external) / 1e6)} MB held`,
  )
  began = process.cpuUsage()
}

say('the program itself')
const [baseline, candidate] = [await openRun(before), await openRun(after)]
say("both runs' indexes")
const { questions } = gradeAlike(baseline.questions, candidate.questions)
say('expectations of one for both')
const [was, is] = [
  await baseline.read(questions, SOURCES),
  await candidate.read(candidate.questions, SOURCES),
]
say('both runs graded, as columns')
const review = reviewRuns(was.turns, is.turns, { minOverlap: 0.5, seed: 1 })
say('pairs, tests, intervals')
const gatherer = createChangesGatherer()
for (const row of comparisonRows(review, { baseline: was.told, candidate: is.told }, undefined))
  gatherer.add(row)
say('each answer read and compared')
const { changes, shown } = gatherer.finish()
say(`${changes.length} changes, ${shown.length} of them shown`)
baseline.close()
candidate.close()
