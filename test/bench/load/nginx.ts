// nginx as the endpoint of benches: one worker on its own core and a loopback port, with a fixed reply and a
// page that counts calls.
import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../support/free-port.ts'
import type { BenchServer } from '../server.ts'

const canPin = cpus().length > 1 && spawnSync('taskset', ['-V']).error === undefined

/** The command, bound to that core if the machine can do it. */
export const pinnedTo = (core: number, command: readonly [string, ...string[]]): [string, ...string[]] =>
  canPin ? ['taskset', '-c', String(core), ...command] : [...command]

const REPLY = JSON.stringify({
  conversationId: 'c0000000-0000-4000-8000-000000000000',
  message: 'x'.repeat(480),
  status: 'success',
  contextSource: 'KNOWLEDGE_BASE',
})
/** Adds folders that hold nginx and are not on every user's PATH. */
const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin` }

/** Undefined without nginx or its status module. */
export async function startNginx(
  folder: string,
): Promise<(BenchServer & { readonly name: string }) | undefined> {
  const { stderr, error } = spawnSync('nginx', ['-V'], { env, encoding: 'utf8' })
  if (error !== undefined || !stderr.includes('http_stub_status_module')) return undefined
  const port = await freePort()
  const config = join(folder, 'nginx.conf')
  writeFileSync(config, configOf(folder, port))
  const [command, ...words] = pinnedTo(0, ['nginx', '-p', folder, '-c', config])
  const child = spawn(command, words, { env, stdio: 'ignore' })
  child.unref()
  process.once('exit', () => child.kill())
  const url = `http://127.0.0.1:${port}`
  const answered = async (): Promise<number> => {
    const text = await (await fetch(`${url}/answered`)).text()
    return Number(/(\d+)\s+(\d+)\s+(\d+)/.exec(text)?.[3])
  }
  while (!(await answered().catch(() => 0))) await sleep(20)
  const name = `${/nginx\/\S+/.exec(stderr)?.[0]}, one worker${canPin ? ' on a core of its own' : ''}`
  return { url, name, answered }
}

const configOf = (folder: string, port: number): string => `
daemon off;
master_process off;
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/error.log;
events { worker_connections 4096; }
http {
  access_log off;
  keepalive_requests 1000000000;
  keepalive_timeout 600s;
  client_body_temp_path ${folder};
  proxy_temp_path ${folder};
  fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder};
  scgi_temp_path ${folder};
  server {
    listen 127.0.0.1:${port};
    location = /answered { stub_status; }
    location / { default_type application/json; return 200 '${REPLY}'; }
  }
}
`
