// How fast the sandbox is: `npm run bench:sandbox`. Against a bare server, each in a process of its own, in turns.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'

const ROUNDS = 5
const CALLS = 10_000
const CONNECTIONS = 32
const root = fileURLToPath(new URL('../../', import.meta.url))
const QUESTIONS = [
  'How do I reset my password?',
  'My VPN drops every few minutes',
  'Can I carry leave over into next year?',
  'Is there a gym?',
]

interface Served {
  readonly child: ChildProcess
  readonly url: string
  readonly key: string
}

const program = `${root}dist/cli/main.js`

/** The built program, as people run it. */
async function startSandbox(): Promise<Served> {
  const child = spawn(process.execPath, [program, 'sandbox', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exported = new Map<string, string>()
  for await (const line of createInterface(child.stdout)) {
    const [, name = '', value = ''] = /^export (\w+)=(.*)$/.exec(line) ?? []
    exported.set(name, value)
    if (name === 'ASSIST_API_KEY') break
  }
  return { child, url: exported.get('ASSIST_BASE_URL') ?? '', key: exported.get('ASSIST_API_KEY') ?? '' }
}

/** A node:http server that reads the request and answers with a fixed reply: what no sandbox can beat. */
const BARE = `
  const reply = JSON.stringify({ conversationId: 'c', message: 'm'.repeat(400), status: 'success', contextSource: 'MODEL' })
  const headers = { 'content-type': 'application/json', 'content-length': reply.length }
  const server = require('node:http').createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(200, headers).end(reply))
  })
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))`

async function startBare(): Promise<Served> {
  const child = spawn(process.execPath, ['--eval', BARE], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { child, url: `http://127.0.0.1:${line}`, key: 'none' }
}

/** Calls a second over one round. */
async function measure({ url, key }: Served, calls: number): Promise<number> {
  const pool = new Pool(url, { connections: CONNECTIONS })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  let next = 0
  const work = async (): Promise<void> => {
    for (let index = next++; index < calls; index = next++) {
      const body = JSON.stringify({ message: QUESTIONS[index % QUESTIONS.length] })
      const reply = await pool.request({ path: '/api/v1/assist', method: 'POST', headers, body })
      if (reply.statusCode !== 200) throw new Error(`status ${reply.statusCode}`)
      await reply.body.arrayBuffer()
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  const seconds = (performance.now() - began) / 1000
  await pool.close()
  return calls / seconds
}

/** Milliseconds from the start of the process to the first line that can be pasted. */
async function measureStart(): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, [program, 'sandbox', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(child.stdout, 'data')
  const took = performance.now() - began
  child.kill('SIGTERM')
  await once(child, 'exit')
  return took
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN
const spread = (values: readonly number[], digits = 0): string =>
  `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`

async function compare(): Promise<void> {
  const servers = { sandbox: await startSandbox(), bare: await startBare() }
  try {
    for (const server of Object.values(servers)) await measure(server, CALLS / 4)
    const rates = { sandbox: [] as number[], bare: [] as number[] }
    // In turns, so that whatever else this machine does meets both.
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const name of ['sandbox', 'bare'] as const) rates[name].push(await measure(servers[name], CALLS))
    }
    console.log(`${ROUNDS} rounds of ${CALLS} calls over ${CONNECTIONS} connections, median (range):`)
    console.log(`  sandbox          ${spread(rates.sandbox)} calls/s`)
    console.log(`  bare node:http   ${spread(rates.bare)} calls/s`)
    const ratios = rates.sandbox.map((rate, round) => rate / (rates.bare[round] ?? Number.NaN))
    console.log(`  ratio            ${spread(ratios, 2)}`)
  } finally {
    for (const { child } of Object.values(servers)) child.kill('SIGTERM')
  }
  const starts: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) starts.push(await measureStart())
  console.log(`  start-up         ${spread(starts)} ms, process to first line`)
}

if (existsSync(program)) await compare()
else {
  console.error('The program is not built: npm run build')
  process.exitCode = 1
}
