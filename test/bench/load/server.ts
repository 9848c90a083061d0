// The benches' endpoint, a process of its own: answers at once, says its address and, when asked to end, how many it answered.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const reply = JSON.stringify({
  conversationId: 'c0000000-0000-4000-8000-000000000000',
  message: 'x'.repeat(480),
  status: 'success',
  contextSource: 'KNOWLEDGE_BASE',
})
const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(reply)) }
let answered = 0
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    answered += 1
    response.writeHead(200, headers).end(reply)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.on('SIGTERM', () => {
  console.log(String(answered))
  process.exit(0)
})
