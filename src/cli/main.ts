#!/usr/bin/env node
// Entry point; sets the exit code of the process. The commands: `command-table.ts`.
import * as nodeModule from 'node:module'

// From Node 22.1 on, compiled code is cached between starts, which halves the time of a start.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => unknown }
enableCompileCache?.()

const words = process.argv.slice(2)
const isHelp = words.length === 1 && (words[0] === '--help' || words[0] === '-h')
if (isHelp) {
  // Loads nothing else, so that it is there at once.
  const { renderOverview } = await import('./help.ts')
  // A reader that closes the pipe, such as `| head -1`, is not a fault.
  process.stdout.on('error', () => undefined)
  process.stdout.write(`${renderOverview(process.stdout.columns)}\n`)
} else {
  const { endAsFault, program } = await import('./program.ts')
  // Node would end with 1, which says that a gate failed.
  process.on('uncaughtException', endAsFault)
  const onStall = (): void => {
    // Whoever else listens ends its step in order.
    if (process.listenerCount('beforeExit') > 1) return
    endAsFault(new Error('the command waited for something that can no longer happen'))
  }
  process.on('beforeExit', onStall)
  process.exitCode = await program(words)
  process.off('beforeExit', onStall)
}
