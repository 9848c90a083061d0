// A self-signed certificate, for 127.0.0.1 unless a test names another host. Only a client that is given its
// path trusts it.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Identity } from './endpoint.ts'

/** Without openssl the tests that need it are skipped with a warning. On CI they fail. */
const hasOpenssl = spawnSync('openssl', ['version']).status === 0
if (!hasOpenssl && process.env['CI'] !== 'true')
  console.warn('openssl is not installed: the tests that need a certificate are skipped')
export const skipsTls = !hasOpenssl && process.env['CI'] !== 'true'

export interface Certificate extends Identity {
  /** Path of the certificate, for `NODE_EXTRA_CA_CERTS`. */
  readonly path: string
}

export function makeCertificate(folder: string, name = 'IP:127.0.0.1'): Certificate {
  mkdirSync(folder, { recursive: true })
  const [keyPath, path] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const words = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost'
  const own = ['-addext', `subjectAltName=${name}`, '-keyout', keyPath, '-out', path]
  const { status, stderr } = spawnSync('openssl', [...words.split(' '), ...own], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`openssl: ${stderr}`)
  return { key: readFileSync(keyPath, 'utf8'), cert: readFileSync(path, 'utf8'), path }
}
