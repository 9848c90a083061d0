// How fast answers are compared: `npm run bench:facts`. Articles of the knowledge base stand for answers.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compareAnswers } from '../../src/analysis/comparison/answers.ts'
import { factsOf } from '../../src/analysis/comparison/facts.ts'
import { wordDiff } from '../../src/report/word-diff.ts'

const folder = fileURLToPath(new URL('../../datasets/knowledge-base/', import.meta.url))
const answers = readdirSync(folder)
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) => readFileSync(`${folder}${name}`, 'utf8').match(/[^]{600}/g) ?? [])
const neighbour = (place: number): string => answers[(place + 1) % answers.length] ?? ''

/** The best of five rounds over all, in milliseconds for one. */
function measure(name: string, work: (answer: string, place: number) => unknown): void {
  const rounds = Array.from({ length: 5 }, () => {
    const start = performance.now()
    for (let round = 0; round < 10; round += 1)
      for (const [place, answer] of answers.entries()) work(answer, place)
    return (performance.now() - start) / answers.length / 10
  })
  console.log(`${name}: ${Math.min(...rounds).toFixed(3)} ms`)
}

console.log(`${answers.length} answers of 600 characters`)
measure('facts of an answer', (answer) => factsOf(answer))
measure('an answer against another', (answer, place) => compareAnswers(answer, neighbour(place)))
measure('an answer against one with another word', (answer) => compareAnswers(answer, `${answer} indeed`))
measure('word diff with another', (answer, place) => wordDiff(answer, neighbour(place)))
measure('word diff with one changed word', (answer) => wordDiff(answer, answer.replace(' the ', ' this ')))
