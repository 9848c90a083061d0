// nginx as the benches' endpoint: one worker on a loopback port, answering one fixed reply, with a page that counts.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../support/free-port.ts'
import { pinnedTo } from './cores.ts'
import type { CountingServer } from './processes.ts'
import { REPLY_TEXT } from './reply.ts'

/** Where systems keep it that is not on every user's path. */
const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin` }

/** Undefined where there is no nginx, or one without its counting page. `core`: what it runs on, where that can be said. */
export async function startNginx(core: number): Promise<CountingServer | undefined> {
  const { stderr, error } = spawnSync('nginx', ['-V'], { env, encoding: 'utf8' })
  if (error !== undefined || !stderr.includes('http_stub_status_module')) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'assist-harness-nginx-'))
  const port = await freePort()
  const config = join(folder, 'nginx.conf')
  writeFileSync(config, configOf(folder, port))
  const [command, ...words] = pinnedTo(core, ['nginx', '-p', folder, '-c', config])
  const child = spawn(command, words, { env, stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  const [, version = ''] = /nginx version: (\S+)/.exec(stderr) ?? []
  const answered = async (): Promise<number> => {
    const text = await (await fetch(`${url}/answered`)).text()
    return Number(/(\d+)\s+(\d+)\s+(\d+)/.exec(text)?.[3])
  }
  await isUp(answered)
  return {
    url,
    name: `${version}, one worker`,
    answered,
    stop: async () => {
      child.kill('SIGTERM')
      await once(child, 'close')
      rmSync(folder, { recursive: true, force: true })
    },
  }
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
    location / { default_type application/json; return 200 '${REPLY_TEXT}'; }
  }
}
`

async function isUp(answered: () => Promise<number>): Promise<void> {
  for (let tries = 0; ; tries += 1)
    try {
      await answered()
      return
    } catch (error) {
      if (tries > 100) throw error
      await new Promise((resolve) => {
        setTimeout(resolve, 20)
      })
    }
}
