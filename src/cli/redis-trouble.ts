// Why Redis cannot be used, and what to do, in plain words: never with what was sent to it.
import type { RedisAddress } from '../pace/shared/redis-bus.ts'
import { placeOf } from './redis-address.ts'

const RIGHTS =
  '~assist-harness:* &assist-harness:* +eval +get +set +del +pexpire +time +publish +subscribe +ping'

export function describeRedisTrouble(error: unknown, address: RedisAddress): string {
  const said = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  if (/^(Unknown RESP type|Protocol error)/.test(said))
    return `what answers at ${placeOf(address)} is no Redis; is ASSIST_REDIS_URL right?`
  const words =
    ofEntry(said, address) ??
    ofRights(said, commandOf(error), address) ??
    ofCluster(said, address) ??
    ofState(said) ??
    ofConnection(said, code, address) ??
    `cannot be used: ${said}; is ASSIST_REDIS_URL right?`
  return `Redis at ${placeOf(address)} ${words}`
}

/** The same for one that was there before; undefined for what says no more than that the connection is gone. */
export function describeRedisLoss(error: unknown, address: RedisAddress): string | undefined {
  const said = error instanceof Error ? error.message : ''
  const isGone = /^(Stream isn't writeable|Reached the max retries|Connection is closed)/.test(said)
  return isGone ? undefined : describeRedisTrouble(error, address)
}

function ofEntry(said: string, { database, username, password }: RedisAddress): string | undefined {
  if (/^(WRONGPASS|ERR invalid password|ERR AUTH)/.test(said) || said.includes('without any password'))
    return username !== undefined && password === undefined
      ? 'refuses the user name without a password; set ASSIST_REDIS_PASSWORD, or correct ASSIST_REDIS_USERNAME'
      : 'refuses the user name or password; correct ASSIST_REDIS_USERNAME and ASSIST_REDIS_PASSWORD'
  if (said.startsWith('NOAUTH')) return 'wants a password; set ASSIST_REDIS_PASSWORD'
  if (said.includes('DENIED'))
    return 'takes connections of its own machine alone (protected mode); give it a password, and set ASSIST_REDIS_PASSWORD'
  if (said.includes('max number of clients'))
    return 'takes no more connections; raise its maxclients: each job needs two'
  if (/DB index|SELECT is not allowed/i.test(said))
    return `has no database ${database}; correct the number at the end of ASSIST_REDIS_URL`
  return undefined
}

/** What is said within a script does not begin with its code. */
function ofRights(said: string, command: string, { database }: RedisAddress): string | undefined {
  if (/NOPERM|user executing the script can't/.test(said)) {
    const denied = /\bkeys?\b/.test(said)
      ? 'keys of assist-harness:*'
      : /\bchannels?\b/.test(said)
        ? 'channels of assist-harness:*'
        : `the command ${command}`
    return `does not let this user use ${denied}; allow it ${RIGHTS}${database === 0 ? '' : ' +select'}`
  }
  if (/unknown (redis )?command/i.test(said))
    return `has no command ${command}, which is needed; was it renamed (rename-command), or is this a Sentinel or a proxy?`
  return undefined
}

function ofCluster(said: string, { tls }: RedisAddress): string | undefined {
  const owner = /\b(?:MOVED|ASK) \d+ (\S*:\d+)/.exec(said)?.[1]
  if (owner !== undefined)
    return `is a node of a cluster that keeps what these jobs share on another; set ASSIST_REDIS_URL to ${tls ? 'rediss' : 'redis'}://${owner} in all of them, or to a Redis that is no cluster`
  return said.includes('CLUSTERDOWN')
    ? 'is a node of a cluster that is down or not set up (CLUSTERDOWN)'
    : undefined
}

function ofState(said: string): string | undefined {
  if (/\bOOM\b/.test(said)) return 'has no memory left; raise its maxmemory'
  if (/\b(READONLY|MASTERDOWN)\b/.test(said))
    return 'is a replica, which takes no writes; set ASSIST_REDIS_URL to its master'
  if (/\bLOADING\b/.test(said)) return 'is still loading its data; wait until it has'
  const refusal = /\b(MISCONF|NOREPLICAS)\b/.exec(said)?.[1]
  return refusal === undefined ? undefined : `takes no writes now (${refusal}); its log says why`
}

const UNTRUSTED = /SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|CERT_UNTRUSTED|INVALID_CA/

function ofConnection(
  said: string,
  code: string | undefined,
  { tls, host }: RedisAddress,
): string | undefined {
  if (code !== undefined && UNTRUSTED.test(code))
    return `shows a certificate that is not trusted (${code}); name the file of your CA in the environment variable NODE_EXTRA_CA_CERTS`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `shows a certificate that is not for ${host}; write the host in ASSIST_REDIS_URL as the certificate has it`
  if (code?.includes('CERTIFICATE_REQUIRED') === true || code?.includes('HANDSHAKE_FAILURE') === true)
    return `wants a certificate of its clients (${code}), which is not supported; let it do without (tls-auth-clients no)`
  if (tls && (code === 'EPROTO' || code?.includes('WRONG_VERSION') === true))
    return 'does not speak TLS at this port; is it redis:// in ASSIST_REDIS_URL?'
  const otherwise = tls
    ? 'if it does not speak TLS there, write redis://'
    : 'if it speaks TLS there, write rediss://'
  if (code === 'ECONNRESET' || said.startsWith('Connection is closed'))
    return `cannot be used: it closes the connection; ${otherwise}`
  if (code !== undefined) return `cannot be reached (${code}); is it running, and is ASSIST_REDIS_URL right?`
  if (said === 'Command timed out' || said.startsWith('no answer'))
    return `cannot be used: ${said.startsWith('no') ? said : 'it does not answer'}; is ASSIST_REDIS_URL right?${tls ? ` And ${otherwise}` : ''}`
  return undefined
}

/** Its name alone: what goes with it may be secret. */
function commandOf(error: unknown): string {
  if (!(error instanceof Error) || !('command' in error)) return 'that it needs'
  const { command } = error
  const name = typeof command === 'object' && command !== null && 'name' in command ? command.name : ''
  return String(name).toUpperCase()
}
