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

/** Threads of three turns, written ids, quoted commas, tags and expectations: about 150 bytes a row. */
async function writeSet(path: string, rows: number): Promise<void> {
  const file = createWriteStream(path)
  file.write('id,thread,turn,message,tags,expect_source,expect_contains,owner\r\n')
  for (let row = 0; row < rows; row += 1) {
    const thread = `thread-${Math.floor(row / 3)}`
    const message = `"My device no. ${row} shows the error again, and a restart did not help: what do I do now?"`
    const line = `case-${row},${thread},${row % 3},${message},vpn;network,KNOWLEDGE_BASE,restart|update,team ${row % 7}\r\n`
    if (!file.write(line)) await once(file, 'drain')
  }
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
    const measures: Measure[] = []
    for (const rows of ROWS) {
      const path = join(folder, `${rows}.csv`)
      await writeSet(path, rows)
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
      console.log(
        `peak RSS, 1,000,000 rows to 10,000: ${(large.peakRssBytes / small.peakRssBytes).toFixed(2)}`,
      )
  } finally {
    await rm(folder, { recursive: true })
  }
}

const path = process.argv[2]
if (path === undefined) await main()
else {
  process.send?.(await measure(path))
  process.disconnect?.()
}
