// How well the sandbox's assistant finds the right article, over HTTP: `npm run bench:knowledge-base [-- set.csv ...]`.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { startSandbox, type RunningSandbox } from '../../src/sandbox/server.ts'

interface Row {
  readonly thread: string
  readonly message: string
  /** Slug of the right article; empty where no article covers the question. */
  readonly article: string
  readonly follow_up?: string
}

interface Asked extends Row {
  readonly isLater: boolean
  /** Slug of the article that grounded the answer, null for model-only. */
  readonly found: string | null
}

const datasets = fileURLToPath(new URL('../../datasets/', import.meta.url))

async function ask(sandbox: RunningSandbox, message: string, conversationId?: string): Promise<string> {
  const response = await fetch(`${sandbox.url}/api/v1/assist`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message, conversationId }),
  })
  return ((await response.json()) as { conversationId: string }).conversationId
}

async function articlesOf(sandbox: RunningSandbox, conversationId: string): Promise<(string | null)[]> {
  const headers = { authorization: `Bearer ${sandbox.adminKey}` }
  const response = await fetch(`${sandbox.url}/sandbox/conversations/${conversationId}`, { headers })
  const { turns } = (await response.json()) as { turns: { article: string | null }[] }
  return turns.map(({ article }) => article)
}

/** Asks the turns of a thread one after the other. */
async function askThread(sandbox: RunningSandbox, rows: readonly Row[]): Promise<Asked[]> {
  let conversationId: string | undefined
  for (const { message } of rows) conversationId = await ask(sandbox, message, conversationId)
  const articles = conversationId === undefined ? [] : await articlesOf(sandbox, conversationId)
  return rows.map((row, index) => ({ ...row, isLater: index > 0, found: articles[index] ?? null }))
}

function report(
  name: string,
  asked: readonly Asked[],
  isGood: (row: Asked) => boolean,
  target?: number,
): boolean {
  if (asked.length === 0) return true
  const good = asked.filter(isGood).length
  const share = good / asked.length
  const isMet = target === undefined || share >= target
  const wanted = target === undefined ? '' : `, wanted ${target * 100} %${isMet ? '' : ': MISSED'}`
  console.log(`  ${name}: ${good} of ${asked.length} (${(share * 100).toFixed(1)} %${wanted})`)
  for (const row of asked.filter((one) => !isGood(one))) {
    console.log(
      `    [${row.thread}] ${row.message}\n        wanted ${row.article || 'none'}, found ${row.found ?? 'none'}`,
    )
  }
  return isMet
}

/** Returns whether the figures that the sandbox must reach are reached. */
async function measure(file: string): Promise<boolean> {
  const sandbox = await startSandbox({ knowledgeBase: `${datasets}knowledge-base` })
  const rows: Row[] = parse(readFileSync(file), { columns: true, bom: true })
  const threads = new Map<string, Row[]>()
  for (const [index, row] of rows.entries()) {
    const thread = row.thread || `row ${index + 2}`
    threads.set(thread, [...(threads.get(thread) ?? []), { ...row, thread }])
  }
  const asked: Asked[] = []
  for (const thread of threads.values()) asked.push(...(await askThread(sandbox, thread)))
  const followUps = asked.filter((row) => row.follow_up === 'yes')
  const alone: Asked[] = []
  for (const row of followUps) alone.push(...(await askThread(sandbox, [row])))
  await sandbox.close()

  const isRight = (row: Asked): boolean => row.found === row.article
  const isUngrounded = (row: Asked): boolean => row.found === null
  const own = asked.filter((row) => row.follow_up !== 'yes')
  console.log(`\n${basename(file)}: ${asked.length} questions in ${threads.size} threads`)
  return [
    report(
      'covered, first turns: right article',
      own.filter((row) => row.article !== '' && !row.isLater),
      isRight,
    ),
    report(
      'covered, later turns that are no follow-ups: right article',
      own.filter((row) => row.article !== '' && row.isLater),
      isRight,
    ),
    report(
      'follow-ups: right article',
      followUps.filter((row) => row.article !== ''),
      isRight,
      0.8,
    ),
    report('follow-ups, each asked alone: model-only', alone, isUngrounded, 1),
    report(
      'covered by no article: model-only',
      asked.filter((row) => row.article === ''),
      isUngrounded,
      0.9,
    ),
  ].every(Boolean)
}

const given = process.argv.slice(2)
const files = given.length > 0 ? given : ['follow-ups.csv', 'regression.csv'].map((name) => datasets + name)
const results: boolean[] = []
for (const file of files) results.push(await measure(file))
process.exitCode = results.every(Boolean) ? 0 : 1
