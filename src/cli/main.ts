#!/usr/bin/env node
// Entry point; sets the exit code of the process. The commands: `command-table.ts`.
import * as nodeModule from 'node:module'

// From Node 22.1 on, compiled code is cached between starts, which halves the time of a start.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => unknown }
enableCompileCache?.()
// A stack trace names the source file and line.
process.setSourceMapsEnabled(true)

const { endAsFault, program } = await import('./program.ts')
// Node would end with 1, which says that a gate failed.
process.on('uncaughtException', endAsFault)
const onStall = (): void => {
  // Whoever else listens ends its step in order.
  if (process.listenerCount('beforeExit') > 1) return
  endAsFault(new Error('the command waited for something that can no longer happen'))
}
process.on('beforeExit', onStall)
process.exitCode = await program(process.argv.slice(2))
process.off('beforeExit', onStall)
