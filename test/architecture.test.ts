// Protects the architecture: which room may import which rooms and packages, over the real import graph.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'
import { describe, expect, test } from 'vitest'

const source = fileURLToPath(new URL('../src', import.meta.url))

/** Which rooms and packages each room may import. Node's own modules count as packages: only rooms at the edge may use them. */
const PLAN: Readonly<Record<string, readonly [rooms: string, packages: string]>> = {
  // The types that all rooms share import no room.
  domain: ['', 'zod'],
  // The option table, its values, and what a run records of them.
  options: ['domain dataset pace', 'fastest-levenshtein zod'],
  // Numbers in, numbers out.
  stats: ['', ''],
  // Words, folding and weights, for every room that reads texts.
  text: [
    '',
    'entities/decode @orama/stemmers/dutch @orama/stemmers/english @orama/stemmers/french @orama/stemmers/german ' +
      '@orama/stemmers/italian @orama/stemmers/portuguese @orama/stemmers/spanish @orama/stemmers/swedish',
  ],
  // Reads files, and turns tables into threads.
  dataset: [
    'domain stats text',
    'csv-parse csv-parse/sync fastest-levenshtein iconv-lite numfmt saxes yauzl zod node:fs node:fs/promises node:path node:crypto',
  ],
  // The contract and its only client; node:zlib because servers compress unasked, node:net for ranges in NO_PROXY.
  endpoint: ['domain', 'undici zod node:module node:net node:zlib'],
  // The policy is arithmetic over one state; one file uses Bottleneck, one Redis.
  pace: ['domain', 'bottleneck ioredis structured-headers'],
  // Network and disk arrive as parameters.
  runner: ['domain pace', 'tinyqueue node:perf_hooks'],
  // Turns a record into a line and back; node:zlib for the checksum.
  journal: ['domain', 'node:fs node:path node:util node:zlib'],
  // A run folder: create, lock, manifest; node:os for the lock's host.
  store: ['domain options', 'zod node:crypto node:fs node:os node:path node:perf_hooks node:timers/promises'],
  // What the organization wrote itself, held against what the endpoint answers.
  articles: [
    'domain dataset text',
    'entities/decode parse5 yaml zod node:crypto node:fs node:fs/promises node:path',
  ],
  // Pure functions, which can be repeated.
  analysis: ['articles domain stats options text', 'hdr-histogram-js zod node:crypto node:util node:vm'],
  // Values in, text out: documents and their renderers.
  report: ['domain', 'csv-stringify/sync fflate prom-client string-width'],
  // Rendered once when the report is written; its script runs in a browser, from one file.
  page: [
    'domain report',
    'd3-scale d3-shape diff preact preact/hooks preact-render-to-string node:crypto node:zlib',
  ],
  // A separate endpoint, which shares no code with the client that it tests.
  sandbox: [
    'articles domain',
    'zod csv-parse csv-parse/sync csv-stringify/sync node:buffer node:fs node:fs/promises node:path node:crypto node:http node:net node:stream node:zlib',
  ],
  // Builds the package, its schemas and declarations from the other rooms; none of them imports it.
  build: [
    'cli domain options page sandbox',
    'esbuild prettier zod node:child_process node:fs node:path node:url',
  ],
  // The use cases: plain options in, a result out, events in between; prints nothing.
  library: [
    'analysis articles dataset domain endpoint journal options pace page report runner sandbox stats store',
    'fastest-levenshtein zod node:crypto node:events node:fs node:http node:net node:os node:path node:timers/promises node:tls node:url node:util node:perf_hooks node:zlib',
  ],
  // The second: a server over its functions, and its client in the browser, which takes the page's components.
  workbench: [
    'library page report domain',
    'hono hono/body-limit hono/client hono/cookie hono/http-exception hono/streaming hono/validator @hono/node-server preact preact/hooks zod node:crypto node:fs node:net node:os node:path node:stream',
  ],
  // The first user of the library: arguments in, lines and an exit code out.
  cli: [
    'library options report domain store workbench',
    'yargs yaml node:child_process node:events node:fs node:module node:path node:util node:v8',
  ],
}

interface Import {
  readonly file: string
  readonly room: string
  readonly target: string
  /** For an import of our own: the file in src. */
  readonly path: string | undefined
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name))
}

function listImports(file: string): Import[] {
  const parsed = parseSync(file, readFileSync(file, 'utf8'))
  expect(parsed.errors, file).toEqual([])
  const { staticImports, staticExports, dynamicImports } = parsed.module
  const text = readFileSync(file, 'utf8')
  const specifiers = [
    ...staticImports.map((one) => one.moduleRequest.value),
    ...staticExports.flatMap((one) => one.entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
    ...dynamicImports.map((one) =>
      text.slice(one.moduleRequest.start, one.moduleRequest.end).replaceAll(/^['"`]|['"`]$/g, ''),
    ),
  ]
  const name = relative(source, file)
  const room = name.split(sep)[0] ?? ''
  return specifiers.map((specifier) => {
    if (!specifier.startsWith('.')) return { file: name, room, target: specifier, path: undefined }
    const path = relative(source, resolve(dirname(file), specifier))
    return { file: name, room, target: `src/${path.split(sep)[0]}`, path }
  })
}

const files = listFiles(source)
const imports = files.flatMap(listImports)

function isAllowed({ room, target }: Import): boolean {
  const [rooms = '', packages = ''] = PLAN[room] ?? []
  const other = /^src\/(.*)/.exec(target)?.[1]
  return other === undefined
    ? packages.split(' ').includes(target)
    : [room, ...rooms.split(' ')].includes(other)
}

/** Repeatedly removes imports of files that import nothing and by files that nobody imports. What is left are circles. */
function findCircles(all: readonly Import[]): string[] {
  let [left, before] = [all.filter(({ path }) => path !== undefined), Infinity]
  while (left.length < before) {
    before = left.length
    const [importing, imported] = [
      new Set(left.map(({ file }) => file)),
      new Set(left.map(({ path }) => path)),
    ]
    left = left.filter(({ file, path = '' }) => importing.has(path) && imported.has(file))
  }
  return left.map(({ file, path }) => `${file} imports ${path}`)
}

describe('the architecture', () => {
  test('is read from a source tree that is not empty', () => {
    expect(files.length).toBeGreaterThan(20)
    expect(imports.length).toBeGreaterThan(files.length)
  })

  test('has an entry for every folder, and no file is outside the rooms', () => {
    const rooms = new Set(files.map((file) => relative(source, file).split(sep)[0]))
    expect([...rooms].filter((room) => room === undefined || !(room in PLAN))).toEqual([])
  })

  test('is met: no room imports what its entry does not allow', () => {
    const breaches = imports
      .filter((one) => !isAllowed(one))
      .map(({ file, target }) => `${file} imports ${target}`)
    expect(breaches).toEqual([])
  })

  test('has no circle, types included', () => {
    expect(findCircles(imports)).toEqual([])
  })

  test('lets the command line use the public functions of the library alone', () => {
    const inner = imports.filter(
      ({ room, path = '' }) => room === 'cli' && /^library\/(?!index\.ts$)/.test(path.split(sep).join('/')),
    )
    expect(inner.map(({ file, path }) => `${file} imports ${path}`)).toEqual([])
  })

  test('orders the inner rooms of analysis: none reaches back up', () => {
    const order = 'grading figures draft gaps articles reviews judging comparing load limit'.split(' ')
    const placeOf = (path = ''): number => order.indexOf(path.split(sep)[1] ?? '')
    const back = imports.filter(
      ({ room, target, file, path }) =>
        room === 'analysis' && target === 'src/analysis' && placeOf(path) > placeOf(file),
    )
    expect(back.map(({ file, path }) => `${file} imports ${path}`)).toEqual([])
  })

  test('limits each library at the edge to one file', () => {
    const users = (name: string): string[] => [
      ...new Set(imports.filter((one) => one.target === name).map((one) => one.file)),
    ]
    expect(users('bottleneck')).toEqual(['pace/limiter.ts'])
    expect(users('ioredis')).toEqual(['pace/store.ts'])
    expect(users('undici')).toEqual([
      'endpoint/client.ts',
      'endpoint/exchange.ts',
      'endpoint/proxy.ts',
      'endpoint/undici.ts',
    ])
    expect(users('hdr-histogram-js')).toEqual(['analysis/load/durations.ts'])
    expect(users('node:child_process').filter((file) => file.startsWith('cli/'))).toEqual(['cli/accounts.ts'])
    expect([...users('d3-scale'), ...users('d3-shape')]).toEqual(Array(2).fill('page/charts.tsx'))
  })

  test('keeps Node, schemas and charts out of the script for the browser', () => {
    const reached = new Set(['page/main.tsx'])
    for (const file of reached)
      for (const one of imports) if (one.file === file && one.path !== undefined) reached.add(one.path)
    const packages = imports.filter(({ file, target }) => reached.has(file) && !target.startsWith('src/'))
    expect([...new Set(packages.map(({ target }) => target))].toSorted()).toEqual([
      'diff',
      'preact',
      'preact/hooks',
    ])
  })

  test('has a comment on top of each file that says what it is for', () => {
    const silent = files.filter((file) => !/^(#!.*\n)?\/\/ \S/.test(readFileSync(file, 'utf8')))
    expect(silent.map((file) => relative(source, file))).toEqual([])
  })
})
