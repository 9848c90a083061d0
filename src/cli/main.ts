#!/usr/bin/env node
// Where a process begins and ends: decides its exit code, and nothing else does. The commands: `command-table.ts`.
import * as nodeModule from 'node:module'

// From Node 22.1 on what was compiled once is kept beside other temporary files, and a start takes half as long.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => unknown }
enableCompileCache?.()

const { program } = await import('./program.ts')
process.exitCode = await program(process.argv.slice(2))
