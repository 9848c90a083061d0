// Values by number: the first in memory, so that most sets never touch the disk, the others as JSON in a file without a name.
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NumberList } from './number-list.ts'
import { openWindows, type Windows } from './windows.ts'

/** Values in memory: some megabytes. */
const MOST_HELD = 10_000
/** Bytes that are written at once. */
const GATHERED = 2 ** 18

/** The temporary folder does not take what does not fit into memory. */
export class SpillError extends Error {}

/** Of values that JSON gives back as they were. Ends with `close`, and with the process in any case. */
export class Spill<T> {
  readonly #held: T[] = []
  readonly #most: number
  /** Where a value begins in the file; it ends where the next begins. */
  readonly #starts = new NumberList(Float64Array)
  #gathered: Buffer[] = []
  #gatheredBytes = 0
  #written = 0
  #length = 0
  #file: number | undefined
  #windows: Windows | undefined

  constructor(most = MOST_HELD) {
    this.#most = most
  }

  get length(): number {
    return this.#length
  }

  /** Whether all of them are in memory. */
  get isHeld(): boolean {
    return this.#held.length === this.#length
  }

  /** Throws SpillError. */
  push(value: T): void {
    this.#length += 1
    if (this.#held.length < this.#most) {
      this.#held.push(value)
      return
    }
    const bytes = Buffer.from(JSON.stringify(value))
    this.#starts.push(this.#written + this.#gatheredBytes)
    this.#gathered.push(bytes)
    this.#gatheredBytes += bytes.length
    if (this.#gatheredBytes >= GATHERED) this.#write()
  }

  /** Throws SpillError for what it could not keep, RangeError for a number that was never given. */
  at(number: number): T {
    const held = this.#held[number]
    if (held !== undefined) return held
    if (number < 0 || number >= this.#length) throw new RangeError(`no value ${number}`)
    if (this.#gatheredBytes > 0) this.#write()
    const place = number - this.#held.length
    const start = this.#starts.at(place)
    const end = place + 1 < this.#starts.length ? this.#starts.at(place + 1) : this.#written
    this.#windows ??= openWindows((bytes, offset) => readSync(this.#open(), bytes, 0, bytes.length, offset))
    return JSON.parse(this.#windows.text(start, end - start)) as T
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
    this.#windows?.close()
  }

  #write(): void {
    const bytes = Buffer.concat(this.#gathered)
    try {
      for (let done = 0; done < bytes.length;)
        done += writeSync(this.#open(), bytes, done, bytes.length - done, this.#written + done)
    } catch (error) {
      throw new SpillError(
        `so large a set needs room in the temporary folder ${tmpdir()}, which does not take it (${error instanceof Error ? error.message : 'unknown'}); make room there, or name another folder in TMPDIR`,
      )
    }
    this.#written += bytes.length
    this.#gathered = []
    this.#gatheredBytes = 0
  }

  /** Nobody else can read it, and nothing is left of it, however the process ends: it has no name once it is open. */
  #open(): number {
    if (this.#file !== undefined) return this.#file
    const folder = mkdtempSync(join(tmpdir(), 'assist-harness-'))
    this.#file = openSync(join(folder, 'questions'), 'wx+', 0o600)
    const remove = (): void => rmSync(folder, { recursive: true, force: true })
    try {
      remove()
    } catch {
      // Windows keeps the name of an open file.
      process.once('exit', remove)
    }
    return this.#file
  }
}
