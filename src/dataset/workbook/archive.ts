// A small zip file can unpack to gigabytes: parts of a workbook are read within limits. yauzl ends a part
// that is larger than the archive declares.
import yauzl from 'yauzl'
import { digits } from '../../domain/format.ts'

export class WorkbookError extends Error {
  override readonly name = 'WorkbookError'
}

/** A million rows of short cells unpack to about as much. */
const MAX_PART_MB = 400
/** A workbook has a few parts for each sheet. */
const MAX_PARTS = 10_000

/** Names of parts are alike in any case. */
export interface Archive {
  readonly has: (name: string) => boolean
  /** Unpacks a part. Throws WorkbookError for one that is missing, too large or damaged. */
  readonly read: (name: string) => AsyncGenerator<Buffer>
}

export async function openArchive(content: Buffer): Promise<Archive> {
  if (!content.subarray(0, ZIP.length).equals(ZIP)) {
    if (!content.subarray(0, COMPOUND.length).equals(COMPOUND)) throw new WorkbookError(NO_WORKBOOK)
    throw new WorkbookError(content.includes(ENCRYPTED) ? PROTECTED : OLD_FORMAT)
  }
  const zip = await yauzl.fromBufferPromise(content).catch(rethrow)
  if (zip.entryCount > MAX_PARTS) throw new WorkbookError(NO_WORKBOOK)
  const entries = new Map<string, yauzl.Entry>()
  try {
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName.toLowerCase(), entry)
  } catch (error) {
    rethrow(error)
  }
  return {
    has: (name) => entries.has(name.toLowerCase()),
    read: async function* (name) {
      const entry = entries.get(name.toLowerCase())
      if (entry === undefined) throw damaged(`the part ${name} is missing`)
      if (entry.isEncrypted()) throw new WorkbookError(PROTECTED)
      const megabytes = entry.uncompressedSize / 1e6
      if (megabytes > MAX_PART_MB)
        throw new WorkbookError(
          `the workbook is too large: a part of it unpacks to ${digits(Math.round(megabytes))} MB, ` +
            `more than ${MAX_PART_MB} MB; split it, or save the sheet as "CSV UTF-8"`,
        )
      try {
        for await (const chunk of await zip.openReadStreamPromise(entry)) yield chunk as Buffer
      } catch (error) {
        rethrow(error)
      }
    },
  }
}

export const NO_WORKBOOK =
  'this is no .xlsx workbook; save it as .xlsx in Excel or LibreOffice, or as "CSV UTF-8"'
const PROTECTED =
  'the workbook is protected by a password; remove the password in Excel or LibreOffice, and save it again'
export const OLD_FORMAT = 'only .xlsx workbooks are read; save the file as .xlsx in Excel or LibreOffice'

export const damaged = (reason: string): WorkbookError =>
  new WorkbookError(`the workbook is damaged (${reason}); open it in Excel or LibreOffice, and save it again`)

function rethrow(error: unknown): never {
  if (error instanceof WorkbookError || !(error instanceof Error)) throw error
  throw damaged(error.message.replace(/\.(?: .*)?$/s, ''))
}

const ZIP = Buffer.from('PK\u0003\u0004')
/** The container of .xls is that of an .xlsx with a password, too. */
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex')
/** Such a container lists its streams in UTF-16. */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le')
