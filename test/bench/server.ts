// A minimal endpoint for the benches, in its own process: reads only the conversation id. Ends with the
// bench, however that ends.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'

export interface Serving {
  readonly afterMs?: number
  readonly answerBytes?: number
}

export async function startBenchServer(serving: Serving = {}): Promise<{ readonly url: string }> {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(serving)])
  const [port] = (await once(child, 'message')) as [number]
  child.unref()
  child.channel?.unref()
  return { url: `http://127.0.0.1:${port}` }
}

if (process.send !== undefined) {
  process.once('disconnect', () => process.exit())
  serve(JSON.parse(process.argv[2] ?? '{}') as Serving)
}

function serve({ afterMs = 0, answerBytes = 300 }: Serving): void {
  const message = 'An answer of the knowledge base. '.repeat(400).slice(0, answerBytes)
  let conversations = 0
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    request.on('end', () => {
      const sent = /"conversationId":"([^"]+)"/.exec(body)?.[1]
      const conversationId = sent ?? `9b2f6c1e-0000-4000-8000-${String(conversations++).padStart(12, '0')}`
      // One answer in five is not grounded.
      const contextSource = conversations % 5 === 0 ? 'MODEL' : 'KNOWLEDGE_BASE'
      const reply = JSON.stringify({ conversationId, message, status: 'success', contextSource })
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(reply) }
      const answer = (): void => void response.writeHead(200, headers).end(reply)
      if (afterMs === 0) answer()
      else setTimeout(answer, afterMs)
    })
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}
