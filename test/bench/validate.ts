// What validating takes in time and memory, 10,000 rows beside 1,000,000: run by `npm run bench:validate`.
import { fork } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { surveyQuestionSets } from '../../src/dataset/survey.ts'

interface Measure {
  readonly turns: number
  readonly seconds: number
  readonly peakRssBytes: number
  readonly peakHeapBytes: number
}

const ROWS = [10_000, 1_000_000] as const

interface Shape {
  readonly header: string
  readonly row: (row: number) => string
}

const messageOf = (row: number): string =>
  `"My device no. ${row} shows the error again, and a restart did not help: what do I do now?"`

/** Threads of three turns, written ids, quoted commas, tags and expectations: about 150 bytes a row. */
const native: Shape = {
  header: 'id,thread,turn,message,tags,expect_source,expect_contains,owner',
  row: (row) =>
    `case-${row},thread-${Math.floor(row / 3)},${row % 3},${messageOf(row)},vpn;network,KNOWLEDGE_BASE,restart|update,team ${row % 7}`,
}

const promptfoo: Shape = {
  header: 'question,__expected1,__expected2,__metadata:tags[],__description,language',
  row: (row) =>
    `${messageOf(row)},contains: restart,"contains-any: update,renew","vpn,network",case ${row},en`,
}

/** Of three rows one is a question: the others are what is expected of it. */
const botium: Shape = {
  header: 'conversationId,sender,text',
  row: (row) =>
    `thread-${Math.floor(row / 9)},${row % 3 === 0 ? 'me' : 'bot'},${row % 3 === 0 ? messageOf(row) : 'Restart it; then update the driver.'}`,
}

async function writeSet(path: string, { header, row: write }: Shape, rows: number): Promise<void> {
  const file = createWriteStream(path)
  file.write(`${header}\r\n`)
  for (let row = 0; row < rows; row += 1) if (!file.write(`${write(row)}\r\n`)) await once(file, 'drain')
  file.end()
  await once(file, 'finish')
}

async function measure(path: string): Promise<Measure> {
  let peakHeapBytes = 0
  const sampling = setInterval(() => {
    peakHeapBytes = Math.max(peakHeapBytes, process.memoryUsage().heapUsed)
  }, 20)
  const start = performance.now()
  const surveying = await surveyQuestionSets([path])
  const seconds = (performance.now() - start) / 1000
  clearInterval(sampling)
  if (surveying.kind === 'faulty') throw new Error(surveying.faults[0]?.message)
  const peakRssBytes = process.resourceUsage().maxRSS * 1024
  return { turns: surveying.survey.turns, seconds, peakRssBytes, peakHeapBytes }
}

/** In a process of its own: a peak is a process's peak. */
async function measureApart(path: string): Promise<Measure> {
  const child = fork(fileURLToPath(import.meta.url), [path])
  const [result] = (await once(child, 'message')) as [Measure]
  await once(child, 'exit')
  return result
}

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-validate-'))
  try {
    for (const [name, shape] of Object.entries({ native, promptfoo, botium })) {
      console.log(`${name}:`)
      await measureShape(folder, shape)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function measureShape(folder: string, shape: Shape): Promise<void> {
  const measures: Measure[] = []
  for (const rows of ROWS) {
    const path = join(folder, `${rows}.csv`)
    await writeSet(path, shape, rows)
    const result = await measureApart(path)
    measures.push(result)
    const { seconds, peakRssBytes, peakHeapBytes } = result
    console.log(
      `${rows} rows (${megabytes((await stat(path)).size)}): ${seconds.toFixed(2)} s, ` +
        `${Math.round(rows / seconds)} rows/s, peak RSS ${megabytes(peakRssBytes)}, peak heap ${megabytes(peakHeapBytes)}`,
    )
  }
  const [small, large] = measures
  if (small !== undefined && large !== undefined)
    console.log(`peak RSS, 1,000,000 rows to 10,000: ${(large.peakRssBytes / small.peakRssBytes).toFixed(2)}`)
}

const path = process.argv[2]
if (path === undefined) await main()
else {
  process.send?.(await measure(path))
  process.disconnect?.()
}
