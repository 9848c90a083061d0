// The peer, in a process of its own: autocannon on the same server with the same request. Prints JSON.
import autocannon from 'autocannon'
import type { Throughput } from './throughput.ts'

const [url = '', connections = '50', seconds = '5'] = process.argv.slice(2)

async function ask(duration: number): Promise<Throughput> {
  const before = process.cpuUsage()
  const startedAt = performance.now()
  const { requests } = await autocannon({
    url: `${url}/api/v1/assist`,
    connections: Number(connections),
    duration,
    method: 'POST',
    headers: { authorization: 'Bearer bench-key-0123456789', 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'message of t1.1', endUserRef: 'bench-1-1-1' }),
  })
  const { user, system } = process.cpuUsage(before)
  const elapsed = (performance.now() - startedAt) / 1000
  return { perSecond: requests.total / elapsed, cpuMsPerThousand: (user + system) / requests.total }
}

await ask(1)
console.log(JSON.stringify(await ask(Number(seconds))))
