// `npm run bench:load`: arrivals over HTTP, throughput of `run` and `load` beside autocannon, and ten million virtual calls.
// `npm run bench:load -- arrivals`, `throughput`, `warmth` or `virtual` for one of them.
import { measureArrivals } from './arrivals.ts'
import { startBenchServer } from './processes.ts'
import { measureThroughput } from './throughput.ts'
import { measureVirtual } from './virtual.ts'
import { measureWarmth } from './warmth.ts'

const [only] = process.argv.slice(2)
const isWanted = (name: string): boolean => only === undefined || only === name

if (isWanted('arrivals') || isWanted('warmth')) {
  const server = await startBenchServer()
  try {
    if (isWanted('arrivals')) await measureArrivals(server)
    if (isWanted('warmth')) await measureWarmth(server)
  } finally {
    await server.stop()
  }
}
if (isWanted('throughput')) await measureThroughput()
if (isWanted('virtual')) await measureVirtual()
console.log(`(Node ${process.version})`)
