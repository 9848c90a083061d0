// Questions by what became of their expectations, over their repeats.
import type { Grade } from '../domain/turn.ts'
import type { Figures } from '../domain/summary.ts'
import type { PassPolicy } from '../domain/gate.ts'
import { passes } from './asked.ts'
import { ratio } from './turns.ts'

export interface ExpectationTally {
  /** Repeats of a question, by its number, come one after the other. */
  add(question: number, grade: Grade): void
  /** `isWhole`: every turn was asked. */
  finish(isWhole: boolean): Figures['expectations']
}

export function createExpectationTally(policy: PassPolicy): ExpectationTally {
  const counts = { passed: 0, failed: 0, none: 0, notGraded: 0 }
  let notAsked = 0
  let question: number | undefined
  let grades: Grade[] = []

  const close = (): void => {
    const [first] = grades
    if (first === undefined) return
    const verdict = passes(policy, grades)
    if (verdict !== undefined) counts[verdict ? 'passed' : 'failed'] += 1
    else if (grades.every(isNotAsked)) notAsked += 1
    else counts[first.kind === 'none' ? 'none' : 'notGraded'] += 1
    grades = []
  }
  return {
    add: (asked, grade) => {
      if (asked !== question) close()
      question = asked
      grades.push(grade)
    },
    finish: (isWhole) => {
      close()
      const rate = ratio(counts.passed, counts.passed + counts.failed)
      return { rate, ...counts, ...(isWhole ? {} : { notAsked }) }
    },
  }
}

const isNotAsked = (grade: Grade): boolean => grade.kind === 'notGraded' && grade.reason === 'notAsked'
