// `--state`: ledger, conversations and quota outlive the process, orderly or not.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/server.ts'
import { startClient, TWO_ORGANIZATIONS } from './client.ts'

let folder = ''
let statePath = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-state-'))
  statePath = join(folder, 'state.lmdb')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const VPN = { message: 'How do I set up the VPN?' }

test('a thread goes on and the ledger adds up after a restart', async () => {
  const before = await startClient({ statePath, config: TWO_ORGANIZATIONS })
  const { conversationId } = (await before.ask({ ...VPN, endUserRef: 'user-1' })).body
  await before.ask({ message: '' })
  const usage = (await before.admin('GET', '/sandbox/usage?detail=calls')).body
  await before.close()

  const after = await startClient({ statePath, config: TWO_ORGANIZATIONS })
  expect((await after.admin('GET', '/sandbox/usage?detail=calls')).body).toEqual(usage)
  const reply = await after.ask({ message: 'What are its symptoms?', conversationId })
  expect(reply.body).toMatchObject({ conversationId, contextSource: 'KNOWLEDGE_BASE' })
  const foreign = await after.ask({ ...VPN, conversationId }, { key: 'globex-key' })
  expect(foreign.body.conversationId).not.toBe(conversationId)
  const { body } = await after.admin('GET', `/sandbox/conversations/${conversationId}`)
  expect(body).toMatchObject({ endUserRef: 'user-1', turns: [{ article: 'vpn' }, { article: 'vpn' }] })
  expect((await after.admin('GET', '/sandbox/usage')).body.total).toMatchObject({ calls: 4, counted: 3 })
})

test('the quota stays spent', async () => {
  const config = { ...TWO_ORGANIZATIONS, quota: { calls: 2, period: 'month' as const } }
  const before = await startClient({ statePath, config })
  await before.ask(VPN)
  await before.close()
  const after = await startClient({ statePath, config })
  expect((await after.ask(VPN)).status).toBe(200)
  expect((await after.ask(VPN)).body.error.code).toBe('QUOTA_EXHAUSTED')
})

test('turns of one conversation that come at once are all kept', async () => {
  const client = await startClient({ statePath })
  const { conversationId } = (await client.ask(VPN)).body
  await Promise.all(
    Array.from({ length: 30 }, async () => client.ask({ message: 'And on a Mac?', conversationId })),
  )
  const kept = async () =>
    (await client.admin('GET', `/sandbox/conversations/${conversationId}`)).body.turns.length
  expect(await kept()).toBe(31)
})

test('reset empties the file too', async () => {
  const before = await startClient({ statePath })
  await before.ask(VPN)
  expect((await before.admin('POST', '/sandbox/reset')).status).toBe(204)
  await before.close()
  const after = await startClient({ statePath })
  expect((await after.admin('GET', '/sandbox/usage')).body.total.calls).toBe(0)
})

test('what was answered is in the ledger, even after kill -9', { timeout: 30_000 }, async () => {
  const server = new URL('../../src/sandbox/server.ts', import.meta.url).href
  const script = `
    const { startSandbox } = await import(${JSON.stringify(server)})
    const { url, apiKey } = await startSandbox({ statePath: ${JSON.stringify(statePath)} })
    console.log(JSON.stringify({ url, apiKey }))`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const { url, apiKey } = JSON.parse(line.toString()) as { url: string; apiKey: string }
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  for (let number = 0; number < 40; number += 1) {
    const reply = await fetch(`${url}/api/v1/assist`, { method: 'POST', headers, body: JSON.stringify(VPN) })
    await reply.arrayBuffer()
  }
  child.kill('SIGKILL')
  await once(child, 'exit')
  const { admin } = await startClient({ statePath })
  expect((await admin('GET', '/sandbox/usage')).body.total.counted).toBe(40)
})

test('another file is refused and left as it was', async () => {
  writeFileSync(statePath, 'message\nHow do I reset my password?\n'.repeat(200))
  await expect(startSandbox({ statePath })).rejects.toThrow(/not a state file of the sandbox/)
})

test('after a reset the quota is whole and the conversations are gone, at once', async () => {
  const config = { quota: { calls: 2, period: 'month' as const } }
  const { ask, admin } = await startClient({ statePath, config })
  for (let round = 0; round < 5; round += 1) {
    const { conversationId } = (await ask(VPN)).body
    expect((await ask(VPN)).status).toBe(200)
    expect((await ask(VPN)).body.error.code).toBe('QUOTA_EXHAUSTED')
    expect((await admin('POST', '/sandbox/reset')).status).toBe(204)
    expect((await admin('GET', '/sandbox/usage')).body.total.calls).toBe(0)
    expect((await admin('GET', '/sandbox/conversations')).body.conversations).toEqual([])
    expect((await admin('GET', `/sandbox/conversations/${conversationId}`)).status).toBe(404)
  }
})

test.each([1979, 5000, 100_000])('an id of %i characters is simply unknown', async (length) => {
  const { ask, admin } = await startClient({ statePath })
  for (const sign of ['x', 'é', String.fromCharCode(0xd800), String.fromCharCode(0)]) {
    const conversationId = sign.repeat(length)
    const reply = await ask({ ...VPN, conversationId })
    expect([reply.status, reply.body.conversationId.length]).toEqual([200, 36])
  }
  expect((await admin('GET', '/sandbox/usage')).body.total.counted).toBe(4)
  expect((await admin('GET', `/sandbox/conversations/${'x'.repeat(Math.min(length, 8000))}`)).status).toBe(
    404,
  )
})
