// Lists of the comparison's Markdown: each changed question with what changed, its facts, and how its answers differ.
import { describeFacts, whatChanged } from './comparison-change.ts'
import type { ChangeList, ListedChange, SetList } from './comparison-lists.ts'
import { bold, foldedList, plain } from './markdown.ts'
import { markdownDiff } from './markdown-diff.ts'
import { wordDiff } from './word-diff.ts'

/** `where`: the file that has all of them. A section each; the answers of a question that stands in several are shown in the first. */
export function changeSections(lists: readonly ChangeList[], most: number, where: string): string[][] {
  const seen = new Set<string>()
  return lists.map((list) => {
    const items = function* (): Generator<string[]> {
      for (const change of list.changes) {
        yield itemOf(change, list, seen.has(change.id))
        seen.add(change.id)
      }
    }
    return foldedList({ title: list.title, count: list.count, items: items(), where }, most)
  })
}

function itemOf(change: ListedChange, { key, tone }: ChangeList, isShown: boolean): string[] {
  const { id, message, mustPass, baseline } = change
  const renamed = baseline.id === id ? '' : ` (${plain(baseline.id, 60)} in the baseline)`
  const head = `- ${bold(id, 60)} ${plain(message, 200)}${mustPass ? ' (must pass)' : ''}${renamed}`
  const facts = key === 'factsChanged' ? '' : describeFacts(change)
  const diff = isShown || tone === 'same' ? '' : diffOf(change)
  return [
    head,
    `  - ${plain(whatChanged(change, key), 250) || 'changed'}`,
    ...(facts === '' || isShown ? [] : [`  - facts: ${plain(facts, 250)}`]),
    ...(diff === '' ? [] : [`  - ${diff}`]),
  ]
}

/** Empty where a run has no answer, or the first ones' texts do not include it. */
function diffOf({ answers }: ListedChange): string {
  const [before, after] = [answers?.baseline ?? null, answers?.candidate ?? null]
  return before === null || after === null || before === after ? '' : markdownDiff(wordDiff(before, after))
}

export const setSections = (lists: readonly SetList[], most: number, where: string): string[][] =>
  lists.map(({ title, count, questions }) => {
    const items = function* (): Generator<string[]> {
      for (const { id, message, before } of questions)
        yield [
          `- ${bold(id, 60)} ${plain(message, 200)}`,
          ...(before === undefined ? [] : [`  - before: ${plain(before, 200)}`]),
        ]
    }
    return foldedList({ title, count, items: items(), where }, most)
  })
