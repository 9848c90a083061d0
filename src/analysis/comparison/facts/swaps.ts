// Facts that changed places: "VPN takes 3 days, Wi-Fi 5 days" turned to "VPN takes 5 days, Wi-Fi 3 days".
import type { FoundFact } from './find.ts'
import { keyOf, type Reading } from './reading.ts'
import type { ChangedFacts, Fact } from './rule.ts'
import { type Mould, mouldsOf, STAYING } from './sentences.ts'

/**
 * Facts of sentences that both answers have word for word but for their facts. Only where facts changed places among
 * such sentences, or where all sentences with facts are such; elsewhere the sentence may speak of something else.
 * For answers without other change of facts. What is lost stands in the order of what is gained in its place.
 */
export function movedFacts(before: Reading, after: Reading): ChangedFacts {
  if (!hasSeveral(before) || !hasSeveral(after)) return { lost: [], gained: [] }
  const [some, others] = [mouldsOf(before), mouldsOf(after)]
  const [lost, gained] = [moved(some, others), moved(others, some)]
  const areAllKnown = some.size === others.size && [...some.keys()].every((words) => others.has(words))
  return areAllKnown || isBalanced(lost, gained) ? { lost, gained } : { lost: [], gained: [] }
}

/** One fact alone has no place to change with: two are known to both, as nothing else changed. */
const hasSeveral = ({ found }: Reading): boolean => {
  const keys = new Set<string>()
  return found.some(({ fact }) => !STAYING.has(fact.kind) && keys.add(keyOf(fact)).size > 1)
}

function moved(some: ReadonlyMap<string, Mould>, others: ReadonlyMap<string, Mould>): Fact[] {
  // By their words: an order that is the same both ways.
  return [...some.keys()].sort().flatMap((words) => {
    const [ours, theirs] = [some.get(words), others.get(words)]
    if (ours === undefined || theirs === undefined) return []
    const [left, right] = [only(ours, theirs), only(theirs, ours)]
    return left.flatMap((facts, place) => differing(facts, right[place] ?? []))
  })
}

/** The sentences of a mould that the other lacks. */
const only = (ours: Mould, theirs: Mould): (readonly FoundFact[])[] =>
  [...ours].filter(([values]) => !theirs.has(values)).map(([, facts]) => facts)

/** The facts that have another in their place. */
const differing = (facts: readonly FoundFact[], others: readonly FoundFact[]): Fact[] =>
  facts.flatMap(({ fact }, place) => {
    const other = others[place]
    return other === undefined || keyOf(other.fact) === keyOf(fact) ? [] : [fact]
  })

const isBalanced = (some: readonly Fact[], others: readonly Fact[]): boolean =>
  sortedKeys(some) === sortedKeys(others)

const sortedKeys = (facts: readonly Fact[]): string => facts.map(keyOf).sort().join('\n')
