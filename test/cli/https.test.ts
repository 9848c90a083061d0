// Protects calls over TLS: answers are whole, connections are reused, and nothing is sent to a desk without a
// trusted certificate.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCertificate, skipsTls, type Certificate } from '../support/certificate.ts'
import { goodReply, startEndpoint, type Behaviour, type TestEndpoint } from '../support/endpoint.ts'
import { KEY_ENV } from '../support/program.ts'
import { openWorkspace } from '../support/workspace.ts'

const THREADS = 30
const set = Array.from({ length: THREADS }, (_, i) => `${i}-1,t${i},First ${i}\n${i}-2,t${i},Second ${i}\n`)
const { folder, at, has, rows, summary, expectExit } = openWorkspace(
  { 'set.csv': `id,thread,message\n${set.join('')}` },
  KEY_ENV,
)
/** Longer than a TLS record and a read buffer, so that characters of several bytes lie across their ends. */
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
      // In two pieces, cut in the middle of a character.
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
  const pace = '--rate unlimited --concurrency 4'
  const ask = async (code: number, out: string, more: string, env: Record<string, string>) =>
    expectExit(code, `run set.csv --base-url ${endpoint.url} ${pace} --out ${out} ${more}`, env)

  test('is called over a few connections, and every answer is whole', async () => {
    await ask(0, 'trusted', '', { NODE_EXTRA_CA_CERTS: certificate.path })
    const results = rows('trusted/results.csv')
    expect(results).toHaveLength(2 * THREADS)
    for (const { message = '', answer } of results) expect(answer === answerTo(message), message).toBe(true)
    expect(sockets.size).toBeLessThanOrEqual(4)
  })

  test('receives nothing if its certificate is for another host name', async () => {
    const misnamed = { ...makeCertificate(at('other'), 'DNS:other.example'), maxVersion: 'TLSv1.2' as const }
    const other = await startEndpoint(undefined, misnamed)
    const lines = [
      `run set.csv --give-up-after 2s ${pace}`,
      'load set.csv --arrival-rate 4/s --duration 1s',
      'load set.csv --find-limit --max-calls 10',
    ]
    for (const [index, line] of lines.entries()) {
      const [out, trusted] = [`named-${index}`, { NODE_EXTRA_CA_CERTS: misnamed.path }]
      const { screen } = await expectExit(4, `${line} --base-url ${other.url} --out ${out}`, trusted)
      expect(screen).toContain('ERR_TLS_CERT_ALTNAME_INVALID')
      expect([has(out, 'summary.md'), has(out, 'lock')]).toEqual([true, false])
    }
    expect(other.calls).toEqual([])
    await other.close()
  })

  test('receives nothing if its certificate is not trusted', async () => {
    const before = endpoint.calls.length
    const { screen } = await ask(4, 'untrusted', '--give-up-after 1s', {})
    expect(screen).toContain('DEPTH_ZERO_SELF_SIGNED_CERT')
    expect(endpoint.calls).toHaveLength(before)
    expect(summary('untrusted').quota).toMatchObject({ certain: 0, possible: 0 })
  })
})
