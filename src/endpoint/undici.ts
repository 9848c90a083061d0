// The parts of undici for a call. Its index loads more, which takes a tenth of the time to a first call.
import { createRequire } from 'node:module'
import type * as undici from 'undici'

const require = createRequire(import.meta.url)

export const Client = require('undici/lib/dispatcher/client.js') as typeof undici.Client
export const buildConnector = require('undici/lib/core/connect.js') as typeof undici.buildConnector

export const loadUndici = () => require('undici') as typeof undici

/**
 * Limits the attempt at each address of a name. Node's 250 ms are too short for a desk far away: without IPv6
 * here, an A and an AAAA record then fail both. A lost SYN is sent again after a second.
 */
export const ADDRESS_TIMEOUT_MS = 2500
