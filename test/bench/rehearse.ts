// `npm run bench -- rehearse`: forty seeded edits of the shipped articles, each rehearsed on a recorded run and
// then tried: the sandbox's assistant answers the shipped sets before and after it.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { extractFacts } from '../../src/articles/facts.ts'
import { readQuestionSets } from '../../src/dataset/read.ts'
import type { Question } from '../../src/domain/question.ts'
import type { Rehearsal } from '../../src/domain/rehearsal.ts'
import { rehearse } from '../../src/library/index.ts'
import { type EarlierTurn, openAssistant } from '../../src/sandbox/assistant.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { projectRoot } from '../support/program.ts'
import { makeReply, makeTurn, recordRun } from '../support/recorded.ts'
import { printGoal } from './goals.ts'
import { inFolder, row } from './measured.ts'

const KINDS = [
  ...(['value', 'value', 'value', 'sentence added', 'sentence removed', 'section moved'] as const),
  ...(['section removed', 'title', 'article added', 'article removed'] as const),
]
type Kind = (typeof KINDS)[number]
const EDITS = 40

const random = seededRandom(Number(process.argv[2] ?? 1))
const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
const shipped = join(projectRoot, 'datasets/knowledge-base')
const sets = ['regression', 'follow-ups', 'quickstart'].map((name) =>
  join(projectRoot, `datasets/${name}.csv`),
)
const read = await readQuestionSets(sets)
if (read.kind === 'faulty') throw new Error('the shipped sets are faulty')
const threads = read.set.threads.map(({ turns }) => turns)

async function answersFrom(folder: string) {
  const assistant = await openAssistant(folder, () => undefined)
  return threads.flatMap((turns) => {
    const earlier: EarlierTurn[] = []
    return turns.map((question) => {
      const { message, article } = assistant(question.message, earlier)
      earlier.push({ message: question.message, article })
      return { question, message, source: article === null ? 'MODEL' : 'KNOWLEDGE_BASE' }
    })
  })
}

const keyOf = ({ file, id }: Question): string => `${file} ${id}`

interface Edit {
  readonly kind: Kind
  /** A value of the old text that stands in another article, too. */
  readonly planted?: { readonly value: string; readonly article: string }
}

/** Edits a copy of the articles. A sentence whose value is edited stands in another article from the start. */
function edit(kind: Kind, was: string, now: string): Edit {
  const names = readdirSync(shipped).filter((name) => name.endsWith('.md'))
  const name = pick(names)
  const text = readFileSync(join(shipped, name), 'utf8')
  const write = (changed: string): void => writeFileSync(join(now, name), changed)
  const sections = text.split(/\n(?=## )/)
  const [head = '', ...others] = sections
  const section = pick(others)
  const sentences = section.split(/(?<=[.!?])\s+/).filter((sentence) => /^[A-Z].{30,}[.]$/.test(sentence))
  const sentence = sentences.length === 0 ? '' : pick(sentences)
  const title = section.split('\n')[0]?.slice(3)
  const without = [head, ...others.filter((other) => other !== section)].join('\n')
  switch (kind) {
    case 'value': {
      const facts = sentences.flatMap((one) =>
        extractFacts(one)
          .filter(({ kind: of, digits }) => of !== 'negation' && /^\d+ \p{L}/u.test(digits))
          .map((fact) => ({ one, fact })),
      )
      if (facts.length === 0) return edit(kind, was, now)
      const { one, fact } = pick(facts)
      const number = /\d+/.exec(fact.text)?.[0]
      if (number === undefined) return edit(kind, was, now)
      write(
        text.replace(one, one.replace(fact.text, fact.text.replace(number, String(Number(number) * 2 + 1)))),
      )
      const other = pick(names.filter((some) => some !== name))
      for (const folder of [was, now])
        writeFileSync(join(folder, other), `${readFileSync(join(folder, other), 'utf8')}\nRemember: ${one}\n`)
      return { kind, planted: { value: fact.text, article: other.replace('.md', '') } }
    }
    case 'sentence added':
      write(text.replace(section, `${section.trimEnd()} Write to desk@example.com within 3 working days.\n`))
      break
    case 'sentence removed':
      if (sentence === '') return edit(kind, was, now)
      write(text.replace(sentence, ''))
      break
    case 'section moved':
      writeFileSync(join(now, `moved-${name}`), `---\ntitle: ${title}\n---\n\n${section}`)
      write(without)
      break
    case 'section removed':
      write(without)
      break
    case 'title':
      write(text.replace(/^title: .*$/m, `title: ${title}`))
      break
    case 'article added': {
      const { message } = pick(threads.flat())
      const added = `---\ntitle: ${JSON.stringify(message)}\n---\n\n${message} Ask the desk.\n`
      writeFileSync(join(now, 'added.md'), added)
      break
    }
    case 'article removed':
      rmSync(join(now, name))
  }
  return { kind }
}

const isNamed = ({ values }: Rehearsal, { value, article }: NonNullable<Edit['planted']>): boolean =>
  values.some(({ old, elsewhere }) => old === value && elsewhere.some((other) => other.article === article))

await inFolder(async (root) => {
  const totals = { changed: 0, found: 0, listed: 0, planted: 0, named: 0 }
  row('', 'changed', 'found', 'listed')
  let worst = 0
  for (let number = 0; number < EDITS; number += 1) {
    const at = (name: string): string => join(root, `${number}`, name)
    const [was, now, run] = [at('was'), at('now'), at('run')]
    for (const folder of [was, now]) cpSync(shipped, folder, { recursive: true })
    const { kind, planted } = edit(KINDS[number % KINDS.length] as Kind, was, now)
    const [before, after] = [await answersFrom(was), await answersFrom(now)]
    const turns = before.map(({ question, source, message }, index) =>
      makeTurn({ index, question: { ...question, id: keyOf(question) }, result: makeReply(source, message) }),
    )
    recordRun(run, { turns })
    const { rehearsal } = await rehearse({ run, was, articles: now })
    const changed = before.flatMap((answer, index) => {
      const next = after[index]
      return answer.message === next?.message && answer.source === next.source ? [] : [keyOf(answer.question)]
    })
    const listed = new Set(rehearsal.affected.map(({ id }) => id))
    const found = changed.filter((key) => listed.has(key)).length
    row(`${number + 1} ${kind}`, changed.length, found, listed.size)
    worst = Math.max(worst, listed.size / before.length)
    totals.changed += changed.length
    totals.found += found
    totals.listed += listed.size / before.length / EDITS
    if (planted !== undefined) {
      totals.planted += 1
      if (isNamed(rehearsal, planted)) totals.named += 1
    }
  }
  row('all', totals.changed, totals.found)
  row('the longest list, of the set', `${(100 * worst).toFixed(1)} %`)
  printGoal('rehearsed', (100 * totals.found) / totals.changed)
  printGoal('rehearsedList', 100 * totals.listed)
  printGoal('oldValues', (100 * totals.named) / totals.planted)
})
