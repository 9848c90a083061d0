// How a target is reached: its key, further headers, a client certificate and the proxy, from its options and
// the environment.
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { joinMasks, type Mask, type Secret } from '../domain/secret.ts'
import type { Address } from '../endpoint/address.ts'
import type { Access } from '../endpoint/client.ts'
import { basicOf, chooseProxy } from '../endpoint/proxy.ts'
import { messageOf, optionError, UsageError } from '../options/faults.ts'
import { parseHeader } from '../options/headers.ts'
import type { RunSettings } from '../options/settings.ts'
import type { Job } from './job.ts'
import { hideValue, KEY_VARIABLE, readKey } from './secrets.ts'

/** Where keys and values of headers come from. */
export type KeyOf = Pick<Job, 'apiKey' | 'ports' | 'note'>

type Found = Extract<Address, { kind: 'address' }>

/** Of a sandbox in this process: nothing beside its key. */
export const plainAccess = ({ origin, assistPath }: Found, key: Secret): Access => ({
  origin,
  assistPath,
  key,
  headers: {},
  certificate: undefined,
  proxy: undefined,
  mask: key,
})

/** Throws UsageError, before anything is sent, for what is missing, invalid or cannot be read. */
export function readAccess(address: Found, settings: RunSettings, job: KeyOf): Access {
  const { ports } = job
  const key = readKey(settings.apiKeyEnv ?? KEY_VARIABLE, job.apiKey, ports)
  const { headers, masks } = readHeaders(settings, job)
  const chosen = chooseProxy(address.origin, ports.env)
  if (chosen.kind === 'rejected') throw new UsageError(chosen.reason)
  const proxy = chosen.kind === 'proxy' ? chosen.proxy : undefined
  if (proxy?.login !== undefined)
    for (const one of [proxy.login.password, basicOf(proxy.login)]) masks.push(...hideValue(one, ports))
  const certificate = readCertificate(address, settings)
  return { ...plainAccess(address, key), headers, certificate, proxy, mask: joinMasks([key, ...masks]) }
}

/** The values of the headers, by name. A value that is too short to be masked is noted. */
function readHeaders({ header = [] }: RunSettings, { ports, note }: KeyOf) {
  const masks: Mask[] = []
  const headers: Record<string, string> = {}
  for (const { name, variable } of header.flatMap((one) => parseHeader(one) ?? [])) {
    const value = ports.env[variable]?.trim() ?? ''
    if (value === '')
      throw optionError('header', `${name} needs the environment variable ${variable}, which is not set`)
    // RFC 9110, 5.5; undici writes Latin-1.
    if (!/^[\t\x20-\x7e]+$/.test(value))
      throw optionError('header', `${name}: the value of ${variable} has line breaks or non-ASCII characters`)
    const hidden = hideValue(value, ports)
    if (hidden.length === 0)
      note(`the value of ${variable} (${name}) has fewer than 8 characters: it is sent, but not masked`)
    masks.push(...hidden)
    headers[name.toLowerCase()] = value
  }
  return { headers, masks }
}

/** Reads both files and tries them together. No message repeats what they hold. */
function readCertificate({ origin }: Found, { clientCert, clientKey }: RunSettings): Access['certificate'] {
  if (clientCert === undefined && clientKey === undefined) return undefined
  if (clientCert === undefined) throw optionError('clientKey', 'needs --client-cert FILE')
  if (clientKey === undefined) throw optionError('clientCert', 'needs --client-key FILE')
  if (origin.startsWith('http:')) throw optionError('clientCert', `needs https://, but the desk is ${origin}`)
  const cert = readPem('clientCert', clientCert, /-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----/)
  const key = readPem('clientKey', clientKey, /-----BEGIN [A-Z ]*PRIVATE KEY-----/)
  if (/-----BEGIN ENCRYPTED|Proc-Type: 4,ENCRYPTED/.test(key))
    throw optionError('clientKey', `${clientKey} is encrypted; name a file without a passphrase`)
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    throw optionError('clientCert', `${clientCert} and ${clientKey} do not fit: ${messageOf(error)}`)
  }
  return { cert, key }
}

function readPem(option: 'clientCert' | 'clientKey', path: string, begin: RegExp): string {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw optionError(option, `cannot be read: ${messageOf(error)}`)
  }
  if (begin.test(text)) return text
  const what = option === 'clientCert' ? 'certificate' : 'private key'
  throw optionError(option, `${path} holds no ${what} in PEM form`)
}
