// Who may use the workbench: the browser that was opened with its token, from its own pages.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'

/** It is the policy of the report page, but that the script comes from this server. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}

const newSecret = (): string => randomBytes(24).toString('base64url')

export type Guard = ReturnType<typeof createGuard>

/** A second `view` knows a workbench by this header, whatever it answers. */
export const IDENTITY = 'Assist-Harness-Workbench'

/** A read-only workbench takes this one request: it tries, and changes nothing. */
export const TRY_EDIT = '/api/rehearse'

/** The port is known once the server listens. */
export function createGuard(port: () => number, isReadOnly: boolean, identity: string) {
  const [token, session] = [newSecret(), newSecret()]
  const check: MiddlewareHandler = async (context, next) => {
    for (const [name, value] of Object.entries({ ...HEADERS, [IDENTITY]: identity }))
      context.header(name, value)
    const refuse = (status: 401 | 403 | 415, error: string) => context.json({ error, faults: [] }, status)
    const header = (name: string): string => context.req.header(name) ?? ''
    // Another name may lead to this machine, too: DNS rebinding.
    const hosts = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port()}`)
    if (!hosts.includes(header('host'))) return refuse(403, 'This address is not that of the workbench.')
    const [origin, site] = [header('origin'), header('sec-fetch-site')]
    const isForeign = origin !== '' && !hosts.some((host) => origin === `http://${host}`)
    if (isForeign || !['', 'none', 'same-origin'].includes(site))
      return refuse(403, 'Another page asked for this.')
    const cookie = `assist_harness_${port()}`
    if (isSame(context.req.query('token') ?? '', token) && context.req.method === 'GET') {
      setCookie(context, cookie, session, { httpOnly: true, sameSite: 'Strict', path: '/' })
      return context.redirect(context.req.path, 303)
    }
    if (!isSame(getCookie(context, cookie) ?? '', session))
      return refuse(401, 'Open the address that assist-harness view printed.')
    if (!['GET', 'HEAD'].includes(context.req.method)) {
      // A form of another page cannot send these types without asking first.
      const type = header('content-type').split(';')[0]?.trim() ?? ''
      if (!['application/json', 'application/octet-stream'].includes(type)) return refuse(415, 'Send JSON.')
      if (isReadOnly && context.req.path !== TRY_EDIT) return refuse(403, 'This workbench is read-only.')
    }
    return next()
  }
  return { token, check }
}

function isSame(sent: string, secret: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(secret)]
  return a.length === b.length && timingSafeEqual(a, b)
}
