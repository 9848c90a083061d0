#!/usr/bin/env node
// Entry point; sets the exit code of the process. The commands: `command-table.ts`.
import * as nodeModule from 'node:module'

// From Node 22.1 on, compiled code is cached between starts, which halves the time of a start.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => unknown }
enableCompileCache?.()
// A stack trace names the source file and line.
process.setSourceMapsEnabled(true)

const { program } = await import('./program.ts')
const { sayFailure } = await import('./failure.ts')
const { Screen } = await import('./screen.ts')
const { realPorts } = await import('../library/index.ts')

const ports = realPorts()
const screen = new Screen(ports.secrets)
/** Node would end with 1, which says that a gate failed. */
const endAsFault = (error: unknown): never => process.exit(sayFailure(error, screen))
process.on('uncaughtException', endAsFault)
const onStall = (): void => {
  // Whoever else listens ends its step in order.
  if (process.listenerCount('beforeExit') > 1) return
  endAsFault(new Error('the command waited for something that can no longer happen'))
}
process.on('beforeExit', onStall)
process.exitCode = await program(process.argv.slice(2), { screen, ports })
process.off('beforeExit', onStall)
