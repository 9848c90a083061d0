// A process that runs commands of the built program one after the other, to save the start-up time. See resident.ts.
import { setTimeout as sleep } from 'node:timers/promises'

const { program } = await import('../../dist/cli/program.js')
const { Screen } = await import('../../dist/cli/screen.js')
const { realPorts } = await import('../../dist/library/index.js')

let shown = []
for (const name of ['stdout', 'stderr'])
  process[name].write = (text, ...more) => {
    shown.push([name, String(text)])
    const done = more.at(-1)
    if (typeof done === 'function') setImmediate(() => done())
    return true
  }

/** What keeps the process from ending, but for its channel. */
const keeping = () => process.getActiveResourcesInfo().filter((kind) => !kind.startsWith('Pipe'))

/** As a process ends: when nothing is left to wait for. */
async function ended() {
  const until = Date.now() + 20_000
  while (keeping().length > 0) {
    if (Date.now() > until) throw new Error(`the program would not end: ${keeping().join(', ')}`)
    await sleep(2)
  }
}

async function runCommand({ words, cwd, env }) {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.chdir(cwd)
  shown = []
  const ports = realPorts()
  const code = await program(words, { screen: new Screen(ports.secrets), ports })
  await ended()
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error')
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal)
  process.send({ code, screen: shown })
}
process.on('message', (message) => void runCommand(message))
process.on('disconnect', () => process.exit())
process.send('ready')
