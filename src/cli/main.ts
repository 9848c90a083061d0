#!/usr/bin/env node
// Entry point. The commands: `command-table.ts`.
import * as nodeModule from 'node:module'

// From Node 22.1 on, compiled code is cached between starts, which halves the time of a start.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => unknown }
enableCompileCache?.()
// A stack trace names the source file and line.
process.setSourceMapsEnabled(true)

const { main } = await import('./program.ts')
await main(process.argv.slice(2))
