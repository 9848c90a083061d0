// The addresses of the workbench. Each view is a page of its own, made by one script.
import { readFileSync } from 'node:fs'
import { sep } from 'node:path'
import { Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { HTTPException } from 'hono/http-exception'
import * as z from 'zod'
import { UsageError } from '../library/index.ts'
import { StorageError } from '../domain/storage-error.ts'
import { createActions, createSetActions, FaultySet } from './actions.ts'
import type { Refusal } from './api.ts'
import type { Guard } from './guard.ts'
import type { Served } from './served.ts'
import { createViews } from './views.ts'

const MAX_UPLOAD = 20 * 1024 * 1024
const TOO_LARGE: Refusal = { error: 'What was chosen has more than 20 MB.', faults: [] }
const PAGES = ['/', '/run', '/ask', '/new', '/set', '/todo']
const ASSETS = { 'client.js': 'text/javascript', 'client.css': 'text/css' } as const

/** The client in the browser is typed by it. */
export type Api = ReturnType<typeof createApi>

const createApi = (served: Served) =>
  new Hono()
    .route('/', createViews(served))
    .route('/', createActions(served))
    .route('/', createSetActions(served))

/** `failed` gets the faults that are ours. */
export function createRoutes(served: Served, guard: Guard, failed: (error: unknown) => void): Hono {
  const app = new Hono()
  /** No answer holds a secret, whatever it is made of. */
  const hideSecrets: MiddlewareHandler = async (context, next) => {
    await next()
    const { res } = context
    if (res.headers.get('content-type')?.startsWith('application/json') === true)
      context.res = new Response(served.ports.secrets.mask(await res.text()), res)
  }
  app.use(guard.check)
  app.use(bodyLimit({ maxSize: MAX_UPLOAD, onError: (context) => context.json(TOO_LARGE, 413) }))
  app.use('/api/*', hideSecrets)
  app.onError((error, context) => {
    const { status, ...refusal } = refusalOf(error)
    if (status === 500) failed(error)
    // A page knows no path above the folder.
    return context.json({ ...refusal, error: refusal.error.replaceAll(`${served.folder}${sep}`, '') }, status)
  })
  app.notFound((context) => context.json({ error: 'There is no such address.', faults: [] }, 404))
  for (const path of PAGES) app.get(path, (context) => context.html(PAGE))
  for (const [name, type] of Object.entries(ASSETS))
    app.get(`/${name}`, (context) =>
      context.body(readFileSync(new URL(`../../dist/workbench/${name}`, import.meta.url), 'utf8'), 200, {
        'Content-Type': `${type}; charset=utf-8`,
      }),
    )
  app.route('/', createApi(served))
  return app
}

function refusalOf(error: unknown): Refusal & { readonly status: 400 | 500 | 507 } {
  if (error instanceof UsageError) return { status: 400, error: error.message, faults: [] }
  if (error instanceof FaultySet) return { status: 400, error: error.message, faults: error.faults }
  if (error instanceof z.ZodError || error instanceof HTTPException)
    return { status: 400, error: 'The request is not what this address takes.', faults: [] }
  if (error instanceof StorageError || (error instanceof Error && 'syscall' in error))
    return { status: 507, error: `The disk did not take it: ${error.message}`, faults: [] }
  return { status: 500, error: 'A fault of the workbench; its terminal says more.', faults: [] }
}

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Workbench</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/client.css">
<script src="/client.js" defer></script>
</head>
<body></body>
</html>
`
