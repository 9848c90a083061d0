// What each step of a comparison takes, and what it leaves in memory once all that nobody holds is cleaned away.
import { reviewCandidate } from '../../../src/analysis/comparison/compare.ts'
import { comparisonRows, createRowGatherer } from '../../../src/analysis/comparison/rows.ts'
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
const options = {
  failOn: ['must-pass', 'grounding', 'verdicts'],
  areNamed: false,
  alpha: 0.05,
  margin: 0.02,
  minOverlap: 0.5,
  groundedSources: SOURCES,
  seed: 1,
  history: [],
} as const
const { questions } = reviewCandidate(was, is, options, { allowance: null, candidates: 1 })
say('pairs, tests, intervals')
const gatherer = createRowGatherer()
for (const row of comparisonRows(questions, { baseline: was.read, candidate: is.read }, undefined))
  gatherer.add(row)
say('each answer read and compared')
const { changes, shown } = gatherer.finish()
say(`${changes.length} changes, ${shown.length} of them shown`)
baseline.picker.close()
candidate.picker.close()
