// Protects the errors of a sandbox that cannot start: each names what is wrong.
import { Server } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openConversation } from '../../src/library/index.ts'
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

test.each([
  ['no port', { sandbox: true }, 'the sandbox cannot start: listen EMFILE'],
  ['no port, with --kb', { sandbox: true, kb: '.' }, 'the sandbox cannot start: listen EMFILE'],
  ['no articles', { sandbox: true, kb: '/nowhere' }, 'kb /nowhere: no such file or folder; name a folder'],
] as const)(
  'a sandbox of a run that gets %s names --kb only where its articles cannot be read',
  async (_, options, said) => {
    const listen = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
      queueMicrotask(() => this.emit('error', Object.assign(new Error('listen EMFILE'), { code: 'EMFILE' })))
      return this
    })
    onTestFinished(() => listen.mockRestore())
    await expect(openConversation(options)).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining(said) as unknown,
    })
  },
)
