// A table whose header was understood: its records pass the gate, become ours where they are another tool's, and are read.
import { Account } from './importers/account.ts'
import type { Translator } from './importers/importer.ts'
import type { Importing } from './layouts.ts'
import type { RecordGate } from './record-gate.ts'
import type { CsvRecord } from './records.ts'
import type { TableBody } from './table-body.ts'
import type { TableListener } from './table-listener.ts'

export class OpenTable {
  readonly #gate: RecordGate
  readonly body: TableBody
  readonly #importing: Importing | undefined
  readonly #translator: Translator
  readonly #listener: TableListener
  readonly #account = new Account()

  constructor(gate: RecordGate, body: TableBody, importing: Importing | undefined, listener: TableListener) {
    this.#gate = gate
    this.body = body
    this.#importing = importing
    this.#listener = listener
    const account = this.#account
    const emit = (record: CsvRecord): void => {
      account.addQuestion()
      body.take(record)
    }
    this.#translator = importing?.start({ emit, fail: listener.fail, account }) ?? {
      take: (record) => body.take(record),
      end: () => undefined,
    }
  }

  take(record: CsvRecord): void {
    if (this.#gate.admits(record)) this.#translator.take(record)
    else this.body.lose()
  }

  /** `hasRows`: there were some, and none is missing for a fault that was told. */
  end(hasRows: boolean): void {
    this.#translator.end()
    if (this.#importing === undefined || !hasRows) return
    const { title } = this.#importing
    for (const line of this.#account.lines(title)) this.#listener.warn(line)
    if (this.#account.isEmpty)
      this.#listener.fail({
        message: `read as ${title}, no row of the file is a question; is that what it is?`,
      })
  }
}
