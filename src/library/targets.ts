// Where a run sends: an organization's desk with its key, or a sandbox in this process; and at whose pace.
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import { rateText } from '../domain/format.ts'
import { joinMasks, type Mask } from '../domain/secret.ts'
import { parseBaseUrl } from '../endpoint/address.ts'
import type { Access } from '../endpoint/client.ts'
import { basicOf, chooseProxy, decoded } from '../endpoint/proxy.ts'
import { messageOf, optionError, UsageError } from '../options/faults.ts'
import { parseHeader } from '../options/headers.ts'
import { recordedOptions } from '../options/manifest.ts'
import { ADDRESS_VARIABLE, addressIn } from '../options/place.ts'
import type { RunSettings } from '../options/settings.ts'
import { AUTO_CONCURRENCY } from '../pace/constants.ts'
import { createLimiter, type Limiter, StoreError } from '../pace/limiter.ts'
import { paceOf } from '../pace/policy.ts'
import { createSharedState, leave, processesOf, shareWords } from '../pace/processes.ts'
import { type PaceRules, parseRate, strictest } from '../pace/rules.ts'
import { SharedLimiter } from '../pace/shared.ts'
import type { Job, NamedTarget } from './job.ts'
import { KEY_VARIABLE, type Ports, readKey, SHIPPED_KNOWLEDGE_BASE } from './ports.ts'
import { launch } from './sandbox.ts'

export interface Target extends NamedTarget {
  readonly address: ReturnType<typeof addressOf>
  readonly access: Access
  readonly organization: string
  readonly apiKeyEnv: string
  readonly sandbox: boolean
  /** Names the folder of articles of a sandbox that does not use the package's. */
  readonly knowledgeBase?: string
}

export function resolveTarget({ name, settings }: NamedTarget, job: Job): Target {
  const text = settings.baseUrl ?? addressIn(job.ports.env) ?? ''
  if (text.trim() === '')
    throw new UsageError(
      `the desk address is missing: give --base-url, set ${ADDRESS_VARIABLE}, or try --sandbox`,
    )
  const where = settings.baseUrl === undefined ? ADDRESS_VARIABLE : 'baseUrl'
  const address = addressOf(text, settings.allowHttp ?? false, where)
  const apiKeyEnv = settings.apiKeyEnv ?? KEY_VARIABLE
  const access = readAccess(address, settings, job)
  const organization = settings.organization ?? `${address.origin} ${access.key.fingerprint}`
  return { name, address, access, organization, apiKeyEnv, settings, sandbox: false }
}

/** Checks an address; `where` names the option or the variable in messages. */
export function addressOf(text: string, isHttpAllowed: boolean, where = 'baseUrl') {
  const address = parseBaseUrl(text, isHttpAllowed)
  if (address.kind === 'address') return address
  throw where === 'baseUrl'
    ? optionError(where, address.reason)
    : new UsageError(`${where} ${address.reason}`)
}

export async function openSandbox(settings: RunSettings, job: Job): Promise<Target> {
  const { kb, articles } = settings
  if (kb === undefined && articles !== undefined)
    job.note(`the sandbox answers from its own articles; to let it answer from ${articles}, add --kb`)
  const config = typeof job.sandbox === 'object' ? job.sandbox : undefined
  const started = await launch(kb, { config, notice: job.note, namesArticles: true })
  const { knowledgeBase } = started
  job.onClose(started.close)
  const address = addressOf(started.url, false)
  const key = job.ports.secrets.keep(started.apiKey)
  return {
    name: 'sandbox',
    settings,
    address,
    access: { ...address, key, headers: {}, certificate: undefined, proxy: undefined, mask: key },
    // Each sandbox has its own limit, so each is an organization of its own.
    organization: `${started.organization} at ${address.origin}`,
    apiKeyEnv: '',
    sandbox: true,
    ...(knowledgeBase === SHIPPED_KNOWLEDGE_BASE ? {} : { knowledgeBase: resolve(knowledgeBase) }),
  }
}

function readAccess(address: Target['address'], settings: RunSettings, job: Job): Access {
  const { ports, note } = job
  const key = readKey(settings.apiKeyEnv ?? KEY_VARIABLE, job.apiKey, ports)
  const masks: Mask[] = [key]
  const headers = new Map<string, string>()
  for (const { name, variable } of (settings.header ?? []).flatMap((text) => parseHeader(text) ?? [])) {
    const value = ports.env[variable]?.trim() ?? ''
    if (value === '')
      throw optionError('header', `${name} needs the environment variable ${variable}, which is not set`)
    // RFC 9110, 5.5; undici writes Latin-1.
    if (!/^[\t\x20-\x7e]+$/.test(value))
      throw optionError('header', `${name}: the value of ${variable} has line breaks or non-ASCII characters`)
    const hidden = ports.secrets.keepLong(value)
    if (hidden.length === 0)
      note(`the value of ${variable} (${name}) has fewer than 8 characters: it is sent, but not masked`)
    masks.push(...hidden)
    headers.set(name.toLowerCase(), value)
  }
  const chosen = chooseProxy(address.origin, ports.env)
  if (chosen.kind === 'rejected') throw new UsageError(chosen.reason)
  const proxy = chosen.kind === 'proxy' ? chosen.proxy : undefined
  if (proxy?.login !== undefined)
    masks.push(...ports.secrets.keepLong(proxy.login.password, basicOf(proxy.login)))
  const certificate = readCertificate(address.origin, settings)
  return { ...address, key, headers: Object.fromEntries(headers), certificate, proxy, mask: joinMasks(masks) }
}

function readCertificate(origin: string, settings: RunSettings): Access['certificate'] {
  const { clientCert, clientKey } = settings
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

/** Gives the limiter of each target. Throws UsageError if a target wants Redis and Redis cannot be used. */
export async function openLimiters(
  targets: readonly Target[],
  job: Job,
): Promise<(target: Target) => Limiter> {
  const opened = new Map<string, Limiter>()
  for (const { organization } of targets) {
    if (opened.has(organization)) continue
    const settings = targets
      .filter((target) => target.organization === organization)
      .map((target) => target.settings)
    const rules = strictest(settings.map(paceRulesOf))
    if (settings.every(({ limiter = 'local' }) => limiter === 'local')) {
      const limiter = createLimiter(rules, job.ports.clock, job.ports.random)
      job.onClose(() => limiter.close())
      opened.set(organization, limiter)
    } else {
      opened.set(organization, await openShared(organization, rules, job))
    }
  }
  return ({ organization }) => {
    const limiter = opened.get(organization)
    if (limiter === undefined) throw new Error(`organization ${organization} has no limiter`)
    return limiter
  }
}

export function paceRulesOf(settings: RunSettings): PaceRules {
  const { rate: written, concurrency, share } = recordedOptions.parse(settings)
  const rate = parseRate(written)
  if (rate === undefined) throw new Error(`the rate ${written} was checked before and is none`)
  if (rate.kind === 'unlimited' && share < 1)
    throw optionError('share', 'cannot be used with --rate unlimited: nothing keeps to a part of the limit')
  return { rate, concurrency: concurrency === 'auto' ? AUTO_CONCURRENCY : concurrency, share }
}

async function openShared(organization: string, rules: PaceRules, job: Job): Promise<Limiter> {
  const { note, onClose, ports } = job
  const url = readRedisUrl(ports)
  if (rules.rate.kind === 'unlimited')
    throw optionError('limiter', 'redis cannot be used with --rate unlimited: there is no pace to share')
  const id = randomBytes(8).toString('hex')
  const name = createHash('sha256').update(organization).digest('hex').slice(0, 32)
  const { openRedisStore, hostOf } = await import('../pace/store.ts')
  const store = await openRedisStore(url, name, createSharedState(rules), ports.clock).catch(
    (error: unknown) => {
      throw error instanceof StoreError ? optionError('limiter', `redis: ${error.message}`) : error
    },
  )
  onClose(async () => store.close((state, now) => leave(state, now, id)))
  const { pace } = store.state()
  const others = processesOf(store.state())
  const start = others > 0 ? `; the pace is ${rateText(paceOf(pace).pace)}` : ''
  note(`limiter: ${shareWords(others + 1)} through Redis at ${hostOf(url)}${start}`)
  const limiter = new SharedLimiter(store, { id, rules, random: ports.random }, ports.clock)
  onClose(() => limiter.close())
  return limiter
}

const EXAMPLE = 'like redis://redis.example.com:6379, or rediss:// for TLS'

/** Reads the URL from the environment, since a password is never an argument; no message repeats it. */
export function readRedisUrl({ env, secrets }: Ports): URL {
  const text = env['ASSIST_REDIS_URL']?.trim() ?? ''
  if (text === '')
    throw optionError('limiter', `redis needs the environment variable ASSIST_REDIS_URL, ${EXAMPLE}`)
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isAddress =
    url !== undefined &&
    /^rediss?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    !/[?#]|%(?![\da-f]{2})/i.test(text) &&
    [url.username, url.password].every((part) => decoded(part) !== undefined)
  if (!isAddress || !/^\/?\d{0,4}$/.test(url.pathname))
    throw new UsageError(
      `ASSIST_REDIS_URL is not the address of a Redis: write it ${EXAMPLE}; a password's special ` +
        'characters stand as in %23',
    )
  const password = decoded(url.password) ?? ''
  if (password !== '') secrets.keep(password)
  return url
}
