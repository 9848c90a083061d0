// What each step of a comparison takes, and what it leaves in memory once all that nobody holds is cleaned away.
import { comparisonRows } from '../../../src/analysis/comparison/compare-rows.ts'
import { createChangesGatherer } from '../../../src/analysis/comparison/gather-changes.ts'
import { reviewRuns } from '../../../src/analysis/comparison/review-runs.ts'
import { gradeCompared, openCompared } from '../../../src/library/compared-run.ts'

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
const [baseline, candidate] = [await openCompared(before), await openCompared(after)]
say("both runs' indexes")
const [was, is] = [baseline, candidate].map((run) => gradeCompared(run, candidate.index.questions, SOURCES))
if (was === undefined || is === undefined) throw new Error('two runs')
say('both runs graded')
const review = reviewRuns(was.turns, is.turns, { minOverlap: 0.5, seed: 1 })
say('pairs, tests, intervals')
const gatherer = createChangesGatherer()
for (const row of comparisonRows(review, { baseline: was.told, candidate: is.told }, undefined))
  gatherer.add(row)
say('each answer read and compared')
const { changes, shown } = gatherer.finish()
say(`${changes.length} changes, ${shown.length} of them shown`)
baseline.picker.close()
candidate.picker.close()
