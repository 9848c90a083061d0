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
  const own = ['-addext', `subjectAltName=${name}`, ...filesIn(folder)]
  openssl([...`req -x509 ${NEW_KEY} -days 2 -subj /CN=localhost`.split(' '), ...own])
  return certificateIn(folder)
}

/** As a company does: by its own CA, whose path is returned. The key is `key.pem` in the folder. */
export function makeSignedCertificate(folder: string, name = 'IP:127.0.0.1'): Certificate {
  const ca = join(folder, 'ca')
  mkdirSync(ca, { recursive: true })
  openssl([...`req -x509 ${NEW_KEY} -days 2 -subj /CN=Company-CA`.split(' '), ...filesIn(ca)])
  const [caKey, path] = [join(ca, 'key.pem'), join(ca, 'certificate.pem')]
  const signed = ['-addext', `subjectAltName=${name}`, '-CA', path, '-CAkey', caKey, ...filesIn(folder)]
  openssl([...`req -x509 ${NEW_KEY} -days 2 -subj /CN=localhost`.split(' '), ...signed])
  return { ...certificateIn(folder), path }
}

const NEW_KEY = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'

const filesIn = (folder: string): string[] => [
  '-keyout',
  join(folder, 'key.pem'),
  '-out',
  join(folder, 'certificate.pem'),
]

function certificateIn(folder: string): Certificate {
  const path = join(folder, 'certificate.pem')
  return { key: readFileSync(join(folder, 'key.pem'), 'utf8'), cert: readFileSync(path, 'utf8'), path }
}

function openssl(words: readonly string[]): void {
  const { status, stderr } = spawnSync('openssl', words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`openssl: ${stderr}`)
}
