// The benches' endpoint, a process of its own: answers at once, says its address and, when asked to end, how many it answered.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { REPLY_TEXT } from './reply.ts'

const headers = {
  'content-type': 'application/json',
  'content-length': String(Buffer.byteLength(REPLY_TEXT)),
}
let answered = 0
const server = createServer((request, response) => {
  request.resume()
  if (request.url === '/answered') {
    response.end(String(answered))
    return
  }
  request.on('end', () => {
    answered += 1
    response.writeHead(200, headers).end(REPLY_TEXT)
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
