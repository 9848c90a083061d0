#!/usr/bin/env node
// Entry point; sets the exit code of the process. The commands: `command-table.ts`.
import * as nodeModule from 'node:module'

// From Node 22.1 on, compiled code is cached between starts, which halves the time of a start.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => unknown }
enableCompileCache?.()

const { program } = await import('./program.ts')
process.exitCode = await program(process.argv.slice(2))
