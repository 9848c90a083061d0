// A bare endpoint in a process of its own: answers at once, keeps the conversation that was sent, and parses nothing else.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const answer = 'An answer of the knowledge base. '.repeat(400).slice(0, Number(process.argv[2] ?? 300))
let conversations = 0

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (text: string) => {
    body += text
  })
  request.on('end', () => {
    const sent = /"conversationId":"([^"]+)"/.exec(body)?.[1]
    const conversationId = sent ?? `9b2f6c1e-0000-4000-8000-${String(conversations++).padStart(12, '0')}`
    // One in five is no answer of the knowledge base.
    const contextSource = conversations % 5 === 0 ? 'MODEL' : 'KNOWLEDGE_BASE'
    const reply = JSON.stringify({ conversationId, message: answer, status: 'success', contextSource })
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(reply) })
      .end(reply)
  })
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send?.(port)
})
process.on('disconnect', () => process.exit())
