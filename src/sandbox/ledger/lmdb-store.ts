// Ledger and conversations in an LMDB file, so that they outlive the process.
import { randomUUID } from 'node:crypto'
import { open as openFile } from 'node:fs/promises'
import { open, type RootDatabase } from 'lmdb'
import type { Call } from './call.ts'
import type { Conversation } from './conversation.ts'
import type { Store } from './store.ts'

const FORMAT = 1

/** LMDB throws at a longer key, even where it only looks for one. */
const MAX_ID_BYTES = 1978

/** Throws where the file is not a state of this format. The directory must exist. */
export async function openLmdbStore(path: string): Promise<Store> {
  if (!(await isNewOrLmdb(path))) throw new Error(`${path}: not a state file of the sandbox`)
  const root = open({ path, noSubdir: true })
  const format = root.get('format') as number | undefined
  if (format === undefined) await root.put('format', FORMAT)
  else if (format !== FORMAT) {
    await root.close()
    throw new Error(`${path}: a state of format ${format}; this version reads ${FORMAT}`)
  }
  return storeIn(root)
}

/** LMDB's magic number, where its first page has it. The library trusts a file blindly and dies of another's. */
const MAGIC = { offset: 24, value: 0xbe_ef_c0_de }

async function isNewOrLmdb(path: string): Promise<boolean> {
  const file = await openFile(path, 'a+')
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(4), 0, 4, MAGIC.offset)
    return bytesRead === 4 ? buffer.readUInt32LE() === MAGIC.value : (await file.stat()).size === 0
  } finally {
    await file.close()
  }
}

/** Time first, so that the order is that of arrival; then what keeps two processes on one file apart. */
type CallKey = [at: number, process: string, number: number]

function storeIn(root: RootDatabase): Store {
  const conversations = root.openDB<Conversation, string>({ name: 'conversations' })
  const calls = root.openDB<Call, CallKey>({ name: 'calls' })
  const process = randomUUID()
  let number = 0
  /** Kept, but not yet where a read would find them. */
  const unwritten = new Map<string, Conversation>()
  let lastWrite: Promise<unknown> | undefined
  /** Until its clearing has reached the file, the file still shows what is gone. */
  let clearing = 0

  const after = (write: Promise<unknown>, then: () => void = () => {}): void => {
    const settling = write.then(() => {
      then()
      if (lastWrite === settling) lastWrite = undefined
    })
    lastWrite = settling
  }

  return {
    findConversation(id) {
      const isInFile = clearing === 0 && Buffer.byteLength(id) <= MAX_ID_BYTES
      return unwritten.get(id) ?? (isInFile ? conversations.get(id) : undefined)
    },
    *conversations() {
      if (clearing === 0) for (const { value } of conversations.getRange()) yield value
    },
    keepConversation(conversation) {
      unwritten.set(conversation.id, conversation)
      const { length } = conversation.turns
      after(conversations.put(conversation.id, conversation), () => {
        if (conversation.turns.length === length) unwritten.delete(conversation.id)
      })
    },
    appendCall: (call) => after(calls.put([call.at, process, ++number], call)),
    *calls() {
      if (clearing === 0) for (const { value } of calls.getRange()) yield value
    },
    clear() {
      unwritten.clear()
      clearing += 1
      after(Promise.all([conversations.clearAsync(), calls.clearAsync()]), () => {
        clearing -= 1
      })
    },
    settled: (): Promise<unknown> | undefined => lastWrite,
    close: async () => {
      await lastWrite
      await root.close()
    },
  }
}
