// Protects the declarations of the options in dist/: an editor shows what each option is and its default, and the
// types are those that the source infers from the option table.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { projectRoot } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const compiler = join(projectRoot, 'node_modules/typescript/bin/tsc')
const compilerOptions = {
  module: 'nodenext',
  target: 'es2023',
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
  allowImportingTsExtensions: true,
}
writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))

interface Answer {
  readonly id?: number
  readonly result?: { readonly contents?: { readonly value: string } } | null
}

/** What the language server says where `position` points to in the text of a file, a zero-based line and column. */
async function hover(
  text: string,
  positions: readonly { readonly line: number; readonly character: number }[],
): Promise<string[]> {
  const uri = pathToFileURL(join(folder, 'hover.ts')).href
  writeFileSync(join(folder, 'hover.ts'), text)
  const server = spawn(process.execPath, [compiler, '--lsp', '--stdio'])
  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  const answers = new Map<number, (answer: Answer) => void>()
  let received = Buffer.alloc(0)
  server.stdout.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    for (;;) {
      const [head = '', bytes = ''] =
        /^[^]*?Content-Length: (\d+)[^]*?\r\n\r\n/i.exec(received.toString('latin1')) ?? []
      const end = head.length + Number(bytes)
      if (head === '' || received.length < end) return
      const message = JSON.parse(received.subarray(head.length, end).toString()) as Answer & {
        method?: string
      }
      received = received.subarray(end)
      // A request of its own, which waits for an answer.
      if (message.method !== undefined && message.id !== undefined) send({ id: message.id, result: null })
      else answers.get(message.id ?? -1)?.(message)
    }
  })
  const ask = async (id: number, method: string, params: object): Promise<Answer> =>
    new Promise((resolve) => {
      answers.set(id, resolve)
      send({ id, method, params })
    })
  try {
    await ask(0, 'initialize', { processId: null, rootUri: null, capabilities: {} })
    send({ method: 'initialized', params: {} })
    const textDocument = { uri, languageId: 'typescript', version: 1, text }
    send({ method: 'textDocument/didOpen', params: { textDocument } })
    const found: string[] = []
    for (const [index, position] of positions.entries()) {
      const { result } = await ask(index + 1, 'textDocument/hover', { textDocument: { uri }, position })
      found.push(result?.contents?.value ?? '')
    }
    return found
  } finally {
    server.kill()
    await once(server, 'exit')
  }
}

test('an editor shows what an option is, its default and its type', async () => {
  const library = JSON.stringify(pathToFileURL(join(projectRoot, 'dist/library/index.js')).pathname)
  const lines = [
    `import type { RunOptions, LoadOptions, TargetOptions } from ${library}`,
    "export const run: RunOptions = { timeout: '30s' }",
    'export const load: LoadOptions = { datasets: [], users: 3 }',
    "export const target: TargetOptions = { name: 'a', onAmbiguous: 'fail' }",
  ]
  const at = (line: number, name: string) => ({ line, character: lines[line]?.indexOf(name) ?? 0 })
  const [timeout, users, onAmbiguous] = await hover(lines.join('\n'), [
    at(1, 'timeout'),
    at(2, 'users'),
    at(3, 'onAmbiguous'),
  ])
  expect(timeout).toMatch(
    /timeout\?: string \| number \| undefined.*Time limit of one attempt.*Default:\s120s\./s,
  )
  expect(users).toMatch(/users\?: .*Instead of a rate: this many users in a loop\./s)
  expect(onAmbiguous).toMatch(/restart.*After a lost answer, fail\..*Default:\srestart\./s)
})

test('the declarations have the keys and types that the source infers', () => {
  const path = (name: string): string => JSON.stringify(join(projectRoot, name))
  writeFileSync(
    join(folder, 'same.ts'),
    `import type { WrittenOptions as Declared } from ${path('dist/options/written.d.ts')}
import type { WrittenOptions as Inferred } from ${path('src/options/written.ts')}
type Keys<Options> = { readonly [Command in keyof Options]: keyof Options[Command] }
export const to = (all: Inferred, keys: Keys<Inferred>): [Declared, Keys<Declared>] => [all, keys]
export const from = (all: Declared, keys: Keys<Declared>): [Inferred, Keys<Inferred>] => [all, keys]
`,
  )
  writeFileSync(join(folder, 'same.json'), JSON.stringify({ compilerOptions, files: ['same.ts'] }))
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', 'same.json'], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect([status, stdout]).toEqual([0, ''])
})
