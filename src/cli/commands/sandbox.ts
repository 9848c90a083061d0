// `sandbox`: an Assist endpoint on this machine, until Ctrl-C. stdout can be sourced by a shell; the rest is for people.
import { relative } from 'node:path'
import type { RunningSandbox, SandboxOptions } from '../../sandbox/server.ts'
import { EXIT } from '../exit-codes.ts'
import type { RunSettings } from '../../library/read-options.ts'
import { printForPrograms, say } from '../output.ts'
import { loadSandboxConfig } from '../sandbox-config.ts'
import { orShipped, SHIPPED_KNOWLEDGE_BASE, SHIPPED_QUESTIONS } from '../shipped.ts'
import { UsageError } from '../../library/usage-error.ts'

/** Returns when a signal has stopped it. */
export async function sandbox(settings: RunSettings): Promise<number> {
  const { host = '127.0.0.1' } = settings
  const running = await start(settings, host)
  // Before the first line: who waits for that line may send the signal at once.
  const signal = new Promise<NodeJS.Signals>((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
  if (!isLoopback(host)) say(`Listening on ${host}: whoever can reach this machine can call it.`)
  await introduce(running)
  say(`\n${await signal}: the sandbox stops`)
  await running.close()
  return EXIT.ok
}

const DEFAULT_PORT = 8787

async function start(
  { kb, config, port = DEFAULT_PORT, seed = 1, watch = false, log }: RunSettings,
  host: string,
): Promise<RunningSandbox> {
  const options: SandboxOptions = {
    host,
    port,
    seed,
    knowledgeBase: kb === undefined ? SHIPPED_KNOWLEDGE_BASE : orShipped(kb, say),
    watch,
    notice: say,
    ...(log === true && { log: say }),
    ...(config !== undefined && { config: loadSandboxConfig(orShipped(config, say)) }),
  }
  const { startSandbox } = await import('../../sandbox/server.ts')
  try {
    return await startSandbox(options)
  } catch (error) {
    throw new UsageError(`the sandbox cannot start: ${(error as Error).message}`)
  }
}

async function introduce({ url, apiKey, adminKey }: RunningSandbox): Promise<void> {
  await printForPrograms(
    [
      `export ASSIST_BASE_URL=${url}`,
      `export ASSIST_API_KEY=${quote(apiKey)}`,
      `export ASSIST_ADMIN_KEY=${quote(adminKey)}`,
    ].join('\n'),
  )
  say(`
The sandbox answers at ${url}. With these variables set:

curl -s "$ASSIST_BASE_URL/api/v1/assist" -H "Authorization: Bearer $ASSIST_API_KEY" -H 'Content-Type: application/json' -d '{"message":"How do I reset my password?"}'
npx assist-harness run ${quote(relative(process.cwd(), SHIPPED_QUESTIONS))}
curl -s "$ASSIST_BASE_URL/sandbox/usage" -H "Authorization: Bearer $ASSIST_ADMIN_KEY"

The contract is at ${url}/openapi.json. Ctrl-C stops.`)
}

const isLoopback = (host: string): boolean => /^(?:127\..*|localhost|::1)$/.test(host)

/** For a POSIX shell; plain words stay plain. */
const quote = (word: string): string =>
  /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
