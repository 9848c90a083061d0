// A package registry that has one package: assist-harness 0.1.0, whose program is the built one of this checkout.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { main } from './program.ts'

export interface Registry {
  readonly url: string
  /** Path of the package's tarball. */
  readonly tarball: string
  close(): Promise<void>
}

/** `folder`: where the package is made. */
export async function startRegistry(folder: string): Promise<Registry> {
  const manifest = { name: 'assist-harness', version: '0.1.0', bin: { 'assist-harness': 'program.js' } }
  const source = join(folder, 'package')
  mkdirSync(source)
  writeFileSync(join(source, 'package.json'), JSON.stringify({ ...manifest, type: 'module' }))
  writeFileSync(join(source, 'program.js'), `#!/usr/bin/env node\nimport ${JSON.stringify(main)}\n`)
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: source })
  const tarball = join(folder, 'assist-harness-0.1.0.tgz')

  const server = createServer(({ url: asked = '' }, response) => {
    if (asked === '/tarball') return response.end(readFileSync(tarball))
    if (asked !== '/assist-harness') return response.writeHead(404).end('{}')
    const versions = { '0.1.0': { ...manifest, dist: { tarball: `${url}/tarball` } } }
    return response.end(JSON.stringify({ name: manifest.name, 'dist-tags': { latest: '0.1.0' }, versions }))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    tarball,
    close: async () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
