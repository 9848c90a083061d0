// `npm run bench -- load [arrivals|throughput|questions]`: arrivals over HTTP; the rate and CPU of `run` and `load` beside
// autocannon; 400 questions beside the time that their answers take.
import { measureArrivals } from './arrivals.ts'
import { startBenchServer } from './processes.ts'
import { measureQuestions } from './questions.ts'
import { measureThroughput } from './throughput.ts'

const [only] = process.argv.slice(2)
const isWanted = (name: string): boolean => only === undefined || only === name

if (isWanted('arrivals')) {
  const server = await startBenchServer()
  try {
    await measureArrivals(server)
  } finally {
    await server.stop()
  }
}
if (isWanted('throughput')) await measureThroughput()
if (isWanted('questions')) await measureQuestions()
console.log(`(Node ${process.version})`)
