// Runs the program in a folder of its own and takes over what is kept of it: manifests, journals, files of the case.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { stringify } from 'csv-stringify/sync'
import { startProgram, type Ended, type Running } from '../support/program.ts'
import { startDesk, type Desk, type Script } from './desk.ts'
import type { TestEndpoint } from '../support/endpoint.ts'

const LARGEST = 60_000
/** Of the one run of two thousand turns. */
const LARGEST_PACKED = 130_000
const KEPT = /^(run\.json|journal[.0-9]*\.ndjson)$/

export interface Asking {
  readonly script?: Script
  readonly delayMs?: number
  readonly words?: readonly string[]
  readonly out?: string
  /** Instead of waiting for its end. */
  readonly during?: (running: Running, desk: TestEndpoint) => Promise<void>
}

export class Recorder {
  readonly #cwd: string
  readonly #program: string
  #desk: Desk | undefined

  constructor(cwd: string, program: string) {
    this.#cwd = cwd
    this.#program = program
  }

  path(...names: readonly string[]): string {
    return join(this.#cwd, ...names)
  }

  /** A question set, first row the header. */
  set(rows: readonly (readonly (string | number)[])[], name = 'set.csv'): void {
    writeFileSync(this.path(name), stringify(rows.map((row) => [...row])))
  }

  /** `run set.csv`, against a scripted endpoint. */
  async run({ words = [], out = 'run', ...rest }: Asking = {}): Promise<Ended> {
    return this.#ask(['run', 'set.csv', '--out', out, ...words], rest)
  }

  async resume({ words = [], out = 'run', ...rest }: Asking = {}): Promise<Ended> {
    return this.#ask(['run', '--resume', out, ...words], rest)
  }

  async load({ words = [], out = 'run', ...rest }: Asking = {}): Promise<Ended> {
    return this.#ask(['load', 'set.csv', '--out', out, ...words], rest)
  }

  /** Against no endpoint but the one that the words name. */
  async bare(words: readonly string[]): Promise<Ended> {
    return this.#start(words).ended
  }

  #start(words: readonly string[]): Running {
    const env = { ASSIST_API_KEY: 'recorded-key-0123456789' }
    return startProgram(words, { cwd: this.#cwd, env, program: this.#program })
  }

  async #ask(words: readonly string[], asking: Omit<Asking, 'words' | 'out'>): Promise<Ended> {
    // One for all: a resume and a merge want the origin that the run was begun at.
    this.#desk ??= await startDesk()
    const { endpoint, play } = this.#desk
    play(asking.script ?? {}, asking.delayMs)
    const running = this.#start([...words, '--base-url', endpoint.url])
    await asking.during?.(running, endpoint)
    return running.ended
  }

  async close(): Promise<void> {
    await this.#desk?.endpoint.close()
  }

  /** The journal's lines, changed: as a crash would leave them. */
  damage(change: (lines: string[]) => string, out = 'run'): void {
    const file = this.path(out, 'journal.ndjson')
    writeFileSync(file, change(readFileSync(file, 'utf8').split('\n')))
  }

  /** Takes over run folders and the files of the case that are named. */
  keep(folder: string, files: readonly string[] = []): void {
    rmSync(folder, { recursive: true, force: true })
    for (const name of readdirSync(this.#cwd)) {
      if (!statSync(this.path(name)).isDirectory()) continue
      for (const file of readdirSync(this.path(name)).filter((each) => KEPT.test(each))) {
        keepFile(this.path(name, file), join(folder, name, file))
      }
    }
    for (const file of files) cpSync(this.path(file), join(folder, file))
  }
}

function keepFile(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  const bytes = readFileSync(from)
  if (bytes.length <= LARGEST) {
    writeFileSync(to, bytes)
    return
  }
  const packed = gzipSync(bytes, { level: 9 })
  if (packed.length > LARGEST_PACKED) throw new Error(`${to}: ${packed.length} bytes, compressed`)
  writeFileSync(`${to}.gz`, packed)
}
