// `startSandbox` of the library: what it says where it cannot start.
import { expect, test } from 'vitest'
import { startSandbox } from '../../src/library/sandbox.ts'

test('a port that is in use is named, with what to do', async () => {
  const running = await startSandbox({ port: 0 })
  const port = Number(new URL(running.url).port)
  await expect(startSandbox({ port })).rejects.toMatchObject({
    name: 'UsageError',
    issues: [{ path: 'port', message: `${port} is in use; choose another` }],
  })
  await running.close()
})
