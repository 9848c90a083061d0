// Protects the error of `startSandbox` for a port in use.
import { expect, test } from 'vitest'
import { startSandbox } from '../../src/library/sandbox.ts'

test('a port in use is a UsageError that names it', async () => {
  const running = await startSandbox({ port: 0 })
  const port = Number(new URL(running.url).port)
  await expect(startSandbox({ port })).rejects.toMatchObject({
    name: 'UsageError',
    issues: [{ path: 'port', message: `${port} is in use; choose another` }],
  })
  await running.close()
})
