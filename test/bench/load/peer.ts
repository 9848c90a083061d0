// The peer, in a process of its own: autocannon on the same server with the same request, until it is ended.
import autocannon from 'autocannon'

const [url = '', connections = '50', seconds = '60'] = process.argv.slice(2)

await autocannon({
  url: `${url}/api/v1/assist`,
  connections: Number(connections),
  duration: Number(seconds),
  method: 'POST',
  headers: { authorization: 'Bearer bench-key-0123456789', 'content-type': 'application/json' },
  body: JSON.stringify({ message: 'Question 1234?', endUserRef: 'bench-1234-1-1' }),
})
