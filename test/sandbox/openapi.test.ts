// The OpenAPI document: of version 3.1, whole, and made from the schemas that check the requests.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startClient } from './client.ts'

test('is served without a key and names this sandbox', async () => {
  const { call, url } = await startClient()
  const { status, body } = await call('GET', '/openapi.json')
  expect(status).toBe(200)
  expect(body).toMatchObject({ openapi: '3.1.0', servers: [{ url }] })
  expect(Object.keys(body.paths)).toEqual(['/api/v1/assist'])
  expect(Object.keys(body.paths['/api/v1/assist'].post.responses)).toEqual([
    '200',
    '400',
    '401',
    '403',
    '404',
    '405',
    '413',
    '415',
    '429',
    '5XX',
  ])
})

test('every reference leads somewhere', async () => {
  const { call } = await startClient()
  const { body } = await call('GET', '/openapi.json')
  const references = [...JSON.stringify(body).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name,
  )
  expect(new Set(references)).toEqual(new Set(Object.keys(body.components.schemas)))
})

test.each([
  { message: 'hello' },
  { message: 'hello', conversationId: null, endUserRef: 'user-1' },
  {},
  { message: '' },
  { message: ' ' },
  { message: 'x'.repeat(51) },
  { message: 'hello', conversationId: 3 },
  { message: 'hello', endUserRef: null },
])('says of %j what the endpoint says', async (request) => {
  const { ask, call } = await startClient({ config: { maxMessageLength: 50 } })
  const { body } = await call('GET', '/openapi.json')
  const published = z.fromJSONSchema(body.components.schemas.AssistRequest)
  expect((await ask(request)).status).toBe(published.safeParse(request).success ? 200 : 400)
})

test('replies and errors keep to it', async () => {
  const { ask, call } = await startClient()
  const { schemas } = (await call('GET', '/openapi.json')).body.components
  const keeps = (name: string, value: unknown): boolean =>
    z.fromJSONSchema(schemas[name]).safeParse(value).success
  expect(keeps('AssistReply', (await ask({ message: 'VPN' })).body)).toBe(true)
  expect(keeps('Error', (await ask({})).body)).toBe(true)
  expect(keeps('Error', (await call('GET', '/nothing')).body)).toBe(true)
})
