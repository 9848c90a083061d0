// What happened to one question, in words. Texts of the endpoint and of the set in them are still as they came.
import type { ChangedFact, ComparedSide, QuestionChange } from '../domain/comparison/change.ts'
import type { ListKey } from './comparison-list-rules.ts'
import { sourceName } from './comparison-tables.ts'
import { digits } from '../domain/text.ts'
import { percent } from './numbers.ts'

/** Facts of one kind that are named; more are counted. */
const MOST_FACTS = 4

/** Why the question stands in that list. */
export function whatChanged(change: QuestionChange, key: ListKey): string {
  const { baseline, candidate, similarity } = change
  switch (key) {
    case 'lost':
    case 'gained':
      return joined(movedRate(change, 'groundingRate', 'grounded'), movedSource(change))
    case 'sourceChanged':
      return movedSource(change)
    case 'newlyFailing':
    case 'failInBoth':
      return joined(movedRate(change, 'passRate', 'passed'), failuresOf(candidate)) || 'fails'
    case 'mended':
      return joined(movedRate(change, 'passRate', 'passed'), `failed before: ${failuresOf(baseline)}`)
    case 'factsChanged':
      return describeFacts(change) || 'what it denies or names has changed'
    case 'noAnswer':
      return failuresOf(candidate)
    case 'answeredAgain':
      return `before: ${failuresOf(baseline)}`
    case 'contextLost':
      return 'the endpoint dropped the conversation'
    case 'contextRegained':
      return 'the endpoint had dropped the conversation before'
    case 'otherAnswer':
      return joined(
        similarity === null ? 'the answers differ' : `the answers agree by ${percent(similarity)}`,
        describeFacts(change),
      )
    case 'flaky':
      return (
        joined(
          movedRate(change, 'groundingRate', 'grounded'),
          movedRate(change, 'passRate', 'passed'),
          movedSource(change),
        ) || 'its verdict moved'
      )
  }
}

/** `14 days → 10 days`, by kind of fact; `gone: …` and `new: …` where nothing of the kind stands against it. */
export function describeFacts({
  factsLost,
  factsGained,
}: Pick<QuestionChange, 'factsLost' | 'factsGained'>): string {
  const kinds = new Set([...factsLost, ...factsGained].map(({ kind }) => kind))
  return [...kinds]
    .map((kind) => {
      const [lost, gained] = [named(factsLost, kind), named(factsGained, kind)]
      if (lost === '') return `new: ${gained}`
      return gained === '' ? `gone: ${lost}` : `${lost} → ${gained}`
    })
    .join('; ')
}

function named(facts: readonly ChangedFact[], kind: string): string {
  const texts = facts.filter((fact) => fact.kind === kind).map(({ text }) => text)
  const shown = texts.slice(0, MOST_FACTS).map((text) => (kind === 'negation' ? `“${text}”` : text))
  const left = texts.length - shown.length
  return [...shown, ...(left > 0 ? [`${digits(left)} more`] : [])].join(', ')
}

const movedSource = ({ baseline, candidate }: QuestionChange): string =>
  baseline.source === candidate.source
    ? ''
    : `${sourceName(baseline.source)} → ${sourceName(candidate.source)}`

/** Over the repeats; all or none of them is said by the rest already. */
function movedRate(
  { baseline, candidate }: QuestionChange,
  rate: 'groundingRate' | 'passRate',
  what: string,
): string {
  const rates = [baseline[rate], candidate[rate]]
  const isPlain = rates.every((one) => one === null || one === 0 || one === 1)
  if (isPlain || baseline[rate] === candidate[rate]) return ''
  return `${what} ${rates.map(percent).join(' → ')}`
}

const failuresOf = ({ failures, outcome, source }: ComparedSide): string =>
  failures.join('; ') || (outcome === null || outcome === 'answered' ? source : outcome)

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('; ')
