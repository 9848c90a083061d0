// Over TLS, as every real desk is reached: whole answers, connections kept, and no word to a desk that proves no name.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCertificate, skipsTls, type Certificate } from '../support/certificate.ts'
import { goodReply, startEndpoint, type Behaviour, type TestEndpoint } from '../support/endpoint.ts'
import { readResults, readSummary, runProgram, type Ended } from '../support/program.ts'
import { KEY_ENV, runWords } from '../support/runs.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const set = join(folder, 'set.csv')
const THREADS = 30
writeFileSync(
  set,
  `id,thread,message\n${Array.from({ length: THREADS }, (_, i) => `${i}-1,t${i},First ${i}\n${i}-2,t${i},Second ${i}\n`).join('')}`,
)
/** Longer than a record of TLS, and than what is read at once; letters of several bytes fall across their ends. */
const answerTo = (message: string): string => `${message}: ${'Größe „€" 🙂 '.repeat(9000)}`

describe.skipIf(skipsTls)('a desk behind TLS', () => {
  let certificate: Certificate
  let endpoint: TestEndpoint
  const sockets = new Set<unknown>()
  const behave: Behaviour = (call) => {
    sockets.add(call.socket)
    const { message } = call.body
    const bytes = Buffer.from(JSON.stringify({ ...goodReply(call), message: answerTo(message) }))
    call.response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length })
    if (call.number % 2 === 0) call.response.end(bytes)
    else {
      // In two pieces, the first of them in the middle of a letter.
      call.response.write(bytes.subarray(0, 70_001))
      setTimeout(() => call.response.end(bytes.subarray(70_001)), 5)
    }
    return true
  }
  beforeAll(async () => {
    certificate = makeCertificate(folder)
    endpoint = await startEndpoint(behave, certificate)
  })
  afterAll(async () => endpoint.close())
  const ask = async (out: string, env: Record<string, string>, ...more: string[]): Promise<Ended> =>
    runProgram(runWords(set, endpoint, join(folder, out), '--concurrency', '4', ...more), {
      cwd: folder,
      env: { ...KEY_ENV, ...env },
    })

  test('is asked on a few connections, and every answer is whole', async () => {
    const { code, stderr } = await ask('trusted', { NODE_EXTRA_CA_CERTS: certificate.path })
    expect(code, stderr).toBe(0)
    const results = readResults(join(folder, 'trusted'))
    expect(results).toHaveLength(2 * THREADS)
    for (const { message = '', answer } of results) expect(answer === answerTo(message), message).toBe(true)
    expect(sockets.size).toBeLessThanOrEqual(4)
  })

  test('is told nothing where its certificate is not trusted', async () => {
    const before = endpoint.calls.length
    const { code, screen } = await ask('untrusted', {}, '--give-up-after', '1s')
    expect(code, screen).toBe(4)
    expect(screen).toContain('DEPTH_ZERO_SELF_SIGNED_CERT')
    expect(endpoint.calls).toHaveLength(before)
    expect(readSummary(join(folder, 'untrusted')).quota).toMatchObject({ certain: 0, possible: 0 })
  })
})
