// Writes a delivery to the socket: the one place where answers, and damage, become bytes.
import type { ServerResponse } from 'node:http'
import { MAX_TIMER_MS } from '../duration.ts'
import type { Delivery, Form } from './delivery.ts'

/** Time between two pieces of a drip. */
const DRIP_MS = 25

export function deliver(response: ServerResponse, { form, delayMs }: Delivery): void {
  if (delayMs <= 0) {
    send(response, form)
    return
  }
  const timer = setTimeout(() => send(response, form), Math.min(delayMs, MAX_TIMER_MS))
  response.once('close', () => clearTimeout(timer))
}

function send(response: ServerResponse, form: Form): void {
  switch (form.kind) {
    case 'whole':
      writeHead(response, form).end(form.body)
      return
    case 'truncated': {
      const bytes = Buffer.from(form.body)
      writeHead(response, form).write(bytes.subarray(0, bytes.length >> 1), () => response.socket?.destroy())
      return
    }
    case 'drip':
      drip(writeHead(response, form), Buffer.from(form.body), form.overMs)
      return
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'hang':
      return
  }
}

function writeHead(response: ServerResponse, form: Extract<Form, { body: unknown }>): ServerResponse {
  return response.writeHead(form.status, { ...form.headers, 'content-length': Buffer.byteLength(form.body) })
}

function drip(response: ServerResponse, bytes: Buffer, overMs: number): void {
  const pieces = Math.max(2, Math.ceil(overMs / DRIP_MS))
  let sent = 0
  const timer = setInterval(() => {
    sent += 1
    const piece = bytes.subarray(
      Math.floor((bytes.length * (sent - 1)) / pieces),
      Math.floor((bytes.length * sent) / pieces),
    )
    if (sent < pieces) response.write(piece)
    else {
      clearInterval(timer)
      response.end(piece)
    }
  }, overMs / pieces)
  response.once('close', () => clearInterval(timer))
}
