// Serves the metrics of what a command sends (`--metrics`), and makes the files with their last values.
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, dirname, resolve } from 'node:path'
import { optionError } from '../options/faults.ts'
import type { Manifest } from '../options/manifest.ts'
import type { MetricFigure } from '../report/metric-figures.ts'
import type { Metrics } from '../report/metrics.ts'
import { diskCause } from '../store/files.ts'
import type { Job } from './job.ts'

export async function withMetrics(job: Job): Promise<Job> {
  const { metrics: address } = job.settings
  if (address === undefined) return job
  const { createMetrics } = await import('../report/metrics.ts')
  const metrics = createMetrics(() => job.ports.clock.wall())
  const server = await serve(metrics)
  job.onClose(async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  })
  const { host, port } = address
  await new Promise<void>((listening, failed) => {
    server.once('error', failed).listen(port, host, listening)
  }).catch((error: unknown) => {
    throw optionError('metrics', `${host}:${port} cannot be used: ${diskCause(error)}; choose another`)
  })
  const { port: taken } = server.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  job.note(`metrics are at http://${name}:${taken}/metrics`)
  return { ...job, metrics }
}

async function serve(metrics: Metrics): Promise<Server> {
  const { createServer } = await import('node:http')
  return createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end('the metrics are at GET /metrics\n')
      return
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
}

export type RecordedMeter = Awaited<ReturnType<typeof openMeter>>

/**
 * Meters a journal while it is folded, for the file with the last values. The folder's name tells the files
 * of several runs apart; that of one of several targets has the name of its parent before it.
 */
export async function openMeter({ target }: Manifest, path: string) {
  const { createMetrics } = await import('../report/metrics.ts')
  const { namedTarget } = await import('../report/recorded-blocks.ts')
  const folder = resolve(path)
  const parent = basename(folder) === namedTarget(target.name) ? `${basename(dirname(folder))}/` : ''
  const metrics = createMetrics(() => Infinity, { run: `${parent}${basename(folder)}` })
  const meter = metrics.meter({ target: target.name, organization: target.organization })
  return {
    add: meter.add,
    text: async (figures: readonly MetricFigure[], turnsLeft: number): Promise<string> => {
      meter.watch(() => turnsLeft)
      meter.set(figures)
      return metrics.text()
    },
  }
}
